package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"
	"unsafe"

	rustbridge "github.com/rustbridge/rustbridge/rustbridge-go"
	"github.com/rustbridge/rustbridge/rustbridge-go/internal/native"
)

// calls are those that were begun, on a queue of the testee's own.
type calls struct {
	lock  sync.Mutex
	queue uint64
	begun map[byte]*call
	ops   map[uint64]*call
	last  uint64
}

// call keeps its events, in the form of the judge's, until they are asked for.
type call struct {
	op     uint64
	events chan []byte
}

func newCalls() *calls {
	return &calls{begun: map[byte]*call{}, ops: map[uint64]*call{}}
}

// open makes the queue, when the first plugin has opened the library.
func (c *calls) open() uint64 {
	if c.queue == 0 {
		var result native.Result
		queue, status := native.NewQueue(&result)
		if status != native.OK {
			panic("no queue")
		}
		c.queue = queue
		go c.drain(native.NewDrainer(queue))
	}
	return c.queue
}

func (c *calls) drain(drainer *native.Drainer) {
	for {
		count, status := drainer.Next(native.Forever)
		if status != native.OK {
			return
		}
		for index := range count {
			event := drainer.Event(index)
			c.lock.Lock()
			one := c.ops[event.UserData()]
			c.lock.Unlock()
			if one == nil {
				event.Drop()
				continue
			}
			one.told(event)
		}
	}
}

func (c *call) told(event *native.Event) {
	switch event.Kind() {
	case native.EventDone:
		c.end(event.Status(), event.Take(), event.TakeTrailers(), event.TakeObjects())
	case native.EventItems:
		count, flags := event.Count(), event.Flags()
		told := binary.LittleEndian.AppendUint32([]byte{2}, uint32(count))
		objects := event.TakeObjects()
		for _, item := range split(event.Take(), count, flags) {
			told = sized(told, item)
		}
		c.events <- sized(told, numbers(objects))
	default:
		c.events <- []byte{3}
	}
}

func (c *call) end(status int32, payload, trailers []byte, objects []uint64) {
	if status != native.OK {
		payload = fields(rustbridge.ErrorFrom(rustbridge.Code(status), payload))
	}
	told := binary.LittleEndian.AppendUint32([]byte{1}, uint32(status))
	c.events <- sized(sized(sized(told, payload), trailers), numbers(objects))
}

func numbers(objects []uint64) []byte {
	var written []byte
	for _, object := range objects {
		written = binary.LittleEndian.AppendUint64(written, object)
	}
	return written
}

func split(data []byte, count int, flags uint32) [][]byte {
	var items [][]byte
	for index := range count {
		if flags&native.BatchEnds == 0 {
			size := len(data) / count
			items = append(items, data[index*size:(index+1)*size])
			continue
		}
		ends, start := data[len(data)-4*count:], uint32(0)
		if index > 0 {
			start = binary.NativeEndian.Uint32(ends[4*index-4:])
		}
		items = append(items, data[start:binary.NativeEndian.Uint32(ends[4*index:])])
	}
	return items
}

// operation reads a command about a call that was begun.
func (t *testee) operation(letter byte) func() ([]byte, error) {
	if letter == 'O' {
		object := t.u64()
		return func() ([]byte, error) { return nil, ended(native.ReleaseObject(object)) }
	}
	number := t.u8()
	act := func(function func(op uint64) int32) func() ([]byte, error) {
		return func() ([]byte, error) { return nil, ended(function(t.calls.begun[number].op)) }
	}
	switch letter {
	case 'W':
		return t.beginning(number)
	case 'E':
		wait := time.Duration(t.u64()) * time.Millisecond
		return func() ([]byte, error) {
			select {
			case event := <-t.calls.begun[number].events:
				return event, nil
			case <-time.After(wait):
				return []byte{0}, nil
			}
		}
	case 'K':
		return act(native.Cancel)
	case 'G':
		return act(native.Detach)
	case 'N':
		items, bytes := t.u64(), t.u64()
		return act(func(op uint64) int32 { return native.Demand(op, items, bytes) })
	case 'T':
		count := int(t.u32())
		var data, ends []byte
		for range count {
			data = append(data, t.bytes()...)
			ends = binary.NativeEndian.AppendUint32(ends, uint32(len(data)))
		}
		data = append(data, ends...)
		return act(func(op uint64) int32 { return native.Write(op, data, count, native.BatchEnds) })
	case 'Z':
		status, payload := int32(t.u32()), t.bytes()
		return act(func(op uint64) int32 { return native.End(op, status, payload) })
	}
	panic(fmt.Sprintf("no command %c", letter))
}

