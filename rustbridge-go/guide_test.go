package rustbridge_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	rustbridge "github.com/rustbridge/rustbridge/rustbridge-go"
)

// What docs/guide/go.md shows stands here, line for line, and runs.

func TestTheGuideShowsWhatRunsHere(t *testing.T) {
	guide, err := os.ReadFile("../docs/guide/go.md")
	if err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile("guide_test.go")
	if err != nil {
		t.Fatal(err)
	}
	words := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	code := words(string(own))
	shown := 0
	for _, block := range strings.Split(string(guide), "```go\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		shown++
		if !strings.Contains(code, words(block)) {
			t.Errorf("no test runs this:\n%s", block)
		}
	}
	if shown < 10 {
		t.Error(shown, "blocks")
	}
}

func TestTheGuideLoadsAndCalls(t *testing.T) {
	path := library("hello")
	ctx := context.Background()
	run := func() error {
		hello, err := rustbridge.Load(path, nil)
		if err != nil {
			return err
		}
		defer hello.Close()

		var answer struct{ Greeting string }
		err = hello.Call(ctx, "greet", map[string]string{"name": "Ada"}, &answer)
		fmt.Println(answer.Greeting) // Hello, Ada! Welcome to rustbridge.
		return err
	}
	if err := run(); err != nil {
		t.Fatal(err)
	}

	users, err := rustbridge.Load(path, &rustbridge.Options{
		Config:   map[string]int{"first_user": 100},
		Name:     "users",
		Poison:   true,
		Logger:   slog.Default(),
		LogLevel: slog.LevelDebug,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer users.Close()
}

func TestTheGuideCallsPreparedMethodsBytesAndStructs(t *testing.T) {
	hello := load(t, "hello", nil)
	ctx := context.Background()
	run := func() error {
		echo, err := hello.Method("echo")
		if err != nil {
			return err
		}
		for _, text := range []string{"a", "b"} {
			var answer struct{ Length int }
			if err := echo.Call(ctx, map[string]string{"message": text}, &answer); err != nil {
				return err
			}
		}
		text, err := echo.CallJSON(ctx, `{"message":"Hello"}`)
		fmt.Println(text)
		return err
	}
	if err := run(); err != nil {
		t.Fatal(err)
	}

	type Add struct{ A, B int64 }
	type Sum struct{ Result int64 }

	structs := func() error {
		add, err := rustbridge.PodOf[Add, Sum](hello, "math.add")
		if err != nil {
			return err
		}
		sum, err := add.Call(ctx, Add{40, 2})
		fmt.Println(sum.Result) // 42
		return err
	}
	if err := structs(); err != nil {
		t.Fatal(err)
	}

	leased := func() error {
		large, err := hello.Method("bench.large")
		if err != nil {
			return err
		}
		lease, err := large.CallLease(ctx, []byte(`{"query_id":"a","filters":[],"page_size":1000}`))
		if err != nil {
			return err
		}
		defer lease.Close()
		_, err = lease.WriteTo(os.Stderr)
		return err
	}
	if err := leased(); err != nil {
		t.Fatal(err)
	}
}

func TestTheGuideTellsErrorsApart(t *testing.T) {
	hello := load(t, "hello", nil)
	ctx := context.Background()
	err := hello.Call(ctx, "math.add", map[string]int64{"a": 1<<63 - 1, "b": 1}, nil)
	if errors.Is(err, rustbridge.OutOfRange) {
		var failed *rustbridge.Error
		if errors.As(err, &failed) {
			fmt.Println(failed.Type, string(failed.Details)) // MathError.Overflow {"a":9223372036854775807,"b":1}
		}
	} else {
		t.Fatal(err)
	}
}

func TestTheGuideCarriesBegins(t *testing.T) {
	plugin := operations(t)
	run := func() error {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		var trailers rustbridge.Metadata
		ctx = rustbridge.WithMetadata(ctx, rustbridge.Metadata{{Key: "user", Value: []byte("ada")}})
		ctx = rustbridge.WithTrailers(ctx, &trailers)
		var carried struct {
			HasDeadline bool `json:"has_deadline"`
		}
		err := plugin.Call(ctx, "call.carried", nil, &carried)
		user, _ := trailers.Get("user")
		fmt.Println(carried.HasDeadline, string(user)) // true ada
		return err
	}
	if err := run(); err != nil {
		t.Fatal(err)
	}
	cancelled := func() error {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
		defer cancel()
		err := plugin.Call(ctx, "async.never", nil, nil)
		if errors.Is(err, context.DeadlineExceeded) {
			fmt.Println("it took too long")
			return nil
		}
		return err
	}
	if err := cancelled(); err != nil {
		t.Fatal(err)
	}
}

func TestTheGuideStreams(t *testing.T) {
	plugin := operations(t)
	ctx := within(t)
	out := func() error {
		numbers, err := plugin.Method("stream.numbers")
		if err != nil {
			return err
		}
		for number, err := range rustbridge.StreamOf[int](ctx, numbers, map[string]int{"from": 0, "to": 3}) {
			if err != nil {
				return err
			}
			fmt.Println(number)
		}
		return nil
	}
	if err := out(); err != nil {
		t.Fatal(err)
	}

	type Number struct {
		Value int `json:"value"`
	}

	in := func() error {
		sum, err := plugin.Method("items.sum")
		if err != nil {
			return err
		}
		double, err := plugin.Method("items.double")
		if err != nil {
			return err
		}
		items := rustbridge.Items(Number{20}, Number{22})
		total, err := rustbridge.SendOf[Number](ctx, sum, Number{0}, items)
		if err != nil {
			return err
		}
		fmt.Println(total.Value) // 42
		for doubled, err := range rustbridge.ExchangeOf[Number](ctx, double, nil, items) {
			if err != nil {
				return err
			}
			fmt.Println(doubled.Value)
		}
		return nil
	}
	if err := in(); err != nil {
		t.Fatal(err)
	}
}

func TestTheGuideServes(t *testing.T) {
	operations := library("operations")
	ctx := within(t)
	run := func() error {
		price := func(ctx context.Context, article int) (int, error) { return 10 * article, nil }
		shop, err := rustbridge.Load(operations, &rustbridge.Options{Services: map[string]rustbridge.Service{
			"prices.get":   rustbridge.JSONService(price),
			"prices.quote": rustbridge.JSONService(price),
			"prices.upper": {Encoding: rustbridge.Raw, Func: func(_ context.Context, request []byte) ([]byte, error) {
				return []byte(strings.ToUpper(string(request))), nil
			}},
		}})
		if err != nil {
			return err
		}
		defer shop.Close()
		var total int
		err = shop.Call(ctx, "service.total", []int{1, 2}, &total)
		fmt.Println(total) // 30
		if err != nil {
			return err
		}
		type userKey struct{}

		whose := func(ctx context.Context, article int) (int, error) {
			if ctx.Value(userKey{}) == "ada" {
				return 9 * article, nil
			}
			return 10 * article, nil
		}
		shared, err := rustbridge.Load(operations, &rustbridge.Options{Services: map[string]rustbridge.Service{
			"prices.get": rustbridge.JSONService(whose),
		}})
		if err != nil {
			return err
		}
		defer shared.Close()
		var price1, price2 int
		if err := shared.Call(context.WithValue(ctx, userKey{}, "ada"), "service.one", 1, &price1); err != nil {
			return err
		}
		if err := shared.Call(ctx, "service.one", 1, &price2); err != nil || price1 != 9 || price2 != 10 {
			t.Error(price1, price2, err)
		}
		return nil
	}
	if err := run(); err != nil {
		t.Fatal(err)
	}
}

func TestTheGuideIntercepts(t *testing.T) {
	operations := library("operations")
	timed := rustbridge.Interceptor{
		Call: func(ctx context.Context, method *rustbridge.Method, _ *rustbridge.Invocation, next func(context.Context) error) error {
			begun := time.Now()
			err := next(ctx)
			slog.Debug("called", "method", method.Name(), "took", time.Since(begun), "err", err)
			return err
		},
	}
	watched, err := rustbridge.Load(operations, &rustbridge.Options{Interceptors: []rustbridge.Interceptor{timed}})
	if err != nil {
		t.Fatal(err)
	}
	defer watched.Close()
	if err := watched.Call(within(t), "async.later", map[string]string{"text": "x"}, nil); err != nil {
		t.Error(err)
	}
}

func TestTheGuideHoldsObjects(t *testing.T) {
	plugin := operations(t)
	ctx := within(t)
	run := func() error {
		counter, err := plugin.Object(ctx, "counter.open", 40)
		if err != nil {
			return err
		}
		defer counter.Close()
		var value int
		if err := counter.Call(ctx, "Counter.add", 2, &value); err != nil {
			return err
		}
		fmt.Println(value) // 42
		total, err := plugin.Method("counter.total")
		if err != nil {
			return err
		}
		// The request refers to the borrowed objects by position.
		_, err = total.CallWith(ctx, []int{0}, &value, counter)
		return err
	}
	if err := run(); err != nil {
		t.Fatal(err)
	}
}

func TestTheGuideCloses(t *testing.T) {
	plugin, err := rustbridge.Load(library("hello"), nil)
	if err != nil {
		t.Fatal(err)
	}
	run := func() error {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		return plugin.CloseWith(ctx, rustbridge.CloseOptions{Cancel: true, CancelAfter: time.Second})
	}
	if err := run(); err != nil {
		t.Fatal(err)
	}
}
