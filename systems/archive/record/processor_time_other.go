//go:build !unix

package record

import "time"

// processorTime returns 0: the processor time is unknown, and there are no pauses.
func processorTime() time.Duration { return 0 }
