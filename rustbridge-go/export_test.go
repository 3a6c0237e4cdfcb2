package rustbridge

// KeptContexts counts the contexts that are kept for services.
func KeptContexts() int {
	count := 0
	callers.byNumber.Range(func(any, any) bool {
		count++
		return true
	})
	return count
}
