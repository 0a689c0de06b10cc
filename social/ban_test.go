package social

import (
	"testing"
	"time"
)

// chats 0.5#4, 1.8 and 4.7: both comparisons of the rule of a tenth are strict.
func TestForcedOut(t *testing.T) {
	for _, c := range []struct {
		name string
		u    User
		kind ContentKind
		want bool
	}{
		{"one of six comments", User{CommentCount: 5, CommentDeletedCount: 1, CommentForcedDeletionCount: 1}, ForcedComments, true},
		{"one of five comments", User{CommentCount: 4, CommentDeletedCount: 1, CommentForcedDeletionCount: 1}, ForcedComments, false},
		{"one of ten comments", User{CommentCount: 9, CommentDeletedCount: 1, CommentForcedDeletionCount: 1}, ForcedComments, false},
		{"two of eleven posts", User{PostCount: 9, PostArchivedCount: 2, PostForcedArchivingCount: 2}, ForcedPosts, true},
		{"one of eleven posts", User{PostCount: 10, PostArchivedCount: 1, PostForcedArchivingCount: 1}, ForcedPosts, false},
		{"one of six messages", User{ChatMessagesCreationCount: 6, ChatMessagesForcedDeletionCount: 1}, ForcedChatMessages, true},
		{"one of five messages", User{ChatMessagesCreationCount: 5, ChatMessagesForcedDeletionCount: 1}, ForcedChatMessages, false},
		{"posts do not count as comments", User{PostCount: 9, PostArchivedCount: 2, PostForcedArchivingCount: 2}, ForcedComments, false},
	} {
		if got := c.u.ForcedOut(c.kind); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// users D1: everybody can be disabled, once.
func TestDisabled(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, status := range []UserStatus{"", UserActive, UserAnonymous} {
		if to := (&User{Status: status}).Disabled(at); to.Status != UserDisabled || !to.LastDisabledAt.Equal(at) {
			t.Errorf("%q becomes %+v", status, to)
		}
	}
	off := &User{Status: UserDisabled}
	if off.Disabled(at) != off {
		t.Error("somebody disabled is disabled again")
	}
}

// users D5: an anonymous user has nothing to reset.
func TestReset(t *testing.T) {
	for status, want := range map[UserStatus]string{
		"": "", UserDisabled: "", UserAnonymous: "Cannot reset user with status `ANONYMOUS`",
	} {
		got := ""
		if _, err := (&User{Status: status}).Reset(); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", status, got, want)
		}
	}
}
