package rustbridge

import (
	"sync"
	"sync/atomic"

	"github.com/rustbridge/rustbridge/rustbridge-go/internal/native"
)

// The completion queues that are open while any plugin is open: one for calls and streams that complete later, one for service requests. Each
// is created at its first use, with the goroutine that drains it, and closed with the last plugin.
var background struct {
	lock sync.Mutex
	// The number of plugins that are open or being loaded.
	plugins int
	// The queue of calls and streams.
	completions atomic.Pointer[queue]
	// The queue of service requests, 0 if there is none.
	services uint64
}

// opening counts a plugin that is being loaded.
func opening() {
	background.lock.Lock()
	background.plugins++
	background.lock.Unlock()
}

// gone uncounts a plugin that was closed or failed to load, and closes the queues with the last one.
func gone() {
	background.lock.Lock()
	background.plugins--
	var calls *queue
	var services uint64
	if background.plugins == 0 {
		calls = background.completions.Swap(nil)
		services, background.services = background.services, 0
	}
	background.lock.Unlock()
	if services != 0 {
		native.CloseQueue(services)
	}
	if calls != nil {
		// In a goroutine: it waits until all callers have received their results.
		go calls.close()
	}
}

// completions returns the queue of calls and streams. It returns nil if no plugin is open: every call is refused then.
func completions() (*queue, error) {
	if found := background.completions.Load(); found != nil {
		return found, nil
	}
	background.lock.Lock()
	defer background.lock.Unlock()
	if found := background.completions.Load(); found != nil || background.plugins == 0 {
		return found, nil
	}
	var result native.Result
	number, status := native.NewQueue(&result)
	if status != native.OK {
		return nil, failed(&result)
	}
	made := &queue{number: number}
	made.watched = watched(number)
	background.completions.Store(made)
	go made.drain()
	return made, nil
}

// serviceQueue returns the queue of service requests.
func serviceQueue() (uint64, error) {
	background.lock.Lock()
	defer background.lock.Unlock()
	if background.services != 0 {
		return background.services, nil
	}
	var result native.Result
	number, status := native.NewQueue(&result)
	if status != native.OK {
		return 0, failed(&result)
	}
	background.services = number
	go serve(number)
	return number, nil
}
