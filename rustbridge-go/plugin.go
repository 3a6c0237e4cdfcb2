package rustbridge

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rustbridge/rustbridge/rustbridge-go/internal/native"
)

// Options are the options for loading a plugin. The zero value means the defaults.
type Options struct {
	// Config is the plugin's configuration, marshalled by encoding/json. A json.RawMessage is passed unchanged. Nil
	// means {}.
	Config any
	// Name is the instance's name in messages. The default is the plugin's own name.
	Name string
	// Poison makes the instance refuse further calls after a panic. Otherwise it continues.
	Poison bool
	// Backtrace adds the Rust backtrace to the errors of panics.
	Backtrace bool
	// Threads is how many plain handlers of the plugin may run on threads of the library at once. These are offloaded
	// handlers, and handlers that wait for the items of a stream. Further calls wait. 0 means 512. Services run on
	// goroutines, which this doesn't limit.
	Threads uint32
	// OwnCopy maps a copy of the library for this instance only, for plugins with mutable state in statics.
	OwnCopy bool
	// Logger receives the plugin's records. Nil means slog.Default(). It's called on threads of the library, one record
	// at a time. A handler may panic, but it must not end its goroutine (runtime.Goexit, FailNow of a test), because Go
	// then ends the program.
	Logger *slog.Logger
	// LogLevel is the plugin's log level. Nil means the level that the logger enables when the plugin is loaded.
	LogLevel slog.Leveler
	// Services are functions that the plugin may call, by name. They are kept until the plugin is closed. So if a
	// service refers to the plugin itself, the garbage collector can't close the plugin.
	Services map[string]Service
	// ClientSchema is the client schema of a typed client.
	ClientSchema string
	// Codec encodes and decodes values as JSON. Nil means encoding/json.
	Codec Codec
	// Trace returns a context's trace, for example of OpenTelemetry. It replaces WithTrace.
	Trace func(context.Context) (Trace, bool)
	// Interceptors wrap each call and each stream. The first one is the outermost.
	Interceptors []Interceptor
}

// Plugin is one instance of a plugin. Close closes it. If it's dropped without Close, the garbage collector closes it.
type Plugin struct {
	instance uint64
	name     string
	codec    Codec
	// Added to entries that are called with what the codec has written.
	shared uint32
	trace  func(context.Context) (Trace, bool)
	// Whether there's more to a call than its request even with a context that has nothing.
	looksAtContext bool
	// Whether the plugin may call services, which see the values of their call's context.
	hasServices  bool
	interceptors []Interceptor
	isGone       atomic.Bool
	cleanup      runtime.Cleanup
	lent         lent
	methods      sync.Map
}

// Load loads the plugin at a path. The path may omit the system's prefix and suffix of libraries: "hello" finds
// libhello.so. Nil options mean the defaults.
//
// The library's code runs in this process, so load only libraries that you trust as much as your own code.
func Load(path string, options *Options) (*Plugin, error) {
	if path == "" {
		return nil, errorf(InvalidArgument, "rustbridge.InvalidPath", "the plugin's path is empty")
	}
	return load(&native.LoadSpec{Path: path}, options)
}

// LoadImage loads a plugin from the bytes of its library.
func LoadImage(image []byte, options *Options) (*Plugin, error) {
	if len(image) == 0 {
		return nil, errorf(InvalidArgument, "rustbridge.InvalidImage", "the plugin's image is empty")
	}
	return load(&native.LoadSpec{Image: image}, options)
}

// LoadContext loads a plugin like [Load], but waits only until the context is done. It then returns the context's
// error.
//
// The plugin's creation can't be interrupted. It continues, and the plugin is closed afterwards.
func LoadContext(ctx context.Context, path string, options *Options) (*Plugin, error) {
	if ctx == nil || ctx.Done() == nil {
		return Load(path, options)
	}
	if ctx.Err() != nil {
		return nil, endedBy(ctx)
	}
	type outcome struct {
		plugin *Plugin
		err    error
	}
	loaded := make(chan outcome)
	go func() {
		plugin, err := Load(path, options)
		select {
		case loaded <- outcome{plugin, err}:
		case <-ctx.Done():
			if err == nil {
				_ = plugin.Close()
			}
		}
	}()
	select {
	case made := <-loaded:
		return made.plugin, made.err
	case <-ctx.Done():
		return nil, endedBy(ctx)
	}
}

