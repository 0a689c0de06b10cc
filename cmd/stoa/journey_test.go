package main

import (
	"slices"
	"syscall"
	"testing"

	"github.com/coder/websocket"
)

// Two users sign up, one posts and the other receives the post live. The process is killed
// in between, and nothing that was acknowledged is lost.
func TestFromSignUpToFeedAcrossAKill(t *testing.T) {
	data := "embedded:" + t.TempDir()
	first := startProcess(t, "--store", data)
	ana, ben := signUp(t, first.url, "ana"), signUp(t, first.url, "ben")
	if got := at[string](ben.ask(`mutation($id: ID!) { followUser(userId: $id) { followedStatus } }`,
		map[string]any{"id": ana.userID}), "followUser.followedStatus"); got != "FOLLOWING" {
		t.Fatalf("ben's follow is %s", got)
	}

	events := ben.listen()
	add := func(id, text string) {
		t.Helper()
		ana.ask(`mutation($id: ID!, $text: String!) { addPost(postId: $id, postType: TEXT_ONLY, text: $text) { postId } }`, map[string]any{"id": id, "text": text})
	}
	add("p1", "The first one.")
	if got, want := ben.feedOf(1, events), []string{"ana: The first one."}; !slices.Equal(got, want) {
		t.Errorf("ben reads %q, want %q", got, want)
	}

	// The effects of this mutation are not awaited: the kill may come before, during or
	// after them.
	add("p2", "Written as the lights went out.")
	if state := first.end(syscall.SIGKILL); state.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("the process ended with %s", state)
	}

	second := startProcess(t, "--store", data)
	ana.url, ben.url = second.url, second.url
	events = ben.listen()
	add("p3", "Back again.")
	want := []string{"ana: Back again.", "ana: Written as the lights went out.", "ana: The first one."}
	if got := ben.feedOf(3, events); !slices.Equal(got, want) {
		t.Errorf("ben reads %q, want %q", got, want)
	}
	counts := ana.ask(`{ self { postCount followersCount } }`, nil)
	if at[float64](counts, "self.postCount") != 3 || at[float64](counts, "self.followersCount") != 1 {
		t.Errorf("ana's profile counts %v", counts)
	}

	// On shutdown, the server closes sockets with a status code.
	ended := make(chan websocket.StatusCode, 1)
	go func() { ended <- events.closed() }()
	if state := second.end(syscall.SIGTERM); state.ExitCode() != 0 {
		t.Errorf("the server ended with %s\n%s", state, second.log)
	}
	if code := <-ended; code != websocket.StatusGoingAway {
		t.Errorf("the socket was closed with %d, want 1001", code)
	}
}
