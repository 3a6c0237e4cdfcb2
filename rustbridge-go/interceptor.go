package rustbridge

import "context"

// Interceptor wraps the calls of a plugin, for example for logs, metrics or retries. Either function may be nil.
type Interceptor struct {
	// Call wraps a call with one response. It calls next any number of times, with the call's context, and returns
	// next's error or another one. The invocation has the request, and the response once next has returned.
	Call func(ctx context.Context, method *Method, invocation *Invocation, next func(context.Context) error) error
	// Stream wraps the start of a stream of any kind.
	Stream func(ctx context.Context, method *Method, invocation *Invocation, next func(context.Context) (*Stream, error)) (*Stream, error)
}

// aroundCall calls by way of the interceptors.
func (p *Plugin) aroundCall(ctx context.Context, method *Method, invocation *Invocation, last func(context.Context) error) error {
	if ctx == nil {
		ctx = context.Background()
	}
	next := last
	for index := len(p.interceptors) - 1; index >= 0; index-- {
		if call := p.interceptors[index].Call; call != nil {
			inner := next
			next = func(ctx context.Context) error { return call(ctx, method, invocation, inner) }
		}
	}
	return next(ctx)
}

// aroundStream begins a stream by way of the interceptors.
func (p *Plugin) aroundStream(
	ctx context.Context, method *Method, invocation *Invocation, last func(context.Context) (*Stream, error),
) (*Stream, error) {
	if ctx == nil {
		ctx = context.Background()
	}
	next := last
	for index := len(p.interceptors) - 1; index >= 0; index-- {
		if stream := p.interceptors[index].Stream; stream != nil {
			inner := next
			next = func(ctx context.Context) (*Stream, error) { return stream(ctx, method, invocation, inner) }
		}
	}
	stream, err := next(ctx)
	if stream == nil && err == nil {
		return nil, errorf(Internal, "rustbridge.NoStream", "an interceptor of %s returned neither a stream nor an error", method.name)
	}
	return stream, err
}
