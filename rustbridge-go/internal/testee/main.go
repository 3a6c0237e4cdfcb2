// The testee in Go: does what the judge of the conformance cases tells it, and says what came of it. conformance/protocol.md has both sides.
package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"time"

	rustbridge "github.com/rustbridge/rustbridge/rustbridge-go"
)

const hello = `protocol 1
host go/cgo
offers header
offers operations
offers offload
offers services
offers objects
offers exceptions
way raw misalign
way append misalign
way into storage=70000 misalign
way lease misalign
way invoke misalign
way text text
way values value
`

// breach is the status for what only the testee can see to be wrong.
const breach = -1 << 31

type testee struct {
	commands *bufio.Reader
	results  *bufio.Writer
	plugins  map[byte]*rustbridge.Plugin
	records  map[byte]*recorder
	methods  []*rustbridge.Method
	calls    *calls
	offered  map[byte][]*offered
	asked    map[byte]*asked
}

func main() {
	// Whatever else is printed must not get between the results.
	results := os.Stdout
	os.Stdout = os.Stderr
	one := &testee{
		commands: bufio.NewReader(os.Stdin), results: bufio.NewWriter(results),
		plugins: map[byte]*rustbridge.Plugin{}, records: map[byte]*recorder{}, calls: newCalls(),
		offered: map[byte][]*offered{}, asked: map[byte]*asked{},
	}
	for {
		letter, err := one.commands.ReadByte()
		if err == io.EOF {
			return
		}
		one.give(letter, one.command(letter))
	}
}

// give writes a result.
func (t *testee) give(letter byte, act func() ([]byte, error)) {
	status, content := int32(0), []byte(nil)
	func() {
		defer func() {
			if cause := recover(); cause != nil {
				status, content = breach, fmt.Appendf(nil, "%v\n%s", cause, debug.Stack())
			}
		}()
		answer, err := act()
		var failed *rustbridge.Error
		switch {
		case errors.As(err, &failed):
			status, content = int32(failed.Code), fields(failed)
		case err != nil:
			status, content = breach, []byte(err.Error())
		default:
			content = answer
		}
	}()
	t.results.WriteByte(letter)
	binary.Write(t.results, binary.LittleEndian, status)
	t.results.Write(sized(nil, content))
	t.results.Flush()
}

func (t *testee) u8() byte {
	value, err := t.commands.ReadByte()
	check(err)
	return value
}

func (t *testee) u32() uint32 {
	var value uint32
	check(binary.Read(t.commands, binary.LittleEndian, &value))
	return value
}

func (t *testee) u64() uint64 {
	var value uint64
	check(binary.Read(t.commands, binary.LittleEndian, &value))
	return value
}

func (t *testee) bytes() []byte {
	content := make([]byte, t.u64())
	_, err := io.ReadFull(t.commands, content)
	check(err)
	return content
}

func (t *testee) text() string { return string(t.bytes()) }

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func sized(to, content []byte) []byte {
	return append(binary.LittleEndian.AppendUint64(to, uint64(len(content))), content...)
}

func texts(all ...string) []byte {
	var written []byte
	for _, one := range all {
		written = sized(written, []byte(one))
	}
	return written
}

// fields gives an error as a user sees it.
func fields(failed *rustbridge.Error) []byte {
	details := string(failed.Details)
	if details == "{}" {
		details = ""
	}
	return texts(failed.Message, failed.Type, details, failed.Backtrace)
}

