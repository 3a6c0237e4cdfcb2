package rustbridge

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rustbridge/rustbridge/rustbridge-go/internal/native"
)

// Service is a function that a plugin calls, with its encoding.
//
// Each call runs on a goroutine of its own. Its context has the caller's deadline, cancellation, trace and metadata
// ([MetadataOf]), and the values of the context with which the plugin was called. Calls that the function makes with
// this context inherit the deadline, cancellation, trace and values.
//
// The plugin receives the function's error: an [Error] unchanged, a [Code] or Go's own error of the same meaning as
// that code, any other error as INTERNAL with its Go type. The same applies to panics.
type Service struct {
	// Encoding is the encoding of request and response. The zero value is JSON.
	Encoding Encoding
	// Func returns the response. It may keep the request.
	Func func(ctx context.Context, request []byte) ([]byte, error)
	// Replaces Func for a service that releases an object of the host. It returns quickly and doesn't panic.
	release func(number uint64)
}

func init() {
	native.ReleaseService = func(release func(number uint64)) any {
		return Service{Encoding: Wire, release: release}
	}
}

// JSONService returns a service for a function with values, encoded and decoded by encoding/json.
func JSONService[Request, Response any](function func(context.Context, Request) (Response, error)) Service {
	return Service{Func: func(ctx context.Context, data []byte) ([]byte, error) {
		var request Request
		if err := json.Unmarshal(data, &request); err != nil {
			return nil, errorf(InvalidArgument, "rustbridge.InvalidRequest", "the service can't read its request: %v", err)
		}
		response, err := function(ctx, request)
		if err != nil {
			return nil, err
		}
		return json.Marshal(response)
	}}
}

// serviceCall is what a service's context knows of the call that it answers.
type serviceCall struct {
	instance uint64
	metadata Metadata
}

// How many services may be inside calls of one plugin at once, which may be asking them in turn: the core counts how deep calls are nested on
// a thread, and here each has a thread of its own.
const nestedLimit = 64

// How many services' functions may run at once.
const runningLimit = 1 << 16

// nested counts, by a plugin's instance, the services that are inside calls of it.
var nested struct {
	lock sync.Mutex
	in   map[uint64]int
}

// enter notes that the service calls an instance, and gives what ends it.
func (c *serviceCall) enter(instance uint64) func() {
	add := func(count int) {
		nested.lock.Lock()
		defer nested.lock.Unlock()
		if nested.in == nil {
			nested.in = map[uint64]int{}
		}
		if nested.in[instance] += count; nested.in[instance] == 0 {
			delete(nested.in, instance)
		}
	}
	add(1)
	return func() { add(-1) }
}

func isNestedTooDeep(instance uint64) bool {
	nested.lock.Lock()
	defer nested.lock.Unlock()
	return nested.in[instance] >= nestedLimit
}

// MetadataOf returns the metadata of the call that a service answers.
func MetadataOf(ctx context.Context) Metadata {
	if ctx == nil {
		return nil
	}
	if found := carriedBy(ctx); found != nil && found.service != nil {
		return found.service.metadata
	}
	return nil
}

// services are those that are registered, by number, and those that run.
var services struct {
	last     atomic.Uint64
	byNumber sync.Map // number: *registered
	running  sync.Map // the call's number: context.CancelFunc
	count    atomic.Int32
}

type registered struct {
	name     string
	function func(context.Context, []byte) ([]byte, error)
	release  func(number uint64)
	// Where errors without a status are told of, and the plugin's name there.
	logger slog.Handler
	plugin string
}

// register gives numbers to services, and says of them what the library has to know.
func register(loading *native.LoadSpec, options *Options, logger slog.Handler) error {
	given := options.Services
	if len(given) == 0 {
		return nil
	}
	queue, err := serviceQueue()
	if err != nil {
		return err
	}
	for name, service := range given {
		if service.Func == nil && service.release == nil {
			return errorf(InvalidArgument, "rustbridge.InvalidService", "the service %q has no function: set Func", name)
		}
	}
	loading.Queue = queue
	loading.FirstService = services.last.Add(uint64(len(given))) - uint64(len(given)) + 1
	number := loading.FirstService
	for name, service := range given {
		loading.Services = append(loading.Services, native.Service{Name: name, Encoding: uint32(service.Encoding)})
		services.byNumber.Store(number, &registered{name, service.Func, service.release, logger, options.Name})
		number++
	}
	return nil
}

// serve drains the services' queue, on a thread of its own: the core takes the last thread that drained for one that mustn't wait for a
// service, and goroutines that call plugins may run on any other.
func serve(queue uint64) {
	runtime.LockOSThread()
	drainer := native.NewDrainer(queue)
	defer drainer.Free()
	for {
		count, status := drainer.Next(native.Forever)
		if status != native.OK {
			return
		}
		for index := range count {
			asked(drainer.Event(index))
		}
	}
}

