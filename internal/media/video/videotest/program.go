// Package videotest stands in for the programs that transcode videos.
package videotest

import (
	"os"
	"syscall"
	"testing"
)

// Program writes an executable shell script to file. No process is started meanwhile: it
// would inherit the open file, and until it lets go of it, starting the script fails with
// "text file busy" (golang/go#22315).
func Program(t *testing.T, file, script string) {
	t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
}
