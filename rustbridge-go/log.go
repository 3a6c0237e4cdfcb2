package rustbridge

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"sort"
	"time"

	"github.com/rustbridge/rustbridge/rustbridge-go/internal/native"
)

// LevelTrace is the level of a plugin's most detailed records.
const LevelTrace = slog.Level(-8)

// LevelOff is above all levels, and disables logging.
const LevelOff = slog.Level(1 << 20)

// The levels of the ABI, from 1.
var levels = [...]slog.Level{slog.LevelError, slog.LevelWarn, slog.LevelInfo, slog.LevelDebug, LevelTrace}

// levelCode is the level of the ABI up to which records are wanted, if slog's is the least that is.
func levelCode(level slog.Level) uint32 {
	code := uint32(0)
	for _, one := range levels {
		if level <= one {
			code++
		}
	}
	return code
}

// log says where records go, and gives the handler for those of this package; nil if none are wanted.
func log(loading *native.LoadSpec, options *Options) slog.Handler {
	logger := options.Logger
	if logger == nil {
		logger = slog.Default()
	}
	handler := logger.Handler()
	if options.LogLevel != nil {
		loading.LogLevel = levelCode(options.LogLevel.Level())
	} else {
		for _, level := range levels {
			if handler.Enabled(context.Background(), level) {
				loading.LogLevel++
			}
		}
	}
	loading.Sink = native.NewSink(func(record *native.Record) { deliver(handler, record) })
	if loading.LogLevel == 0 {
		return nil
	}
	return handler
}

// deliver gives a record to a handler. A handler that panics harms no call, and is told of on the standard error.
func deliver(handler slog.Handler, record *native.Record) {
	defer func() {
		if cause := recover(); cause != nil {
			fmt.Fprintf(os.Stderr, "rustbridge: a log handler panicked: %v\n", cause)
		}
	}()
	level := slog.LevelError
	if record.Level >= 1 && int(record.Level) <= len(levels) {
		level = levels[record.Level-1]
	}
	ctx := context.Background()
	if record.TraceID != [16]byte{} {
		ctx = WithTrace(ctx, Trace{TraceID: record.TraceID, SpanID: record.SpanID})
	}
	if !handler.Enabled(ctx, level) {
		return
	}
	told := slog.NewRecord(record.Time, level, record.Message, 0)
	told.AddAttrs(slog.String("plugin", record.Instance), slog.String("target", record.Target))
	if record.IsSpan {
		told.AddAttrs(slog.Duration("duration", record.Duration))
	}
	told.AddAttrs(attributes(record.Fields)...)
	if record.Spans != "" && record.Spans != "[]" {
		told.AddAttrs(slog.Any("spans", json.RawMessage(record.Spans)))
	}
	if err := handler.Handle(ctx, told); err != nil {
		fmt.Fprintf(os.Stderr, "rustbridge: a log handler failed: %v\n", err)
	}
}

// attributes gives a record's fields, by name.
func attributes(fields string) []slog.Attr {
	if fields == "" || fields == "{}" {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader([]byte(fields)))
	decoder.UseNumber()
	var values map[string]any
	if decoder.Decode(&values) != nil {
		return []slog.Attr{slog.String("fields", fields)}
	}
	made := make([]slog.Attr, 0, len(values))
	for name, value := range values {
		if number, ok := value.(json.Number); ok {
			if whole, err := number.Int64(); err == nil {
				value = whole
			} else if float, err := number.Float64(); err == nil {
				value = float
			}
		}
		made = append(made, slog.Any(name, value))
	}
	sort.Slice(made, func(i, j int) bool { return made[i].Key < made[j].Key })
	return made
}

// SetLogLevel sets the plugin's log level. LevelOff disables logging.
func (p *Plugin) SetLogLevel(level slog.Leveler) error {
	if level == nil {
		return errorf(InvalidArgument, "rustbridge.InvalidLevel", "the level is nil")
	}
	if p.instance == 0 {
		return notLoaded()
	}
	var result native.Result
	if native.SetLogLevel(p.instance, levelCode(level.Level()), &result) != native.OK {
		return failed(&result)
	}
	runtime.KeepAlive(p)
	return nil
}

// FlushLog waits until all records that were logged so far have been delivered. It waits for up to ten seconds, or
// until the context's deadline.
func (p *Plugin) FlushLog(ctx context.Context) error {
	if p.instance == 0 {
		return notLoaded()
	}
	timeout := milliseconds(closeTimeout)
	if ctx != nil {
		if deadline, ok := ctx.Deadline(); ok {
			timeout = milliseconds(time.Until(deadline))
		}
	}
	var result native.Result
	if native.FlushLog(p.instance, timeout, &result) != native.OK {
		return failed(&result)
	}
	runtime.KeepAlive(p)
	return nil
}
