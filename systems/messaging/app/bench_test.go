package app_test

import (
	"fmt"
	"sync"
	"testing"

	"stoa/internal/apptest"
	"stoa/internal/kit/engine/enginetest"
	"stoa/internal/kit/viewer"
	"stoa/systems/messaging"
	"stoa/systems/messaging/app"
	"stoa/systems/messaging/message"
	"stoa/systems/messaging/store"
)

// BenchmarkTwentyWriters measures the messages per second that twenty users publish in one
// topic.
func BenchmarkTwentyWriters(b *testing.B) {
	disk := enginetest.Open(b, b.TempDir())
	w := apptest.BenchOn(b, disk, app.System(cheap))
	ctx, s := b.Context(), store.Open(w.DB)
	topic := messaging.NewGroup(messaging.Short("topic"))
	var subs []*messaging.Subscription
	var writers []viewer.Viewer
	for i := range 20 {
		id := messaging.UserID(messaging.Short(fmt.Sprint("writer ", i)))
		u := &messaging.User{ID: id, CreatedAt: w.Now(), UpdatedAt: w.Now(), State: messaging.InUse, Tags: []string{}}
		if err := s.Accounts.Create(ctx, u, nil, messaging.Hidden(id, "", w.Now())); err != nil {
			b.Fatal(err)
		}
		subs = append(subs, messaging.NewSubscription(topic, id, messaging.OwnerMode, messaging.GroupDefault, w.Now()))
		writers = append(writers, viewer.Viewer{UserID: id})
	}
	t := &messaging.Topic{ID: topic, CreatedAt: w.Now(), UpdatedAt: w.Now(), Owner: subs[0].User, SubCount: len(subs)}
	if err := s.Topics.Create(ctx, t, subs); err != nil {
		b.Fatal(err)
	}
	messages := message.New(s.Messages, w.Host.Ops.Operators, w.Host.Frame, messaging.DefaultLifetimes)
	n := 0
	for b.Loop() {
		var all sync.WaitGroup
		for _, v := range writers {
			all.Go(func() {
				if _, err := messages.Publish(ctx, v, string(topic), messaging.Draft{Content: `"hello"`}); err != nil {
					b.Error(err)
				}
			})
		}
		all.Wait()
		n += len(writers)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "messages/s")
	facts, err := s.Messages.Facts(ctx, messaging.Wanted{Topics: []messaging.TopicID{topic}})
	if err != nil || facts.Topics[topic].SeqID != n {
		b.Fatalf("the last number is %d after %d messages, %v", facts.Topics[topic].SeqID, n, err)
	}
}
