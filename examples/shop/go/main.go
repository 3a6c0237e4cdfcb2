// The shop's host in Go: calls methods of a basket, serves prices, follows a parcel, and cancels a delivery.
//
// Usage: shop PATH-OF-SHOP-PLUGIN
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	rustbridge "github.com/rustbridge/rustbridge/rustbridge-go"
)

var (
	began    = time.Now()
	printing sync.Mutex
)

// tell prints an event, and the time since the program started.
func tell(what, text string, values ...any) {
	line, err := json.Marshal(map[string]any{
		"host": "Go", "transport": "cgo", "happened": what, "text": fmt.Sprintf(text, values...),
		"at_ms": time.Since(began).Milliseconds(),
	})
	check(err)
	// The lock keeps lines whole, because log records are printed on a log thread.
	printing.Lock()
	defer printing.Unlock()
	fmt.Println(string(line))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// show prints every record that arrives from the plugin.
type show struct{ slog.Handler }

func (s show) Handle(_ context.Context, record slog.Record) error {
	tell("log", "%s", record.Message)
	return nil
}

// price is a service. The plugin calls it, and waits for the result.
func price(_ context.Context, article string) (int, error) {
	cents := 120
	if article == "bread" {
		cents = 250
	}
	tell("callback", "the plugin asks the host for the price of %s: %d", article, cents)
	return cents, nil
}

func main() {
	ctx := context.Background()
	shop, err := rustbridge.Load(os.Args[1], &rustbridge.Options{
		Logger:   slog.New(show{slog.NewTextHandler(os.Stderr, nil)}),
		Services: map[string]rustbridge.Service{"prices.of": rustbridge.JSONService(price)},
	})
	check(err)
	defer shop.Close()

	// An object is a value that stays in the plugin. Closing it releases it.
	basket, err := shop.Object(ctx, "enter", nil)
	check(err)
	for _, article := range []string{"bread", "milk"} {
		var count int
		check(basket.Call(ctx, "Basket.put", article, &count))
		tell("object", "%s is put into the basket, which holds %d", article, count)
	}
	var total int
	check(basket.Call(ctx, "Basket.total", nil, &total))
	tell("object", "the basket costs %d in all", total)
	check(basket.Close())

	// A stream delivers each item as soon as it's ready.
	follow, err := shop.Method("follow")
	check(err)
	for place, err := range rustbridge.StreamOf[string](ctx, follow, 7) {
		check(err)
		tell("stream", "%s", place)
	}
	tell("stream", "that was the last")

	// A call that would take an hour, but is cancelled. In the plugin, its future is dropped while it waits.
	hour, cancel := context.WithCancel(ctx)
	tell("cancel", "a delivery begins that takes an hour")
	time.AfterFunc(20*time.Millisecond, cancel)
	err = shop.Call(hour, "deliver", 60, nil)
	if !errors.Is(err, context.Canceled) {
		check(fmt.Errorf("the delivery has ended otherwise: %w", err))
	}
	tell("cancel", "its context is cancelled, and the call ends: %v", err)
	check(shop.FlushLog(ctx))
}
