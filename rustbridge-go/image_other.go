//go:build !windows

package rustbridge

// placed puts the embedded library where it can be opened: into a folder that is gone again once it's mapped.
func placed(image []byte) (string, func(), error) { return temporarily(image) }
