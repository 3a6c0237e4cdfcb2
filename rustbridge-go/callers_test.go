package rustbridge_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	rustbridge "github.com/rustbridge/rustbridge/rustbridge-go"
)

type userKey struct{}

// asUser is a context with a value, as a request handler has one.
func asUser(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, userKey{}, name)
}

// observed are what services have seen of their context's value, and the options to load a plugin with.
func observed(t testing.TB) (<-chan any, *rustbridge.Options) {
	t.Helper()
	seen := make(chan any, 16)
	service := rustbridge.JSONService(func(ctx context.Context, article int) (int, error) {
		seen <- ctx.Value(userKey{})
		return article, ctx.Err()
	})
	return seen, &rustbridge.Options{Services: map[string]rustbridge.Service{"prices.get": service, "prices.quote": service}}
}

func TestAServiceSeesTheValuesOfItsCallersContext(t *testing.T) {
	seen, options := observed(t)
	plugin := load(t, "operations", options)
	next := func(what string, expected any) {
		t.Helper()
		select {
		case value := <-seen:
			if value != expected {
				t.Errorf("%s: the service saw %v, not %v", what, value, expected)
			}
		case <-within(t).Done():
			t.Fatal(what, ": no service was called")
		}
	}
	for _, name := range []string{"service.one", "service.quote"} {
		for _, offload := range []bool{false, true} {
			what := fmt.Sprintf("%s, offloaded %v", name, offload)
			found := method(t, plugin, name)
			invoke := func(ctx context.Context) {
				t.Helper()
				if err := found.Invoke(ctx, &rustbridge.Invocation{Request: []byte("7"), Offload: offload}); err != nil {
					t.Fatal(what, err)
				}
			}
			invoke(asUser(context.Background(), "ada"))
			next(what, "ada")
			invoke(asUser(within(t), "eve"))
			next(what, "eve")
			invoke(context.Background())
			next(what, nil)
			invoke(nil)
			next(what, nil)
		}
		if err := plugin.Call(asUser(context.TODO(), "ada"), name, 7, nil); err != nil {
			t.Fatal(err)
		}
		next(name, "ada")
	}
	// A plugin's own task, which doesn't specify its call.
	if err := plugin.Call(asUser(context.Background(), "ada"), "service.task", 7, nil); err != nil {
		t.Fatal(err)
	}
	next("service.task", nil)
	if kept := rustbridge.KeptContexts(); kept != 0 {
		t.Error(kept, "contexts are kept")
	}
}

func TestAStreamsServiceSeesTheValuesOfItsContext(t *testing.T) {
	seen, options := observed(t)
	plugin := load(t, "operations", options)
	stream, err := method(t, plugin, "service.prices").Open(asUser(within(t), "ada"), &rustbridge.Invocation{Request: []byte("[1,2]")})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := stream.Recv(); err != nil {
			t.Fatal(err)
		}
		if value := <-seen; value != "ada" {
			t.Error(value)
		}
	}
	if _, _, err := stream.Result(); err != nil {
		t.Fatal(err)
	}
	// One that is dropped early, and one that is refused.
	stream, err = method(t, plugin, "service.prices").Open(asUser(within(t), "ada"), &rustbridge.Invocation{Request: []byte("[1,2]")})
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.Close(); err != nil {
		t.Fatal(err)
	}
	stream, err = method(t, plugin, "service.prices").Open(asUser(within(t), "ada"), &rustbridge.Invocation{Request: []byte("nonsense")})
	if err == nil {
		_, _, err = stream.Result()
	}
	if !errors.Is(err, rustbridge.InvalidArgument) {
		t.Fatal(err)
	}
	if kept := rustbridge.KeptContexts(); kept != 0 {
		t.Error(kept, "contexts are kept")
	}
}

func TestAServicesContextHasItsOwnMetadataAndCancellation(t *testing.T) {
	type observation struct {
		metadata    rustbridge.Metadata
		user        any
		hasDeadline bool
	}
	var plugin *rustbridge.Plugin
	seen := make(chan observation, 4)
	service := rustbridge.JSONService(func(ctx context.Context, article int) (int, error) {
		_, hasDeadline := ctx.Deadline()
		seen <- observation{metadata: rustbridge.MetadataOf(ctx), user: ctx.Value(userKey{}), hasDeadline: hasDeadline}
		if article == 1 {
			return 0, plugin.Call(asUser(ctx, "inner"), "service.one", 2, nil)
		}
		return article, nil
	})
	plugin = load(t, "operations", &rustbridge.Options{Services: map[string]rustbridge.Service{"prices.get": service, "prices.quote": service}})
	ctx, cancel := context.WithCancel(rustbridge.WithMetadata(asUser(context.Background(), "outer"), rustbridge.Metadata{{Key: "user", Value: []byte("ada")}}))
	defer cancel()
	if err := plugin.Call(ctx, "service.one", 1, nil); err != nil {
		t.Fatal(err)
	}
	outer, inner := <-seen, <-seen
	if value, _ := outer.metadata.Get("user"); string(value) != "ada" || outer.user != "outer" || outer.hasDeadline {
		t.Error(outer)
	}
	if inner.metadata != nil || inner.user != "inner" || inner.hasDeadline {
		t.Error(inner)
	}
}

func TestTheContextOfACallThatFailsIsNotKept(t *testing.T) {
	_, options := observed(t)
	plugin := load(t, "operations", options)
	ctx, cancel := context.WithCancel(asUser(context.Background(), "ada"))
	ended := make(chan error)
	go func() { ended <- plugin.Call(ctx, "async.never", nil, nil) }()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	ctx = asUser(within(t), "ada")
	for name, code := range map[string]rustbridge.Code{"call.fail": rustbridge.NotFound, "async.panic_now": rustbridge.Internal} {
		if err := plugin.Call(ctx, name, map[string]string{"text": "a"}, nil); err == nil {
			t.Error(name, code)
		}
	}
	one := method(t, plugin, "service.one")
	if err := one.Invoke(ctx, &rustbridge.Invocation{Request: []byte("7"), Borrowed: []*rustbridge.Object{nil}}); err == nil {
		t.Error("a nil object was lent")
	}
	if err := plugin.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"service.one", "service.quote"} {
		if err := plugin.Call(ctx, name, 7, nil); err == nil {
			t.Error("a closed plugin was called")
		}
	}
	if kept := rustbridge.KeptContexts(); kept != 0 {
		t.Error(kept, "contexts are kept")
	}
}
