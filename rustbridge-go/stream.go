package rustbridge

import (
	"context"
	"encoding/binary"
	"io"
	"runtime"
	"sync"

	"github.com/rustbridge/rustbridge/rustbridge-go/internal/native"
)

// Item is one value of a stream.
type Item struct {
	// Bytes are the item's bytes. The receiver may keep them.
	Bytes []byte
	// Objects are the item's objects. The receiver must close them.
	Objects []*Object
}

// How many items, and how many bytes, may be on their way to who takes them.
const (
	window      = 256
	windowBytes = 256 << 10
)

// Stream is a call with items, out of the plugin, into it, or both. One goroutine may receive while another sends.
//
// A fast plugin waits for a slow receiver. Send waits until the plugin accepts more. A stream that has been received to
// its end needs no Close. If a stream is dropped before that, the garbage collector cancels it.
type Stream struct {
	pipe    *pipe
	sending sync.Mutex
	taking  sync.Mutex
	cleanup runtime.Cleanup
}

// pipe is what the drainer knows of a stream.
type pipe struct {
	method *Method
	queue  *queue
	slot   *slot
	// The slot's number as long as it's this stream's.
	userData uint64
	op       uint64
	ctx      context.Context
	stop     func() bool
	// What trailers and headers go to.
	trailers, headersTo *Metadata
	// Closed when headers have come, or what they would have come before; nil if nobody asked for them.
	began         chan struct{}
	come, maySend chan struct{}

	lock        sync.Mutex
	items       []Item
	first       int
	credit      uint64
	creditBytes uint64
	// How often the plugin has said what may be sent.
	demands     uint64
	isOver      bool
	err         *Error
	response    []byte
	objects     []*Object
	metadata    Metadata
	headers     Metadata
	hasBegun    bool
	isAbandoned bool
	// The number of the context that is kept for services.
	number uint64

	// Of who receives alone.
	due, dueBytes uint64
}

// Open starts a stream of any kind. It uses the invocation's Request, Unshared, Borrowed and TakeHeaders. The stream
// has the results.
//
// If the context is done, the stream is cancelled, and ends with the context's error.
func (m *Method) Open(ctx context.Context, invocation *Invocation) (*Stream, error) {
	if invocation == nil {
		return nil, errorf(InvalidArgument, "rustbridge.InvalidRequest", "the invocation of %s is nil", m.name)
	}
	if m.flags&(native.MethodStreamIn|native.MethodStreamOut) == 0 {
		return nil, errorf(Unimplemented, "rustbridge.NoStream", "%s returns one response: use Call", m.name)
	}
	if len(m.plugin.interceptors) > 0 {
		return m.plugin.aroundStream(ctx, m, invocation, func(ctx context.Context) (*Stream, error) { return m.open(ctx, invocation) })
	}
	return m.open(ctx, invocation)
}

func (m *Method) open(ctx context.Context, invocation *Invocation) (*Stream, error) {
	if ctx == nil {
		ctx = context.Background()
	}
	queue, err := completions()
	if err != nil {
		return nil, err
	}
	if queue == nil {
		return nil, closedPlugin(m.plugin)
	}
	header := native.CallData{DemandItems: window, DemandBytes: windowBytes}
	found, refused := m.plugin.header(ctx, invocation.Borrowed, &header)
	if refused != nil {
		return nil, refused
	}
	pipe := &pipe{method: m, queue: queue, ctx: ctx, come: make(chan struct{}, 1), maySend: make(chan struct{}, 1)}
	if found != nil {
		pipe.trailers, pipe.headersTo = found.trailers, found.headers
	}
	if invocation.TakeHeaders {
		header.Flags |= native.HeaderHeaders
	}
	if header.Flags&native.HeaderHeaders != 0 {
		pipe.began = make(chan struct{})
	}
	request := invocation.Request
	if !invocation.Unshared {
		request = append([]byte(nil), request...)
	}
	pipe.number = m.keepContext(ctx)
	header.Number = pipe.number
	pipe.slot = queue.take(pipe)
	pipe.userData = pipe.slot.userData()
	var result native.Result
	status := native.Submit(queue.number, pipe.userData, m.instance, m.entry, 0, &header, request, nil, 0, &result)
	for _, object := range invocation.Borrowed {
		runtime.KeepAlive(object)
	}
	if status != native.Pending {
		queue.give(pipe.slot)
		if status != native.OK && queue.isClosed.Load() {
			discard(&result)
			forgetContext(pipe.number)
			return nil, closedPlugin(m.plugin)
		}
		var ended end
		ended.take(&result)
		pipe.finish(ended)
	} else {
		pipe.begun(result.Op())
	}
	stream := &Stream{pipe: pipe}
	stream.cleanup = runtime.AddCleanup(stream, dropPipe, pipe)
	return stream, nil
}

