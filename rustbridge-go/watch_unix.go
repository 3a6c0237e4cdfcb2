//go:build unix

package rustbridge

import (
	"os"
	"syscall"

	"github.com/rustbridge/rustbridge/rustbridge-go/internal/native"
)

// watched gives what the runtime's poller can watch of a queue: a descriptor of our own, since the queue's isn't ours to close. Nil if there's
// none.
func watched(queue uint64) *os.File {
	descriptor, status := native.Descriptor(queue)
	if status != native.OK {
		return nil
	}
	syscall.ForkLock.RLock()
	own, err := syscall.Dup(int(descriptor))
	if err == nil {
		syscall.CloseOnExec(own)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil
	}
	return os.NewFile(uintptr(own), "rustbridge-queue")
}
