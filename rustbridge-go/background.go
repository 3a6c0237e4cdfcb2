package rustbridge

import (
	"sync"
	"sync/atomic"

	"github.com/rustbridge/rustbridge/rustbridge-go/internal/native"
)

// What runs beside calls while plugins are open: the queues that the core tells of ends and asks services by, and who drains them. It's made
// when it's needed first, and ends with the last plugin.
var background struct {
	lock sync.Mutex
	// How many plugins are open, or being loaded.
	plugins int
	// The queue of the calls and streams that end later.
	completions atomic.Pointer[queue]
	// The queue of the services, 0 if there's none.
	services uint64
}

// opening says that a plugin is being loaded.
func opening() {
	background.lock.Lock()
	background.plugins++
	background.lock.Unlock()
}

// gone says that a plugin is closed, or wasn't loaded.
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
		// Whoever closes doesn't wait for goroutines that haven't taken their answers yet.
		go calls.close()
	}
}

// completions gives the queue of the calls and streams; nil if no plugin is open, so that none of its calls is let in.
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

// serviceQueue gives the queue of the services.
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