func load(loading *native.LoadSpec, options *Options) (*Plugin, error) {
	if err := open(); err != nil {
		return nil, err
	}
	if options == nil {
		options = &Options{}
	}
	plugin := &Plugin{codec: options.Codec, trace: options.Trace, interceptors: slices.Clone(options.Interceptors)}
	plugin.hasServices = len(options.Services) > 0
	plugin.looksAtContext = plugin.trace != nil || len(plugin.interceptors) > 0
	switch plugin.codec.(type) {
	case nil:
		plugin.codec = StandardCodec{}
	case StandardCodec:
	default:
		// Nobody knows what else it does with the bytes that it gives.
		plugin.shared = native.EntryShared
	}
	if err := configure(loading, options); err != nil {
		return nil, err
	}
	opening()
	logger := log(loading, options)
	if err := register(loading, options, logger); err != nil {
		native.ForgetSink(loading.Sink)
		gone()
		return nil, err
	}
	var result native.Result
	instance, status := native.Load(loading, &result)
	plugin.lent = lent{instance, loading.Sink, loading.FirstService, len(loading.Services)}
	if status != native.OK {
		plugin.lent.forget()
		gone()
		return nil, failed(&result)
	}
	plugin.instance = instance
	plugin.cleanup = runtime.AddCleanup(plugin, closeDropped, plugin.lent)
	plugin.name = options.Name
	if plugin.name == "" {
		var own native.Result
		if native.Name(instance, &own) != native.OK {
			err := failed(&own)
			_ = plugin.Close()
			return nil, err
		}
		memory := own.Memory()
		plugin.name = string(memory.Take(nil))
	}
	return plugin, nil
}

func configure(loading *native.LoadSpec, options *Options) error {
	loading.Name = options.Name
	loading.ClientSchema = options.ClientSchema
	loading.Threads = options.Threads
	for _, bit := range []struct {
		set  bool
		flag uint32
	}{
		{options.Poison, native.LoadPoison}, {options.Backtrace, native.LoadBacktrace}, {options.OwnCopy, native.LoadOwnCopy},
	} {
		if bit.set {
			loading.Flags |= bit.flag
		}
	}
	switch config := options.Config.(type) {
	case nil:
	case json.RawMessage:
		loading.Config, loading.HasConfig = append([]byte{}, config...), true
	default:
		text, err := json.Marshal(config)
		if err != nil {
			return errorf(InvalidArgument, "rustbridge.InvalidConfig", "the configuration can't be written as JSON: %v", err)
		}
		loading.Config, loading.HasConfig = text, true
	}
	return nil
}

// How long a plugin that was dropped open waits for what runs, and Close.
const closeTimeout = 10 * time.Second

// lent is what an instance has of this side, by numbers.
type lent struct {
	instance     uint64
	sink         uintptr
	firstService uint64
	services     int
}

// forget lets go of it, when the instance has ended.
func (l lent) forget() {
	native.ForgetSink(l.sink)
	for number := range l.services {
		services.byNumber.Delete(l.firstService + uint64(number))
	}
}

// closeDropped closes the instance of a plugin that the collector has found: nobody can call it any more.
func closeDropped(dropped lent) {
	go func() {
		var report native.Result
		if native.Close(dropped.instance, uint64(closeTimeout.Milliseconds()), true, 0, &report) == native.OK {
			dropped.forget()
			gone()
		}
		discard(&report)
	}()
}

// notLoaded is the error of a plugin that Load hasn't made: without one, the library may not even be open.
func notLoaded() *Error {
	return errorf(FailedPrecondition, "rustbridge.NotLoaded", "the Plugin wasn't returned by Load: load the plugin first")
}

// failed takes the error out of a result.
func failed(result *native.Result) *Error {
	memory := result.Memory()
	return errorOf(result.Status(), memory.Take(nil))
}

