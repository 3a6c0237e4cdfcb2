package rustbridge

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/rustbridge/rustbridge/rustbridge-go/internal/native"
)

// Metadata is a list of key-value pairs that accompany a request or a response. Keys are visible ASCII without
// capitals, and may repeat.
type Metadata []Pair

// Pair is a key and its value.
type Pair struct {
	Key   string
	Value []byte
}

// Get returns the first value of a key.
func (m Metadata) Get(key string) ([]byte, bool) {
	for _, pair := range m {
		if pair.Key == key {
			return pair.Value, true
		}
	}
	return nil, false
}

// pack lays metadata out as the header has it. The core checks the rest.
func (m Metadata) pack() ([]byte, *Error) {
	if len(m) == 0 {
		return nil, nil
	}
	size := 4
	for _, pair := range m {
		size += 8 + len(pair.Key) + len(pair.Value)
	}
	if size > native.MetadataLimit {
		return nil, errorf(InvalidArgument, "rustbridge.InvalidContext", "the metadata has %d bytes, but the limit is %d", size,
			native.MetadataLimit)
	}
	packed := binary.NativeEndian.AppendUint32(make([]byte, 0, size), uint32(len(m)))
	for _, pair := range m {
		packed = binary.NativeEndian.AppendUint32(packed, uint32(len(pair.Key)))
		packed = binary.NativeEndian.AppendUint32(packed, uint32(len(pair.Value)))
		packed = append(packed, pair.Key...)
		packed = append(packed, pair.Value...)
	}
	return packed, nil
}

// unpack reads what the core has checked; what can't be read is left out all the same.
func unpack(packed []byte) Metadata {
	if len(packed) < 4 {
		return nil
	}
	count := int(binary.NativeEndian.Uint32(packed))
	at := 4
	var pairs Metadata
	for range count {
		if len(packed)-at < 8 {
			return pairs
		}
		key, value := int(binary.NativeEndian.Uint32(packed[at:])), int(binary.NativeEndian.Uint32(packed[at+4:]))
		at += 8
		if key > len(packed)-at || value > len(packed)-at-key {
			return pairs
		}
		pairs = append(pairs, Pair{string(packed[at : at+key]), append([]byte(nil), packed[at+key:at+key+value]...)})
		at += key + value
	}
	return pairs
}

// Trace is the W3C trace context of a call.
type Trace struct {
	TraceID [16]byte
	SpanID  [8]byte
	// Flags are the trace flags. Bit 0 means that the trace is sampled.
	Flags byte
	// State is the tracestate, or empty.
	State string
}

// ParseTrace parses a traceparent. The tracestate is stored unchanged.
func ParseTrace(traceparent, tracestate string) (Trace, error) {
	trace := Trace{State: tracestate}
	parts := strings.Split(traceparent, "-")
	var version, flags [1]byte
	if len(parts) < 4 || !decoded(version[:], parts[0]) || !decoded(trace.TraceID[:], parts[1]) ||
		!decoded(trace.SpanID[:], parts[2]) || !decoded(flags[:], parts[3]) || version[0] == 0xff ||
		version[0] == 0 && len(parts) > 4 {
		return Trace{}, errorf(InvalidArgument, "rustbridge.InvalidContext",
			"%q isn't a traceparent: expected 00-, 32 hexadecimal digits, -, 16 digits, -, 2 digits", traceparent)
	}
	trace.Flags = flags[0]
	return trace, nil
}

func decoded(to []byte, text string) bool {
	if len(text) != hex.EncodedLen(len(to)) || strings.ToLower(text) != text {
		return false
	}
	_, err := hex.Decode(to, []byte(text))
	return err == nil
}

// String returns the traceparent.
func (t Trace) String() string {
	return fmt.Sprintf("00-%x-%x-%02x", t.TraceID, t.SpanID, t.Flags)
}

type carriedKey struct{}

