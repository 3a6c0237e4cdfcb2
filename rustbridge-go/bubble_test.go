//go:build go1.25

package rustbridge_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestPlainCallsAreMadeInABubble(t *testing.T) {
	plugin := operations(t)
	sleep := method(t, plugin, "call.sleep")
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		// Longer than until its context is told.
		if _, err := sleep.CallJSON(ctx, `{"ms":20}`); err != nil {
			t.Error(err)
		}
		cancel()
		if _, err := sleep.CallJSON(ctx, `{"ms":20}`); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		time.Sleep(time.Hour)
	})
}