func ended(status int32) error {
	if status != native.OK {
		return rustbridge.ErrorFrom(rustbridge.Code(status), nil)
	}
	return nil
}

func (t *testee) beginning(number byte) func() ([]byte, error) {
	method, how := t.u32(), t.u8()
	header := native.CallData{TimeoutNS: t.u64()}
	if header.TimeoutNS == native.Forever {
		header.TimeoutNS = 0
	} else {
		header.Flags |= native.HeaderTimeout
	}
	if trace := t.bytes(); len(trace) > 0 {
		header.Flags |= native.HeaderTrace
		copy(header.TraceID[:], trace)
		copy(header.SpanID[:], trace[16:])
		header.TraceFlags = binary.LittleEndian.Uint32(trace[24:])
	}
	header.TraceState, header.Metadata = t.text(), t.bytes()
	for objects := t.bytes(); len(objects) > 0; objects = objects[8:] {
		header.Objects = append(header.Objects, binary.LittleEndian.Uint64(objects))
	}
	header.DemandItems, header.DemandBytes = t.u64(), t.u64()
	request := t.bytes()
	return func() ([]byte, error) {
		instance, entry := native.EntryOf(t.methods[method])
		one := &call{events: make(chan []byte, 1<<16)}
		t.calls.begun[number] = one
		storage := make([]byte, 4096)
		var result native.Result
		if how == 1 {
			native.CallWith(instance, entry, &header, nil, request, unsafe.Pointer(unsafe.SliceData(storage)), len(storage),
				&result)
			one.finish(&result, storage)
			return nil, nil
		}
		flags := uint32(0)
		if how == 2 {
			flags = native.SubmitOffload
		}
		queue := t.calls.open()
		t.calls.lock.Lock()
		t.calls.last++
		user := t.calls.last
		t.calls.ops[user] = one
		t.calls.lock.Unlock()
		if native.Submit(queue, user, instance, entry, flags, &header, request, unsafe.Pointer(unsafe.SliceData(storage)), len(storage),
			&result) == native.Pending {
			one.op = result.Op()
		} else {
			one.finish(&result, storage)
		}
		return nil, nil
	}
}

func (c *call) finish(result *native.Result, storage []byte) {
	payload := storage[:min(result.Len(), len(storage))]
	if !result.InStorage() {
		memory := result.Memory()
		payload = memory.Take(nil)
	}
	c.end(result.Status(), payload, result.Trailers(), result.Objects())
}

// offered is a service, and asked what services were asked.
type offered struct {
	testee   *testee
	number   byte
	name     string
	encoding rustbridge.Encoding
	mode     byte
	status   uint32
	answer   []byte
	// asked is of the instance that it's registered with.
	asked *asked
}

type asked struct {
	lock    sync.Mutex
	written []byte
}

func (a *asked) note(name string, request []byte) {
	a.lock.Lock()
	defer a.lock.Unlock()
	a.written = sized(append(a.written, texts(name)...), request)
}

func (a *asked) take() []byte {
	if a == nil {
		return nil
	}
	a.lock.Lock()
	defer a.lock.Unlock()
	taken := a.written
	a.written = nil
	return taken
}

func (o *offered) answered(ctx context.Context, request []byte) ([]byte, error) {
	o.asked.note(o.name, request)
	plugin := o.testee.plugins[o.number]
	switch o.mode {
	case 1:
		time.Sleep(time.Millisecond)
	case 2:
		<-ctx.Done()
		return nil, ctx.Err()
	case 4:
		method, err := plugin.MethodIn(string(o.answer), o.encoding)
		if err != nil {
			return nil, err
		}
		return method.CallRaw(ctx, request)
	case 5:
		return nil, errors.New("thrown")
	case 6:
		if err := plugin.CloseWith(ctx, rustbridge.CloseOptions{}); err != nil {
			return nil, err
		}
	}
	if o.status != 0 {
		return nil, rustbridge.ErrorFrom(rustbridge.Code(o.status), o.answer)
	}
	if o.encoding == rustbridge.JSON && !json.Valid(o.answer) {
		return nil, errors.New("the case's answer is no JSON")
	}
	return o.answer, nil
}