func asked(event *native.Event) {
	number := event.Op()
	if event.Kind() == native.EventServiceCancel {
		if cancel, ok := services.running.Load(number); ok {
			cancel.(context.CancelFunc)()
		}
		return
	}
	if event.Kind() != native.EventService {
		event.Drop()
		return
	}
	var header native.CallData
	hasHeader := event.CallData(&header)
	instance := event.Instance()
	found, ok := services.byNumber.Load(event.UserData())
	request := event.Take()
	switch {
	case !ok:
		refuse(number, errorf(Unavailable, "rustbridge.Closed", "the service is no longer registered: the plugin was closed"))
		return
	case found.(*registered).release != nil:
		// It runs on this goroutine, so that no limit applies: the plugin wouldn't call again after a refusal.
		if len(request) == 8 {
			found.(*registered).release(binary.LittleEndian.Uint64(request))
		}
		native.Reply(number, native.OK, nil)
		return
	case isNestedTooDeep(instance):
		refuse(number, errorf(ResourceExhausted, "rustbridge.NestedTooDeep",
			"%d services are running inside calls of this plugin, which is the limit: check for a recursion between plugin and service", nestedLimit))
		return
	case services.count.Load() >= runningLimit:
		refuse(number, errorf(ResourceExhausted, "rustbridge.TooManyServices", "%d services are running, which is the limit: check for a recursion between plugin and service", runningLimit))
		return
	}
	if request == nil {
		request = []byte{}
	}
	beside := carried{service: &serviceCall{instance: instance}}
	timeout, hasTimeout := time.Duration(0), false
	if hasHeader {
		timeout, hasTimeout = header.Timeout()
		if header.Flags&native.HeaderTrace != 0 {
			beside.hasTrace = true
			beside.trace = Trace{header.TraceID, header.SpanID, byte(header.TraceFlags & math.MaxUint8), header.TraceState}
		}
		beside.service.metadata = unpack(header.Metadata)
	}
	ctx := context.WithValue(callerContext(header.Number), carriedKey{}, &beside)
	var cancel context.CancelFunc
	if hasTimeout {
		ctx, cancel = context.WithTimeout(ctx, timeout)
	} else {
		ctx, cancel = context.WithCancel(ctx)
	}
	// Before anything that's told of its cancellation is fetched.
	services.running.Store(number, cancel)
	services.count.Add(1)
	go found.(*registered).run(ctx, cancel, number, request)
}

func refuse(number uint64, err *Error) {
	code, payload := payloadOf(err)
	native.Reply(number, int32(code), payload)
}

// run answers a call, whatever its function does.
func (r *registered) run(ctx context.Context, cancel context.CancelFunc, number uint64, request []byte) {
	answer, err := []byte(nil), error(errorf(Internal, "rustbridge.Goexit", "the service %q ended its goroutine (runtime.Goexit)", r.name))
	isTold := false
	defer func() {
		// An error whose methods end the goroutine.
		if !isTold {
			native.Reply(number, int32(Internal), nil)
		}
	}()
	defer func() {
		if cause := recover(); cause != nil {
			answer, err = nil, panicked(cause)
		}
		services.running.Delete(number)
		services.count.Add(-1)
		cancel()
		if err != nil {
			r.logFailure(ctx, err)
			code, payload := payloadOf(err)
			native.Reply(number, int32(code), payload)
		} else {
			// Nobody may be waiting for it any more.
			native.Reply(number, native.OK, answer)
		}
		isTold = true
	}()
	answer, err = r.function(ctx, request)
}

func panicked(cause any) *Error {
	kind := "panic"
	if err, ok := cause.(error); ok {
		kind = fmt.Sprintf("%T", err)
	}
	made := errorf(Internal, kind, "%s", panicText(cause))
	made.cause = &PanicError{cause, debug.Stack()}
	return made
}

func panicText(value any) string {
	return fmt.Sprintf("%v", value)
}

// logFailure tells of an error that has no status, with the stack if there is one. What the error's own methods, or the handler's, panic with is
// nobody's.
func (r *registered) logFailure(ctx context.Context, err error) {
	defer func() { _ = recover() }()
	if r.logger == nil || hasStatus(err) || !r.logger.Enabled(ctx, slog.LevelError) {
		return
	}
	told := slog.NewRecord(time.Now(), slog.LevelError, fmt.Sprintf("the service %q failed", r.name), 0)
	told.AddAttrs(slog.String("target", "rustbridge"), slog.Any("error", err))
	if r.plugin != "" {
		told.AddAttrs(slog.String("plugin", r.plugin))
	}
	var panicked *PanicError
	if errors.As(err, &panicked) {
		told.AddAttrs(slog.String("stack", string(panicked.Stack)))
	}
	_ = r.logger.Handle(ctx, told)
}
