//go:build !unix

package rustbridge

import "os"

// watched gives nothing: Windows' poller takes what a completion port tells, and the queue's handle is that of an event. So one thread waits
// in the core, for all calls.
func watched(uint64) *os.File { return nil }