// carried is all that a context has of ours, behind one key: looking is paid by each call.
type carried struct {
	metadata Metadata
	trace    Trace
	hasTrace bool
	trailers *Metadata
	headers  *Metadata
	service  *serviceCall
}

func carriedBy(ctx context.Context) *carried {
	found, _ := ctx.Value(carriedKey{}).(*carried)
	return found
}

func carrying(ctx context.Context, change func(*carried)) context.Context {
	if ctx == nil {
		ctx = context.Background()
	}
	var made carried
	if found := carriedBy(ctx); found != nil {
		made = *found
	}
	change(&made)
	return context.WithValue(ctx, carriedKey{}, &made)
}

// WithMetadata returns a context whose calls send the metadata. It replaces the context's previous metadata.
func WithMetadata(ctx context.Context, metadata Metadata) context.Context {
	return carrying(ctx, func(c *carried) { c.metadata = append(Metadata(nil), metadata...) })
}

// WithTrace returns a context whose calls are part of a trace.
func WithTrace(ctx context.Context, trace Trace) context.Context {
	return carrying(ctx, func(c *carried) { c.trace, c.hasTrace = trace, true })
}

// WithTrailers returns a context whose call stores the plugin's trailing metadata in a variable. Use it for one call at
// a time.
//
// The variable is set when the call has returned, also with an error. For a stream, it's set when the stream has ended.
func WithTrailers(ctx context.Context, trailers *Metadata) context.Context {
	return carrying(ctx, func(c *carried) { c.trailers = trailers })
}

// WithHeaders returns a context whose call requests the plugin's initial metadata and stores it in a variable. Use it
// for one call at a time.
//
// The variable is set when the call has returned, also with an error. For a stream, it's set before the first item is
// received, or when the stream ends.
func WithHeaders(ctx context.Context, headers *Metadata) context.Context {
	return carrying(ctx, func(c *carried) { c.headers = headers })
}

// TraceOf returns the trace that was set by [WithTrace], or the trace of the call that a service answers.
func TraceOf(ctx context.Context) (Trace, bool) {
	if ctx == nil {
		return Trace{}, false
	}
	if found := carriedBy(ctx); found != nil {
		return found.trace, found.hasTrace
	}
	return Trace{}, false
}

// header puts together what a call carries. The context isn't nil.
func (p *Plugin) header(ctx context.Context, lent []*Object, to *native.CallData) (*carried, *Error) {
	found := carriedBy(ctx)
	if found != nil {
		// Those of the call before aren't this one's, however it ends.
		if found.headers != nil {
			*found.headers = nil
		}
		if found.trailers != nil {
			*found.trailers = nil
		}
	}
	if ctx.Err() != nil {
		return found, endedBy(ctx)
	}
	if deadline, ok := ctx.Deadline(); ok {
		left := time.Until(deadline)
		if left <= 0 {
			return found, contextError(DeadlineExceeded, context.DeadlineExceeded)
		}
		to.Flags |= native.HeaderTimeout
		to.TimeoutNS = uint64(left)
	}
	trace, hasTrace := Trace{}, false
	if p.trace != nil {
		trace, hasTrace = p.trace(ctx)
	}
	if found != nil {
		if !hasTrace {
			trace, hasTrace = found.trace, found.hasTrace
		}
		packed, err := found.metadata.pack()
		if err != nil {
			return found, err
		}
		to.Metadata = packed
		if found.headers != nil {
			to.Flags |= native.HeaderHeaders
		}
	}
	if hasTrace {
		to.Flags |= native.HeaderTrace
		to.TraceID, to.SpanID, to.TraceFlags, to.TraceState = trace.TraceID, trace.SpanID, uint32(trace.Flags), trace.State
	}
	for _, object := range lent {
		number, err := object.lent(p)
		if err != nil {
			return found, err
		}
		to.Objects = append(to.Objects, number)
	}
	return found, nil
}