// closedPlugin returns the core's error for a call to a closed plugin.
func closedPlugin(plugin *Plugin) *Error {
	var result native.Result
	var nothing native.CallData
	native.CallWith(plugin.instance, 0, &nothing, nil, nil, nil, 0, &result)
	return failed(&result)
}

// begun notes the operation's number. It may have ended already, on the drainer's goroutine.
func (p *pipe) begun(op uint64) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.op = op
	if !p.isOver {
		p.stop = context.AfterFunc(p.ctx, func() { p.abandon(endedBy(p.ctx)) })
	}
}

func dropPipe(dropped *pipe) {
	go dropped.abandon(errorf(Canceled, "rustbridge.Closed", "the stream was dropped"))
}

// told takes an event, on the drainer's goroutine.
func (p *pipe) told(event *native.Event) {
	switch event.Kind() {
	case native.EventHeaders:
		packed := event.Take()
		p.lock.Lock()
		p.begin(packed)
		p.lock.Unlock()
	case native.EventItems:
		p.put(event)
	case native.EventDemand:
		p.lock.Lock()
		p.credit, p.creditBytes = event.MaySend()
		p.demands++
		p.lock.Unlock()
		signal(p.maySend)
	case native.EventDone:
		p.finish(end{status: event.Status(), trailers: event.TakeTrailers(), objects: event.TakeObjects(), payload: event.Take()})
	default:
		event.Drop()
	}
}

// begin notes the headers, or that there are none. Locked.
func (p *pipe) begin(packed []byte) {
	if p.began == nil || p.hasBegun {
		return
	}
	p.hasBegun = true
	p.headers = unpack(packed)
	if p.headersTo != nil && !p.isAbandoned {
		*p.headersTo = p.headers
	}
	close(p.began)
}

