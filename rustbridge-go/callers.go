package rustbridge

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/rustbridge/rustbridge/rustbridge-go/internal/native"
)

// callers are the contexts of the calls that are running, for the services that plugins call back, by the number that goes along with the
// call. Numbers aren't used again.
var callers struct {
	last     atomic.Uint64
	byNumber sync.Map // number: context.Context
}

// hasValues reports whether a context has anything that a service could see.
func hasValues(ctx context.Context) bool {
	return ctx != nil && ctx != context.Background() && ctx != context.TODO()
}

// keepContext keeps a call's context for the plugin's services, and returns its number; 0 if there is nothing to keep. The caller passes the
// number to [forgetContext] when the call has ended.
func (m *Method) keepContext(ctx context.Context) uint64 {
	if !m.plugin.hasServices || m.flags&native.MethodLeaf != 0 || !hasValues(ctx) {
		return 0
	}
	number := callers.last.Add(1)
	callers.byNumber.Store(number, ctx)
	return number
}

// forgetContext removes the context of a call that has ended.
func forgetContext(number uint64) {
	if number != 0 {
		callers.byNumber.Delete(number)
	}
}

// callerContext returns a context with the values of the one that the call was made with. It has neither that one's deadline nor its
// cancellation: a service has its own.
func callerContext(number uint64) context.Context {
	if number != 0 {
		if found, ok := callers.byNumber.Load(number); ok {
			return context.WithoutCancel(found.(context.Context))
		}
	}
	return context.Background()
}
