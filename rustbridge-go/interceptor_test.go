package rustbridge_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	rustbridge "github.com/rustbridge/rustbridge/rustbridge-go"
)

func TestInterceptorsWrapEachCallAndStreamInTheirOrder(t *testing.T) {
	var told []string
	named := func(name string) rustbridge.Interceptor {
		return rustbridge.Interceptor{
			Call: func(ctx context.Context, method *rustbridge.Method, invocation *rustbridge.Invocation, next func(context.Context) error) error {
				told = append(told, name+" "+method.Name())
				err := next(ctx)
				if err == nil && len(invocation.Response) == 0 {
					t.Error("there's no response")
				}
				told = append(told, name+" has ended")
				return err
			},
			Stream: func(ctx context.Context, method *rustbridge.Method, _ *rustbridge.Invocation, next func(context.Context) (*rustbridge.Stream, error)) (*rustbridge.Stream, error) {
				told = append(told, name+" "+method.Name())
				return next(ctx)
			},
		}
	}
	plugin := load(t, "operations", &rustbridge.Options{Interceptors: []rustbridge.Interceptor{named("outer"), {}, named("inner")}})
	for _, each := range []struct{ method, request string }{{"call.sleep", `{"ms":0}`}, {"async.later", `{"text":"x"}`}} {
		told = nil
		if _, err := method(t, plugin, each.method).CallJSON(context.Background(), each.request); err != nil {
			t.Fatal(err)
		}
		wanted := []string{"outer " + each.method, "inner " + each.method, "inner has ended", "outer has ended"}
		if !slices.Equal(told, wanted) {
			t.Error(told)
		}
	}
	told = nil
	for _, err := range method(t, plugin, "stream.ticks").Stream(context.Background(), []byte(`{"from":0,"to":3}`)) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(told, []string{"outer stream.ticks", "inner stream.ticks"}) {
		t.Error(told)
	}
}

func TestAnInterceptorMayRetryAndRefuse(t *testing.T) {
	refused := errors.New("not today")
	attempts := 0
	plugin := load(t, "operations", &rustbridge.Options{Interceptors: []rustbridge.Interceptor{{
		Call: func(ctx context.Context, method *rustbridge.Method, _ *rustbridge.Invocation, next func(context.Context) error) error {
			if method.Name() == "async.never" {
				return refused
			}
			_ = next(ctx)
			attempts++
			return next(ctx)
		},
		Stream: func(context.Context, *rustbridge.Method, *rustbridge.Invocation, func(context.Context) (*rustbridge.Stream, error)) (*rustbridge.Stream, error) {
			return nil, nil
		},
	}}})
	var answer map[string]string
	if err := plugin.Call(context.Background(), "async.later", map[string]string{"text": "x"}, &answer); err != nil || answer["text"] != "x" {
		t.Error(answer, err)
	}
	if attempts != 1 {
		t.Error(attempts)
	}
	if err := plugin.Call(context.Background(), "async.never", nil, nil); !errors.Is(err, refused) {
		t.Error(err)
	}
	if _, err := method(t, plugin, "stream.ticks").Open(context.Background(), &rustbridge.Invocation{}); !errors.Is(err, rustbridge.Internal) {
		t.Error(err)
	}
}
