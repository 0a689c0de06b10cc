package server

import (
	"runtime"
	"testing"
	"time"
)

// A socket whose credentials expire together with those of its last subscription is closed
// once it has no operations, and its client is told why the subscription has ended.
func TestOperationsAreGoneAfterTheirLastMessages(t *testing.T) {
	var o operations
	r := &running{id: "1", cancel: func() {}}
	o.add(r)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		for !o.none() {
			runtime.Gosched()
		}
	}()
	said := 0
	last := func() {
		said++
		select {
		case <-gone:
			t.Error("the operation is gone before its last message")
		case <-time.After(10 * time.Millisecond):
		}
	}
	if !o.end(r, last) || o.end(r, last) || said != 1 {
		t.Errorf("%d last messages", said)
	}
	<-gone
}