func (p *pipe) put(event *native.Event) {
	count, flags := event.Count(), event.Flags()
	objects := p.method.plugin.objects(event.TakeObjects())
	items := split(event.Take(), count, flags)
	each := 0
	if len(items) > 0 {
		each = len(objects) / len(items)
	}
	made := make([]Item, len(items))
	for index, bytes := range items {
		made[index].Bytes = bytes
		if each > 0 {
			made[index].Objects = objects[index*each : (index+1)*each : (index+1)*each]
		}
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	p.begin(nil)
	if p.isAbandoned {
		dropAll(objects)
		return
	}
	if p.first == len(p.items) {
		p.items, p.first = made, 0
	} else {
		p.items = append(p.items, made...)
	}
	signal(p.come)
}

// split gives the items of a batch, each with no room to grow into the next one.
func split(data []byte, count int, flags uint32) [][]byte {
	items := make([][]byte, 0, count)
	if flags&native.BatchEnds != 0 {
		ends := len(data) - 4*count
		if ends < 0 {
			return nil
		}
		start := 0
		for index := range count {
			end := int(binary.NativeEndian.Uint32(data[ends+4*index:]))
			if end < start || end > ends {
				return items
			}
			items = append(items, data[start:end:end])
			start = end
		}
		return items
	}
	if count > 0 {
		size := len(data) / count
		for index := range count {
			items = append(items, data[index*size:(index+1)*size:(index+1)*size])
		}
	}
	return items
}

func closeAll(objects []*Object) {
	for _, object := range objects {
		object.Close()
	}
}

// dropAll closes objects elsewhere: a destructor may wait, for the drainer too, or for the lock that the caller holds.
func dropAll(objects []*Object) {
	if len(objects) > 0 {
		go closeAll(objects)
	}
}

func signal(to chan struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}

// finish notes how it has ended.
func (p *pipe) finish(ended end) {
	forgetContext(p.number)
	p.lock.Lock()
	p.begin(ended.headers)
	p.metadata = unpack(ended.trailers)
	objects := p.method.plugin.objects(ended.objects)
	if p.isAbandoned {
		dropAll(objects)
	} else {
		p.objects = objects
		p.isOver = true
		if ended.status != native.OK {
			p.err = byContext(p.ctx, errorOf(ended.status, ended.payload))
		} else {
			p.response = ended.payload
		}
		if p.trailers != nil {
			*p.trailers = p.metadata
		}
	}
	stop := p.stop
	p.lock.Unlock()
	if stop != nil {
		stop()
	}
	signal(p.come)
	signal(p.maySend)
}

// abandon gives it up, unless it has ended.
func (p *pipe) abandon(err *Error) {
	p.lock.Lock()
	if p.isOver {
		p.lock.Unlock()
		return
	}
	forgetContext(p.number)
	p.isOver, p.isAbandoned, p.err = true, true, err
	p.begin(nil)
	for _, item := range p.items[p.first:] {
		dropAll(item.Objects)
	}
	p.items, p.first = nil, 0
	p.lock.Unlock()
	if p.slot.abandon(p.userData) {
		p.queue.give(p.slot)
		native.Detach(p.op)
	}
	signal(p.come)
	signal(p.maySend)
}

// Recv waits for the next item. After the last item, it returns io.EOF, or the error with which the stream ended. If
// the method returns a response instead of items, use Result.
func (s *Stream) Recv() (Item, error) {
	s.taking.Lock()
	defer s.taking.Unlock()
	defer runtime.KeepAlive(s)
	p := s.pipe
	for {
		p.lock.Lock()
		if p.first < len(p.items) {
			item := p.items[p.first]
			p.items[p.first] = Item{}
			p.first++
			p.lock.Unlock()
			p.taken(len(item.Bytes))
			return item, nil
		}
		if err := p.waited(); err != nil {
			return Item{}, err
		}
	}
}

// batch waits for items, and gives all that are there. Who has dealt with one says so by taken.
func (s *Stream) batch() ([]Item, error) {
	s.taking.Lock()
	defer s.taking.Unlock()
	defer runtime.KeepAlive(s)
	p := s.pipe
	for {
		p.lock.Lock()
		if p.first < len(p.items) {
			items := p.items[p.first:]
			p.items, p.first = nil, 0
			p.lock.Unlock()
			return items, nil
		}
		if err := p.waited(); err != nil {
			return nil, err
		}
	}
}

// waited unlocks and waits for what comes next; the error that it has ended with, or io.EOF.
func (p *pipe) waited() error {
	isOver, err := p.isOver, p.err
	p.lock.Unlock()
	if !isOver {
		<-p.come
		return nil
	}
	// For who looks next.
	signal(p.come)
	if err != nil {
		return err
	}
	return io.EOF
}

// taken asks for more when half of the window has been taken.
func (p *pipe) taken(size int) {
	p.due++
	p.dueBytes += uint64(size)
	if 2*p.due < window && 2*p.dueBytes < windowBytes {
		return
	}
	native.Demand(p.op, p.due, p.dueBytes)
	p.due, p.dueBytes = 0, 0
}

// Send sends an item, and waits until the plugin accepts it. io.EOF means that the plugin accepts no more items; Recv
// or Result returns the reason.
func (s *Stream) Send(item []byte) error {
	s.sending.Lock()
	defer s.sending.Unlock()
	defer runtime.KeepAlive(s)
	p := s.pipe
	if p.method.flags&native.MethodStreamIn == 0 {
		return errorf(Unimplemented, "rustbridge.NoItems", "%s accepts no items", p.method.name)
	}
	// A copy, since others may write to the item while the plugin reads it. One without bytes needs its end told.
	scratch := takeScratch(len(item) + 4)
	defer scratch.give()
	size := copy(scratch.bytes, item)
	data, flags := scratch.bytes[:size], uint32(0)
	if size == 0 {
		data, flags = append(data, 0, 0, 0, 0), native.BatchEnds
	}
	for {
		p.lock.Lock()
		mayGo, isOver, demands := p.credit > 0 && p.creditBytes > 0, p.isOver, p.demands
		if mayGo && !isOver {
			p.credit--
			p.creditBytes -= min(p.creditBytes, uint64(len(item)))
		}
		p.lock.Unlock()
		switch {
		case isOver:
			signal(p.maySend)
			return io.EOF
		case !mayGo:
			<-p.maySend
			continue
		}
		switch code := codeOf(native.Write(p.op, data, 1, flags)); code {
		case OK:
			return nil
		case ResourceExhausted:
			// What was known of the credit was old news, unless it has been told anew since.
			p.lock.Lock()
			if p.demands == demands {
				p.credit = 0
			}
			p.lock.Unlock()
		default:
			// It has ended. If the item itself is refused, the core has ended what is sent, and the answer says why.
			return io.EOF
		}
	}
}

// CloseSend ends the sent items: as complete if the error is nil, otherwise with that error.
func (s *Stream) CloseSend(err error) error {
	s.sending.Lock()
	defer s.sending.Unlock()
	defer runtime.KeepAlive(s)
	status, payload := int32(native.OK), []byte(nil)
	if err != nil {
		var code Code
		code, payload = payloadOf(err)
		status = int32(code)
	}
	// One that has ended says how by Recv or Result.
	native.End(s.pipe.op, status, payload)
	return nil
}

// Result waits for the end, discards the items that haven't been received, and returns the response and its objects, if
// the stream has a response. The caller must close the objects.
func (s *Stream) Result() ([]byte, []*Object, error) {
	for {
		item, err := s.Recv()
		closeAll(item.Objects)
		if err == io.EOF {
			p := s.pipe
			p.lock.Lock()
			defer p.lock.Unlock()
			objects := p.objects
			p.objects = nil
			return p.response, objects, nil
		}
		if err != nil {
			return nil, nil, err
		}
	}
}

// Headers waits for the plugin's initial metadata, and returns it. It also returns if an item arrives or the stream
// ends. It requires TakeHeaders, or a context of [WithHeaders]; otherwise it returns nil at once.
func (s *Stream) Headers() Metadata {
	defer runtime.KeepAlive(s)
	p := s.pipe
	if p.began == nil {
		return nil
	}
	<-p.began
	p.lock.Lock()
	defer p.lock.Unlock()
	return p.headers
}

// Trailers returns the trailing metadata, once the stream has ended.
func (s *Stream) Trailers() Metadata {
	s.pipe.lock.Lock()
	defer s.pipe.lock.Unlock()
	return s.pipe.metadata
}

// Close cancels the stream, unless it has ended. Further calls do nothing.
func (s *Stream) Close() error {
	s.cleanup.Stop()
	s.pipe.abandon(errorf(Canceled, "rustbridge.Closed", "the stream was closed"))
	p := s.pipe
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.stop != nil {
		p.stop()
	}
	for _, item := range p.items[p.first:] {
		dropAll(item.Objects)
	}
	p.items, p.first = nil, 0
	dropAll(p.objects)
	p.objects = nil
	return nil
}