func discard(result *native.Result) {
	memory := result.Memory()
	memory.Release()
}

// Name returns the instance's name in messages.
func (p *Plugin) Name() string { return p.name }

// Describe returns the plugin's description as a JSON object: its methods with their encodings, schemas and layouts.
func (p *Plugin) Describe() (json.RawMessage, error) {
	if p.instance == 0 {
		return nil, notLoaded()
	}
	var result native.Result
	if native.Describe(p.instance, &result) != native.OK {
		return nil, failed(&result)
	}
	memory := result.Memory()
	runtime.KeepAlive(p)
	return memory.Take(nil), nil
}

// State is the state of an instance.
type State uint32

// The states.
const (
	Active   State = 1
	Poisoned State = 2
	Closing  State = 3
	Closed   State = 4
	// Forked is the state in the child of a fork.
	Forked State = 5
)

// String returns the state's name, or the number of a state that a newer native library has and this version doesn't know.
func (s State) String() string {
	if s < Active || s > Forked {
		return fmt.Sprintf("unknown (%d)", uint32(s))
	}
	return [...]string{"active", "poisoned", "closing", "closed", "forked"}[s-1]
}

// State returns the instance's current state.
func (p *Plugin) State() State {
	if p.instance == 0 {
		return Closed
	}
	var result native.Result
	state, status := native.State(p.instance, &result)
	if status != native.OK {
		discard(&result)
		return Closed
	}
	runtime.KeepAlive(p)
	return State(state)
}

// CloseOptions are the options for closing a plugin.
type CloseOptions struct {
	// Cancel requests the cancellation of pending calls, after CancelAfter.
	Cancel      bool
	CancelAfter time.Duration
}

// Close refuses new calls, ends streams, waits up to ten seconds for running and pending calls, delivers the log, and
// destroys the instance.
//
// If calls still run after that, the error is DEADLINE_EXCEEDED and names them. The instance stays closing, and another
// Close continues to wait. Closing a closed plugin isn't an error.
func (p *Plugin) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	return p.CloseWith(ctx, CloseOptions{})
}

// CloseWith closes the plugin like Close, and waits until the context's deadline. Without a deadline, it waits without
// limit. Once it waits, it ignores the context's cancellation.
//
// If the context is that of a service for which this plugin waits, the error is FAILED_PRECONDITION, because the plugin
// would wait for itself.
func (p *Plugin) CloseWith(ctx context.Context, options CloseOptions) error {
	if p.instance == 0 {
		return notLoaded()
	}
	if ctx == nil {
		ctx = context.Background()
	}
	if found := carriedBy(ctx); found != nil && found.service != nil && found.service.instance == p.instance {
		return errorf(FailedPrecondition, "rustbridge.CloseInsideCall",
			"the plugin %q is waiting for the service that closes it: close it after the service has returned", p.name)
	}
	timeout := native.Forever
	if deadline, ok := ctx.Deadline(); ok {
		timeout = milliseconds(time.Until(deadline))
	}
	var report native.Result
	status := native.Close(p.instance, timeout, options.Cancel, milliseconds(options.CancelAfter), &report)
	if status == native.OK {
		discard(&report)
		p.cleanup.Stop()
		p.lent.forget()
		if p.isGone.CompareAndSwap(false, true) {
			gone()
		}
		return nil
	}
	err := failed(&report)
	if err.Code == Unavailable && p.State() == Closed {
		return nil
	}
	runtime.KeepAlive(p)
	return err
}

// milliseconds rounds up, so that what waits doesn't end before its time.
func milliseconds(duration time.Duration) uint64 {
	if duration <= 0 {
		return 0
	}
	return uint64((duration-1)/time.Millisecond) + 1
}

// Inspect returns the core's registry as JSON: the mapped libraries and all live instances. It's for debugging and
// tests.
func Inspect() (json.RawMessage, error) {
	if err := open(); err != nil {
		return nil, err
	}
	var result native.Result
	if native.Inspect(&result) != native.OK {
		return nil, failed(&result)
	}
	memory := result.Memory()
	return memory.Take(nil), nil
}
