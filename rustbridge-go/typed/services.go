package typed

import (
	"context"
	"fmt"
	"maps"

	"github.com/rustbridge/rustbridge/rustbridge-go"
	"github.com/rustbridge/rustbridge/rustbridge-go/wire"
)

// Services are the functions with types that a plugin may call.
type Services struct {
	options      rustbridge.Options
	clientSchema *wire.ClientSchema
}

// NewServices returns an empty set of services. It's based on the options for loading the plugin; nil means the
// defaults.
func NewServices(options *rustbridge.Options, clientSchema *wire.ClientSchema) *Services {
	s := &Services{clientSchema: clientSchema}
	if options != nil {
		s.options = *options
	}
	s.options.Services = maps.Clone(s.options.Services)
	if s.options.Services == nil {
		s.options.Services = map[string]rustbridge.Service{}
	}
	return s
}

// Options returns the options for loading the plugin, with all services.
func (s *Services) Options() *rustbridge.Options { return &s.options }

// Serve adds a function, with the functions that decode its request and encode its response.
func Serve[Q, R any](
	s *Services, name string, read func(*wire.Reader) Q, write func(*wire.Writer, R), function func(context.Context, Q) (R, error),
) {
	// The types are compared only if there's something that has them.
	s.options.ClientSchema = s.clientSchema.Text()
	clientSchema := s.clientSchema
	s.options.Services[name] = rustbridge.Service{
		Encoding: rustbridge.Wire,
		Func: func(ctx context.Context, message []byte) ([]byte, error) {
			var r wire.Reader
			r.Reset(message, nil)
			request := read(&r)
			if failed := r.End(); failed != nil {
				clientSchema.Locate(failed, wire.Side{Name: name, IsService: true, Which: "request"}, "request", message)
				return nil, wrong(failed, rustbridge.InvalidArgument, "rustbridge.InvalidRequest", name+": the plugin's request doesn't match its type: ")
			}
			answer, err := function(ctx, request)
			if err != nil {
				return nil, err
			}
			var w wire.Writer
			write(&w, answer)
			if failed := w.Err(); failed != nil {
				clientSchema.Locate(failed, wire.Side{Name: name, IsService: true, Which: "response"}, "response", w.Bytes())
				return nil, wrong(failed, rustbridge.Internal, "rustbridge.InvalidResponse", name+": ")
			}
			return w.Bytes(), nil
		},
	}
}

// NoRequest adapts a function without a request, for [Serve].
func NoRequest[R any](function func(context.Context) (R, error)) func(context.Context, struct{}) (R, error) {
	return func(ctx context.Context, _ struct{}) (R, error) { return function(ctx) }
}

// NoAnswer adapts a function without a response, for [Serve].
func NoAnswer[Q any](function func(context.Context, Q) error) func(context.Context, Q) (struct{}, error) {
	return func(ctx context.Context, request Q) (struct{}, error) { return struct{}{}, function(ctx, request) }
}

// Neither adapts a function without a request and without a response, for [Serve].
func Neither(function func(context.Context) error) func(context.Context, struct{}) (struct{}, error) {
	return func(ctx context.Context, _ struct{}) (struct{}, error) { return struct{}{}, function(ctx) }
}

// CheckServices returns an error if a group's services are nil, or a nil pointer in an interface. Their functions would
// panic when the plugin calls them.
func CheckServices(group string, services any) error {
	if services == nil {
		return failure(rustbridge.InvalidArgument, "rustbridge.InvalidRequest", "the services `"+group+"` are nil, but the plugin requires them")
	}
	if isNil(services) {
		return failure(rustbridge.InvalidArgument, "rustbridge.InvalidRequest", fmt.Sprintf(
			"the services `%s` are a nil value of the type %T: pass a value, or an untyped nil if the plugin doesn't require them", group, services))
	}
	return nil
}
