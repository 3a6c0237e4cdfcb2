package typed

import (
	"fmt"
	"slices"

	"github.com/rustbridge/rustbridge/rustbridge-go"
	"github.com/rustbridge/rustbridge/rustbridge-go/wire"
)

// beside is the objects beside a message: those that are lent with a request, and those that came with a response.
type beside struct {
	client any
	lent   []*rustbridge.Object
	came   []*rustbridge.Object
	taken  []bool
	// Objects among the lent ones that were created for this call: each stands for an object of the host.
	created []*rustbridge.Object
	// The error of a call that was made to write or read the message. The call returns it instead of the message's error.
	failed error
}

// refuse fails a request with the error of another call.
func (b *beside) refuse(w *wire.Writer, err error) {
	b.failed = err
	w.Fail(err.Error())
}

// WriteObject writes an object's position, and adds it to the borrowed objects.
func WriteObject(w *wire.Writer, v *rustbridge.Object) {
	b, is := w.Attachment().(*beside)
	switch {
	case v == nil:
		w.Fail("nil isn't allowed here")
	case !is:
		w.Fail("objects can't accompany this message")
	default:
		place := slices.Index(b.lent, v)
		if place < 0 {
			place = len(b.lent)
			b.lent = append(b.lent, v)
		}
		w.Uint32(uint32(place))
	}
}

// ReadObject reads an object's position, and returns the object with the calling client. Each object can be read once.
func ReadObject[C any](r *wire.Reader) (*rustbridge.Object, C) {
	at := r.At()
	place := int(r.Uint32())
	b, is := r.Attachment().(*beside)
	if r.Err() != nil {
		return nil, none[C]()
	}
	if !is {
		r.Fail(at, "objects can't accompany this message")
		return nil, none[C]()
	}
	if place >= len(b.came) {
		r.Fail(at, fmt.Sprintf("object %d is missing: %d objects accompany the message, and positions count from 0", place, len(b.came)))
		return nil, none[C]()
	}
	if b.taken == nil {
		b.taken = make([]bool, len(b.came))
	}
	if b.taken[place] {
		r.Fail(at, fmt.Sprintf("object %d occurs twice in the message, expected once", place))
		return nil, none[C]()
	}
	b.taken[place] = true
	client, _ := b.client.(C)
	return b.came[place], client
}

// release gives back the objects that nobody has taken, or all.
func (b *beside) release(all bool) {
	for place, object := range b.came {
		if all || b.taken == nil || !b.taken[place] {
			// Whether it's gone already makes no difference.
			_ = object.Close()
		}
	}
}