// command reads a command whole, so that whatever it leads to, the next one begins where it ends.
func (t *testee) command(letter byte) func() ([]byte, error) {
	if letter == 'H' {
		return func() ([]byte, error) { return []byte(hello), nil }
	}
	number := t.u8()
	switch letter {
	case 'L':
		return t.loading(number)
	case 'P':
		name, _, encoding := t.text(), t.u32(), t.text()
		return t.preparing(number, func(plugin *rustbridge.Plugin) (*rustbridge.Method, error) {
			return plugin.MethodIn(name, encodings[encoding])
		})
	case 'I':
		id, _, encoding := t.u32(), t.u32(), t.text()
		return t.preparing(number, func(plugin *rustbridge.Plugin) (*rustbridge.Method, error) {
			return plugin.MethodID(id, encodings[encoding])
		})
	case 'C':
		method, way, _ := t.u32(), t.u8(), t.u8()
		capacity, misalign, request := t.u64(), t.u8(), t.bytes()
		return func() ([]byte, error) { return ways[way](t.methods[method], request, int(capacity), int(misalign)) }
	case 'X', 'Y':
		wait, options := t.u64(), rustbridge.CloseOptions{}
		if letter == 'Y' {
			options = rustbridge.CloseOptions{Cancel: true, CancelAfter: time.Duration(t.u64()) * time.Millisecond}
		}
		return func() ([]byte, error) {
			ctx, cancel := context.WithTimeout(context.Background(), time.Duration(min(wait, 1<<32))*time.Millisecond)
			defer cancel()
			if t.plugins[number].State() == rustbridge.Closed {
				// Closing again is no error of the package's.
				return nil, &rustbridge.Error{Code: rustbridge.Unavailable}
			}
			return nil, t.plugins[number].CloseWith(ctx, options)
		}
	case 'S':
		return func() ([]byte, error) { return []byte(t.plugins[number].State().String()), nil }
	case 'V':
		level := t.text()
		return func() ([]byte, error) { return nil, t.plugins[number].SetLogLevel(levels[level]) }
	case 'F':
		return func() ([]byte, error) { return t.flush(number) }
	case 'D':
		return func() ([]byte, error) { return nil, t.drop(number) }
	case 'R':
		one := &offered{testee: t, number: number, name: t.text()}
		t.u32()
		one.encoding, one.mode, one.status, one.answer = encodings[t.text()], t.u8(), t.u32(), t.bytes()
		return func() ([]byte, error) { t.offered[number] = append(t.offered[number], one); return nil, nil }
	case 'A':
		return func() ([]byte, error) { return t.asked[number].take(), nil }
	}
	return t.operation(letter)
}

var encodings = map[string]rustbridge.Encoding{
	"json": rustbridge.JSON, "raw": rustbridge.Raw, "pod": rustbridge.Pod, "msgpack": rustbridge.MessagePack,
	"bincode": rustbridge.Bincode, "postcard": rustbridge.Postcard, "wire": rustbridge.Wire,
}

var levels = map[string]slog.Level{
	"OFF": rustbridge.LevelOff, "ERROR": slog.LevelError, "WARN": slog.LevelWarn, "INFO": slog.LevelInfo, "DEBUG": slog.LevelDebug,
	"TRACE": rustbridge.LevelTrace,
}

func (t *testee) loading(number byte) func() ([]byte, error) {
	path, form, config := t.text(), t.u8(), t.bytes()
	poison, level, withSink := t.u8() != 0, t.text(), t.u8() != 0
	return func() ([]byte, error) {
		recorder := &recorder{}
		options := &rustbridge.Options{
			Poison: poison, Logger: slog.New(recorder), LogLevel: levels[level], Codec: exact{}, Services: map[string]rustbridge.Service{},
		}
		if !withSink {
			options.LogLevel = rustbridge.LevelOff
		}
		if form != 0 {
			options.Config = json.RawMessage(config)
		}
		noted := &asked{}
		for _, one := range t.offered[number] {
			one.asked = noted
			options.Services[one.name] = rustbridge.Service{Encoding: one.encoding, Func: one.answered}
		}
		delete(t.offered, number)
		t.asked[number] = noted
		t.records[number] = recorder
		plugin, err := rustbridge.Load(path, options)
		if err == nil {
			t.plugins[number] = plugin
		}
		return nil, err
	}
}

func (t *testee) preparing(number byte, prepare func(*rustbridge.Plugin) (*rustbridge.Method, error)) func() ([]byte, error) {
	return func() ([]byte, error) {
		method, err := prepare(t.plugins[number])
		if err != nil {
			return nil, err
		}
		t.methods = append(t.methods, method)
		return binary.LittleEndian.AppendUint32(nil, uint32(len(t.methods)-1)), nil
	}
}

func (t *testee) flush(number byte) ([]byte, error) {
	// One that is closed has delivered everything.
	if plugin := t.plugins[number]; plugin != nil && plugin.State() != rustbridge.Closed {
		if err := plugin.FlushLog(context.Background()); err != nil {
			return nil, err
		}
	}
	return t.records[number].take(), nil
}

func (t *testee) drop(number byte) error {
	plugin := t.plugins[number]
	delete(t.plugins, number)
	delete(t.records, number)
	delete(t.offered, number)
	if plugin == nil {
		return nil
	}
	return plugin.Close()
}
