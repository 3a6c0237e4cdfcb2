// Tests of the client that `rustbridge gen -l go` writes of gallery-plugin, whose types are those of the client of fixtures-plugin.
package gallery

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"
	"time"

	rustbridge "github.com/rustbridge/rustbridge/rustbridge-go"
	"github.com/rustbridge/rustbridge/rustbridge-go/internal/clients/fixtures"
)

// folder is where plugins and librustbridge are built.
func folder() string {
	if given := os.Getenv("RUSTBRIDGE_PLUGIN_DIR"); given != "" {
		return given
	}
	_, here, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(here), "..", "..", "..", "..", "target", "release")
}

func TestMain(m *testing.M) {
	if os.Getenv("RUSTBRIDGE_LIBRARY") == "" {
		os.Setenv("RUSTBRIDGE_LIBRARY", folder())
	}
	os.Exit(m.Run())
}

// both returns a client of each plugin, and a context with a time limit.
func both(t *testing.T) (*fixtures.Fixtures, *Gallery, context.Context) {
	t.Helper()
	quiet := rustbridge.Options{LogLevel: rustbridge.LevelOff}
	one, err := fixtures.Load(filepath.Join(folder(), "fixtures_plugin"), &quiet, fixtures.Services{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = one.Close() })
	other, err := Load(filepath.Join(folder(), "gallery_plugin"), &quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.Close() })
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	return one, other, ctx
}

func frame() fixtures.Frame {
	title := "The sea"
	frame := fixtures.Frame{
		Outline: fixtures.OutlinePolygon{Value: []Spot{{X: 1, Y: 2}}},
		Sides:   map[string]Colour{"top": ColourDeepBlue},
		Title:   &title,
	}
	frame.Corners.Item1, frame.Corners.Item2 = Spot{X: 1, Y: 2}, Spot{X: 3, Y: 4}
	return frame
}

func TestValuesOfOnePluginArePassedToAnother(t *testing.T) {
	one, other, ctx := both(t)
	turned, err := one.TurnedFrame(ctx, frame())
	if err != nil {
		t.Fatal(err)
	}
	var corner fixtures.Spot
	if corner, err = other.Hang(ctx, turned); err != nil || corner != (Spot{X: 3, Y: 4}) {
		t.Error(corner, err)
	}
	hung, err := other.WithColour(ctx, fixtures.ColourDeepBlue)
	if err != nil || len(hung) != 1 || !reflect.DeepEqual(hung[0], turned) {
		t.Error(hung, err)
	}
	if again, err := one.TurnedFrame(ctx, hung[0]); err != nil || again.Corners != frame().Corners {
		t.Error(again, err)
	}
	around, err := other.Around(ctx, []fixtures.Spot{corner})
	if err != nil || around != (fixtures.Outline)(OutlineCircle{Centre: corner, Radius: 1}) {
		t.Error(around, err)
	}
	if bill, err := other.Bill(ctx, 2); err != nil || bill != (Bill{Cents: 1000}) {
		t.Error(bill, err)
	}
}

func TestErrorsOfOnePluginAreThoseOfAnother(t *testing.T) {
	one, other, ctx := both(t)
	outside := frame()
	outside.Corners.Item1.X = -1
	_, err := other.Hang(ctx, outside)
	var failed *fixtures.SpriteFailure
	if !errors.As(err, &failed) || failed.Reason != (SpriteError)(fixtures.SpriteErrorOutside{X: -1, Y: 2}) {
		t.Error(err)
	}

	// The host returns an error of one plugin to the other, which returns it.
	guard := GuardFunc(func(ctx context.Context, person Person, to Spot) (Spot, error) {
		_, err := fixtures.NewSprite(ctx, one, "", nil)
		return to, err
	})
	_, err = other.Visit(ctx, fixtures.Person{Name: "Ada", Age: 36}, Spot{X: 1, Y: 1}, guard)
	var unnamed *SpriteFailure
	if !errors.As(err, &unnamed) || unnamed.Reason != (SpriteError)(SpriteErrorUnnamed{}) {
		t.Error(err)
	}
	if !errors.Is(err, rustbridge.InvalidArgument) {
		t.Error(err)
	}
}
