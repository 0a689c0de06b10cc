package messaging

import (
	"testing"
	"time"
)

// messaging 5.7#1-3: which receipts change a subscription.
func TestReceipts(t *testing.T) {
	type counters struct{ read, recv int }
	for _, c := range []struct {
		kind   NoteKind
		seq    int
		before counters
		after  counters // the same where nothing changes
	}{
		{NoteRead, 5, counters{0, 0}, counters{5, 5}},
		{NoteRead, 5, counters{0, 7}, counters{5, 7}},
		{NoteRead, 5, counters{5, 5}, counters{5, 5}},
		{NoteRead, 4, counters{5, 5}, counters{5, 5}},
		{NoteRead, 10, counters{5, 5}, counters{10, 10}},
		{NoteRead, 11, counters{5, 5}, counters{5, 5}},
		{NoteRead, 0, counters{0, 0}, counters{0, 0}},
		{NoteRead, -1, counters{0, 0}, counters{0, 0}},
		{NoteReceived, 7, counters{5, 5}, counters{5, 7}},
		{NoteReceived, 6, counters{5, 7}, counters{5, 7}},
		{NoteReceived, 11, counters{5, 7}, counters{5, 7}},
	} {
		before := &Subscription{ReadSeqID: c.before.read, RecvSeqID: c.before.recv}
		after := before.Noted(c.kind, c.seq, 10)
		if (after == nil) != (c.before == c.after) {
			t.Errorf("%s %d of %v: %+v", c.kind, c.seq, c.before, after)
		}
		if after != nil && (counters{after.ReadSeqID, after.RecvSeqID}) != c.after {
			t.Errorf("%s %d of %v: %+v, want %v", c.kind, c.seq, c.before, after, c.after)
		}
	}
}

// messaging 5.8#5: clearing also receives and reads what it clears.
func TestClearing(t *testing.T) {
	for _, c := range []struct{ clear, read, recv, to, wantClear, wantRead, wantRecv int }{
		{0, 2, 2, 6, 6, 6, 6}, {0, 2, 8, 6, 6, 6, 8}, {0, 7, 8, 6, 6, 7, 8}, {6, 6, 6, 4, 6, 6, 6},
	} {
		s := (&Subscription{ClearID: c.clear, ReadSeqID: c.read, RecvSeqID: c.recv}).ClearedTo(c.to)
		if s.ClearID != c.wantClear || s.ReadSeqID != c.wantRead || s.RecvSeqID != c.wantRecv {
			t.Errorf("%+v becomes %+v", c, s)
		}
	}
}

// messaging 5.7#4: unread are the messages after the highest of read and cleared ones.
func TestUnread(t *testing.T) {
	for _, c := range []struct{ last, read, clear, topicClear, want int }{
		{10, 0, 0, 0, 10}, {10, 4, 0, 0, 6}, {10, 4, 6, 0, 4}, {10, 4, 6, 9, 1}, {10, 10, 0, 0, 0}, {0, 0, 0, 0, 0},
	} {
		s := &Subscription{ReadSeqID: c.read, ClearID: c.clear}
		if got := s.Unread(&Topic{SeqID: c.last, ClearID: c.topicClear}); got != c.want {
			t.Errorf("%+v: %d unread", c, got)
		}
	}
}

func TestEndedSubscriptions(t *testing.T) {
	s := NewSubscription(group, ana, OwnerMode, OwnerMode, noon)
	s.ReadSeqID = 40
	ended := s.Ended(noon.Add(time.Minute))
	if ended.Active() || ended.Mode() != Nothing || ended.Counts() || ended.ReadSeqID != 40 || !s.Active() {
		t.Errorf("ended: %+v", ended)
	}
	if revived := ended.Revived(noon.Add(time.Hour)); !revived.Active() || revived.ReadSeqID != 40 || revived.UpdatedAt != noon.Add(time.Hour) {
		t.Errorf("revived: %+v", revived)
	}
	var none *Subscription
	if none.Active() || none.Counts() || none.May(Nothing) || none.Refuses() {
		t.Error("nobody subscribes")
	}
	for want, refuses := range map[Mode]bool{Nothing: true, Read | Write: true, Join: false} {
		if banned := NewSubscription(group, ana, want, OwnerMode, noon); banned.Refuses() != refuses || banned.Counts() == refuses {
			t.Errorf("who wants %s: %+v", want, banned)
		}
	}
}
