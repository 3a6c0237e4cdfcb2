package rustbridge_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	rustbridge "github.com/rustbridge/rustbridge/rustbridge-go"
)

const leaver = "RUSTBRIDGE_TEST_LEAVER"

// In a process of its own, where no other test has plugins open.
func TestNoGoroutineStaysWhenTheLastPluginIsClosed(t *testing.T) {
	if os.Getenv(leaver) == "" {
		child := exec.CommandContext(within(t), os.Args[0], "-test.run=^TestNoGoroutineStaysWhenTheLastPluginIsClosed$")
		child.Env = append(os.Environ(), leaver+"=1")
		if said, err := child.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		return
	}
	// Twice, since what has ended begins again with the next plugin.
	for range 2 {
		plugin, err := rustbridge.Load(library("operations"), &rustbridge.Options{Services: map[string]rustbridge.Service{
			"prices.get": {Func: func(context.Context, []byte) ([]byte, error) { return []byte("3"), nil }},
		}})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		for _, each := range []struct{ method, request string }{
			{"call.sleep", `{"ms":5}`}, {"async.later", `{"text":"x"}`}, {"service.one", "1"},
		} {
			if _, err := method(t, plugin, each.method).CallJSON(ctx, each.request); err != nil {
				t.Fatal(each.method, err)
			}
		}
		for range method(t, plugin, "stream.ticks").Stream(ctx, []byte(`{"from":0,"to":100000}`)) {
			break
		}
		given := make(chan error)
		go func() { given <- plugin.Call(ctx, "async.never", nil, nil) }()
		time.AfterFunc(5*time.Millisecond, cancel)
		if err := <-given; !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if err := plugin.Close(); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(soon); ; time.Sleep(5 * time.Millisecond) {
			left := ours()
			if left == "" {
				break
			}
			if time.Now().After(deadline) {
				t.Fatal(left)
			}
		}
		for _, call := range []string{"async.later", "call.sleep"} {
			if err := plugin.Call(context.Background(), call, map[string]any{"text": "x", "ms": 1}, nil); !errors.Is(err, rustbridge.Unavailable) {
				t.Error(call, err)
			}
		}
	}
}

// ours gives the stacks of goroutines that the package has begun.
func ours() string {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	var left []string
	for _, stack := range strings.Split(string(stacks), "\n\n") {
		if strings.Contains(stack, "created by github.com/rustbridge/rustbridge/rustbridge-go") && !strings.Contains(stack, "_test.") {
			left = append(left, stack)
		}
	}
	return strings.Join(left, "\n\n")
}

// Whichever side sees first that the time is over, it's one error, and the context's own.
func TestAnErrorOfAContextIsTheContexts(t *testing.T) {
	plugin := operations(t)
	why := errors.New("the user has left")
	for name, request := range map[string]any{"async.never": nil, "call.sleep": map[string]int{"ms": 60000}} {
		ctx, cancel := context.WithCancelCause(context.Background())
		time.AfterFunc(5*time.Millisecond, func() { cancel(why) })
		err := plugin.Call(ctx, name, request, nil)
		if !errors.Is(err, why) || !errors.Is(err, context.Cause(ctx)) || !errors.Is(err, context.Canceled) || !errors.Is(err, rustbridge.Canceled) {
			t.Error(name, err)
		}
		for range 20 {
			ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
			err := plugin.Call(ctx, name, request, nil)
			cancel()
			var told *rustbridge.Error
			if !errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &told) || told.Type != "rustbridge.Context" {
				t.Fatal(name, err)
			}
		}
	}
	past, cancel := context.WithDeadline(context.Background(), time.Now().Add(-time.Second))
	defer cancel()
	var told *rustbridge.Error
	if err := plugin.Call(past, "async.never", nil, nil); !errors.As(err, &told) || told.Type != "rustbridge.Context" {
		t.Error(err)
	}
}

func TestItemsThatAreNilAreRefused(t *testing.T) {
	plugin := operations(t)
	refused := func(what string, err error) {
		var told *rustbridge.Error
		if !errors.As(err, &told) || told.Type != "rustbridge.NoItems" {
			t.Error(what, err)
		}
	}
	sum := method(t, plugin, "headers.sum")
	_, err := sum.Send(within(t), nil, nil)
	refused("Send", err)
	_, err = rustbridge.SendOf[int, int](within(t), sum, nil, nil)
	refused("SendOf", err)
	for _, err := range method(t, plugin, "headers.double").Exchange(within(t), nil, nil) {
		refused("Exchange", err)
	}
}

func TestLoadingEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	plugin, err := rustbridge.LoadContext(ctx, library("hello"), nil)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := plugin.Call(context.Background(), "greet", map[string]string{"name": "Ada"}, nil); err != nil {
		t.Error(err)
	}
	if err := plugin.Close(); err != nil {
		t.Error(err)
	}
	if _, err := rustbridge.LoadContext(ctx, library("hello"), nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A project that vendors the module builds, and one without cgo is told what it lacks.
func TestTheModuleIsVendoredAndSaysThatItNeedsCgo(t *testing.T) {
	if testing.Short() {
		t.Skip("with -short nothing is run that builds other programs: the suite go runs it")
	}
	if runtime.GOOS == "windows" {
		t.Skip("it builds a program, and the tests for Windows have no Go toolchain")
	}
	// A build without anything in Go's cache takes its time on a busy machine.
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module probe\n\ngo 1.24\n\nrequire github.com/rustbridge/rustbridge/rustbridge-go v0.0.0\n\n" +
			"replace github.com/rustbridge/rustbridge/rustbridge-go => \"" + filepath.ToSlash(here) + "\"\n",
		"main.go": "package main\n\nimport rustbridge \"github.com/rustbridge/rustbridge/rustbridge-go\"\n\nfunc main() { _, _ = rustbridge.LibraryVersion() }\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(cgo string, arguments ...string) (string, error) {
		command := exec.CommandContext(ctx, "go", arguments...)
		command.Dir = folder
		command.Env = append(os.Environ(), "CGO_ENABLED="+cgo, "GOFLAGS=-mod=mod", "GOWORK=off")
		if arguments[0] != "mod" {
			command.Env = append(command.Env, "GOFLAGS=-mod=vendor")
		}
		said, err := command.CombinedOutput()
		return string(said), err
	}
	if said, err := run("1", "mod", "vendor"); err != nil {
		t.Fatal(err, said)
	}
	if said, err := run("1", "build", "-o", "probe", "."); err != nil {
		t.Error(err, said)
	}
	if said, err := run("0", "build", "-o", "probe", "."); err == nil || !strings.Contains(said, "rustbridge_needs_cgo") {
		t.Error(err, said)
	}
}

func TestSendingToAMethodThatAnswersWithAStreamNamesTheOtherCall(t *testing.T) {
	plugin := load(t, "operations", nil)
	method, err := plugin.Method("items.double")
	if err != nil {
		t.Fatal(err)
	}
	_, err = rustbridge.SendOf[uint64](context.Background(), method, nil, func(yield func(int, error) bool) { yield(1, nil) })
	var failed *rustbridge.Error
	if !errors.As(err, &failed) || failed.Code != rustbridge.Unimplemented || !strings.Contains(failed.Message, "ExchangeOf") {
		t.Error(err)
	}
}
