package social

import (
	"testing"
	"time"
)

func TestMembersCountTheJournal(t *testing.T) {
	at := func(n int) time.Time { return noon.Add(time.Duration(n) * time.Microsecond) }
	said := func(n int, author UserID) ChatEntry { return ChatEntry{At: at(n), MessageAt: at(n), Author: author} }
	took := func(n, message int, author UserID) ChatEntry {
		return ChatEntry{At: at(n), MessageAt: at(message), Author: author, Deleted: true}
	}
	for _, c := range []struct {
		name     string
		joined   int
		counted  int
		unviewed int
		entries  []ChatEntry
		viewed   int
		want     int
		until    int
	}{
		{"all", 1, 0, 0, []ChatEntry{said(5, "ben"), said(6, "")}, 0, 2, 6},
		{"but their own", 1, 0, 0, []ChatEntry{said(5, "ana"), said(6, "ben")}, 0, 1, 6},
		{"but what was said before they came", 6, 0, 0, []ChatEntry{said(5, "ben"), said(6, "")}, 0, 1, 6},
		{"each once", 1, 5, 1, []ChatEntry{said(5, "ben"), said(6, "ben")}, 0, 2, 6},
		{"but what they have viewed", 1, 4, 0, []ChatEntry{said(5, "ben"), said(6, "ben")}, 5, 1, 6},
		{"what goes no longer", 1, 5, 2, []ChatEntry{took(7, 5, "ben")}, 0, 1, 7},
		{"what comes and goes", 1, 4, 0, []ChatEntry{said(5, "ben"), took(7, 5, "ben")}, 0, 0, 7},
		{"what went once they had viewed it, as it was", 1, 5, 1, []ChatEntry{took(7, 4, "ben")}, 4, 1, 7},
		{"what goes of before they came, as it was", 6, 6, 1, []ChatEntry{took(7, 5, "ben")}, 0, 1, 7},
		{"what goes of their own, as it was", 1, 5, 1, []ChatEntry{took(7, 4, "ana")}, 0, 1, 7},
		{"never less than nothing", 1, 5, 0, []ChatEntry{took(7, 5, "ben")}, 0, 0, 7},
	} {
		m := ChatMember{UserID: "ana", JoinedAt: at(c.joined), LastMessageActivityAt: at(c.joined), JournalAt: at(c.counted), MessagesUnviewedCount: c.unviewed}
		viewedAt := time.Time{}
		if c.viewed > 0 {
			viewedAt = at(c.viewed)
		}
		got := m.Caught(c.entries, viewedAt)
		if got.MessagesUnviewedCount != c.want || !got.JournalAt.Equal(at(c.until)) || !got.PlacedByChat || !got.LastMessageActivityAt.Equal(at(c.joined)) {
			t.Errorf("%s: %d unviewed until %v, %+v", c.name, got.MessagesUnviewedCount, got.JournalAt, got)
		}
		if again := got.Caught(c.entries, viewedAt); again != got {
			t.Errorf("%s: counted twice: %+v", c.name, again)
		}
	}
}
