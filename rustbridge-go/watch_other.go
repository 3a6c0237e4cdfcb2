//go:build !unix

package rustbridge

import "os"

// watched gives nothing: Windows' poller can't watch an event's handle, so a thread waits for it.
func (q *queue) watched() *os.File { return nil }
