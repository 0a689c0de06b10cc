package notification

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"stoa/internal/kit/bus"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

const (
	ana social.UserID = "us-east-1:aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"
	ben social.UserID = "us-east-1:bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb"
)

var now = time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)

func service() *Service { return &Service{Bus: &bus.Local{}, Now: func() time.Time { return now }} }

func publish(t *testing.T, s *Service, n social.Notification) error {
	return outbox.Publish(t.Context(), s.Bus, now, n)
}

func subscribe(t *testing.T, s *Service, ctx context.Context, id social.UserID) <-chan *social.Notification {
	t.Helper()
	c, err := s.Subscribe(ctx, social.Viewer{UserID: id}, id)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestEverySubscriptionOfTheUserHears(t *testing.T) {
	s := service()
	one, two := subscribe(t, s, t.Context(), ana), subscribe(t, s, t.Context(), ana)
	other := subscribe(t, s, t.Context(), ben)
	post, count := social.PostID("p"), 0
	full := social.Notification{UserID: ana, Type: social.NotifyPostCompleted, PostID: &post, UserChatsWithUnviewedMessagesCount: &count}
	for _, n := range []social.Notification{full, {UserID: ben, Type: social.NotifyFeedChanged}} {
		if err := publish(t, s, n); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]<-chan *social.Notification{"one": one, "two": two} {
		if got := <-c; !reflect.DeepEqual(*got, full) {
			t.Errorf("%s heard %+v", name, got)
		}
	}
	if got := <-other; !reflect.DeepEqual(*got, social.Notification{UserID: ben, Type: social.NotifyFeedChanged}) {
		t.Errorf("the other user heard %+v", got)
	}
}

// T4
func TestNobodyHearsWhatIsForAnother(t *testing.T) {
	s := service()
	c, err := s.Subscribe(t.Context(), social.Viewer{UserID: ana}, ben)
	var refusal *refusal.Error
	if c != nil || !errors.As(err, &refusal) || refusal.Text != "Cannot subscribe to notifications intended for another user" {
		t.Errorf("Subscribe = %v, %v", c, err)
	}
}

func TestASubscriptionEndsWithItsContext(t *testing.T) {
	s := service()
	ctx, cancel := context.WithCancel(t.Context())
	c := subscribe(t, s, ctx, ana)
	if err := publish(t, s, social.Notification{UserID: ana}); err != nil {
		t.Fatal(err)
	}
	cancel()
	for range c {
		// What was on its way may still come.
	}
}

func TestAListenerThatDoesNotKeepUpIsClosed(t *testing.T) {
	s := service()
	c := subscribe(t, s, t.Context(), ana)
	const sent = 1000
	for range sent {
		if err := publish(t, s, social.Notification{UserID: ana}); err != nil {
			t.Fatal(err)
		}
	}
	heard := 0
	for range c {
		heard++
	}
	if heard == 0 || heard == sent {
		t.Errorf("heard %d of %d", heard, sent)
	}
}

func TestOwnersAreToldOfTheFirstCompletion(t *testing.T) {
	for _, c := range []struct {
		from, to social.PostStatus
		told     bool
	}{
		{"", social.PostCompleted, true},
		{social.PostPending, social.PostCompleted, true},
		{social.PostProcessing, social.PostCompleted, true},
		{social.PostArchived, social.PostCompleted, false},
		{social.PostCompleted, social.PostDeleting, false},
		{"", social.PostPending, false},
	} {
		e := social.PostMoved{UserID: ana, PostID: "p", From: c.from, To: c.to}
		var got, want []outbox.Message
		if err := (&Service{}).PostMoved(t.Context(), e, func(m ...outbox.Message) { got = append(got, m...) }); err != nil {
			t.Fatal(err)
		}
		if c.told {
			post := social.PostID("p")
			want = []outbox.Message{
				social.PostNotification{UserID: ana, Type: social.PostNotifyCompleted, PostID: post},
				social.Notification{UserID: ana, Type: social.NotifyPostCompleted, PostID: &post},
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q to %q: %+v", c.from, c.to, got)
		}
	}
}

func TestASubscriptionHearsOnlyOfWhatHappensLater(t *testing.T) {
	s := service()
	c := subscribe(t, s, t.Context(), ana)
	post := social.PostID("later")
	for n, since := range []time.Time{now.Add(-time.Microsecond), now} {
		p := post
		if n == 0 {
			p = "earlier"
		}
		if err := outbox.Publish(t.Context(), s.Bus, since, social.Notification{UserID: ana, PostID: &p}); err != nil {
			t.Fatal(err)
		}
	}
	if got := <-c; *got.PostID != post {
		t.Errorf("heard of %s", *got.PostID)
	}
}
