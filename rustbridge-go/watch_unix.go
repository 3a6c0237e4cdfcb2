//go:build unix

package rustbridge

import (
	"os"

	"github.com/rustbridge/rustbridge/rustbridge-go/internal/native"
)

// One for the process, as the queue. It's kept for good: the collector would close the descriptor, which is the queue's.
var watchedFile *os.File

// watched gives what the runtime's poller can watch.
func (q *queue) watched() *os.File {
	descriptor, status := native.Descriptor(q.number)
	if status == native.OK {
		watchedFile = os.NewFile(descriptor, "rustbridge-queue")
	}
	return watchedFile
}
