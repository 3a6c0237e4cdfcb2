package rustbridge

import (
	"sync/atomic"
	"unsafe"
)

// How many places there are for what goroutines keep for their next call: a power of two, and more than processors.
const places = 64

// placeOf gives a place that a goroutine mostly has for itself, by where its stack is. It decides nothing but who meets whom.
func placeOf() uint32 {
	var here byte
	return uint32(uint64(uintptr(unsafe.Pointer(&here))>>11) * 0x9e3779b97f4a7c15 >> 58)
}

// spares keeps one thing for each place, so that goroutines whose calls end at once don't meet at a lock.
type spares[T any] struct {
	kept [places]struct {
		spare atomic.Pointer[T]
		_     [56]byte
	}
}

// take gives the place's, if it has one.
func (s *spares[T]) take() *T {
	place := &s.kept[placeOf()].spare
	if place.Load() == nil {
		return nil
	}
	return place.Swap(nil)
}

// count is how many there are.
func (s *spares[T]) count() int {
	count := 0
	for place := range s.kept {
		if s.kept[place].spare.Load() != nil {
			count++
		}
	}
	return count
}

// give leaves it there; false if there's another.
func (s *spares[T]) give(spare *T) bool {
	place := &s.kept[placeOf()].spare
	return place.Load() == nil && place.CompareAndSwap(nil, spare)
}
