package rustbridge

import "sync"

// scratch is memory that is lent to one call at a time.
type scratch struct {
	bytes []byte
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// What is larger isn't kept.
const keptScratch = 1 << 20

func takeScratch(size int) *scratch {
	taken := scratches.Get().(*scratch)
	if cap(taken.bytes) < size {
		taken.bytes = make([]byte, size)
	}
	taken.bytes = taken.bytes[:cap(taken.bytes)]
	return taken
}

func (s *scratch) give() {
	if cap(s.bytes) <= keptScratch {
		scratches.Put(s)
	}
}
