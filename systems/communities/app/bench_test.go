package app_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"stoa/internal/apptest"
	"stoa/internal/decision"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/communities"
	"stoa/systems/communities/app"
	chatarea "stoa/systems/communities/chat"
	"stoa/systems/communities/community"
	"stoa/systems/communities/message"
	"stoa/systems/communities/notice"
	"stoa/systems/communities/store"
)

// crowd returns a world with people of one city. No events are sent.
func crowd(b *testing.B, n int) (*store.Store, decision.Frame, []viewer.Viewer) {
	b.Helper()
	w := apptest.Bench(b, app.System(app.Options{}))
	s := store.Open(w.DB, func(*communities.User) bool { return false })
	var people []viewer.Viewer
	for i := range n {
		id := communities.UserID(w.NewID())
		err := s.People.Create(b.Context(), &communities.User{
			ID: id, Username: fmt.Sprint("p", i), Name: "p", Email: fmt.Sprintf("p%d@example.com", i), CreatedAt: w.Now(), Role: communities.Regular,
			Location: communities.Location{City: "Trenton", State: "New Jersey", Country: "USA"}, Permissions: communities.Regular.Permissions(), Version: 1,
		})
		if err != nil {
			b.Fatal(err)
		}
		people = append(people, viewer.Viewer{UserID: id})
	}
	return s, decision.Frame{Clock: time.Now, Precision: time.Millisecond, NewID: w.NewID}, people
}

// BenchmarkFiftyReactAtOnce measures the response time of fifty users who react to a
// message concurrently.
func BenchmarkFiftyReactAtOnce(b *testing.B) {
	s, frame, people := crowd(b, 50)
	ctx := b.Context()
	communityService := &community.Service{Store: s.Communities, Frame: frame}
	chats := &chatarea.Service{Store: s.Chats, Pointers: s.Communities, Frame: frame, Capacity: 100}
	messages := &message.Service{Store: s.Messages, Members: s.Chats, Frame: frame}
	c, err := communityService.Create(
		ctx,
		people[0],
		communities.CommunityPlan{Name: "c", Description: "d", Topic: communities.PTSD, Location: communities.Location{City: "a", State: "b", Country: "c"}},
	)
	if err != nil {
		b.Fatal(err)
	}
	h, err := chats.Create(ctx, people[0], c.ID(), communities.ChatPlan{Name: "h", Description: "d"})
	if err != nil {
		b.Fatal(err)
	}
	for _, p := range people[1:] {
		if _, err := communityService.Join(ctx, p, c.ID()); err != nil {
			b.Fatal(err)
		}
		if _, err := chats.Join(ctx, p, h.ID()); err != nil {
			b.Fatal(err)
		}
	}
	var waits []time.Duration
	for b.Loop() {
		m, err := messages.Send(ctx, people[0], h.Ref(), communities.Draft{Content: "x"})
		if err != nil {
			b.Fatal(err)
		}
		took := make([]time.Duration, len(people))
		var all sync.WaitGroup
		for i, p := range people {
			all.Go(func() {
				start := time.Now()
				if _, err := messages.React(ctx, p, h.Ref(), m.ID(), "LIKE"); err != nil {
					b.Error(err)
				}
				took[i] = time.Since(start)
			})
		}
		all.Wait()
		waits = append(waits, took...)
	}
	slices.Sort(waits)
	b.ReportMetric(float64(waits[len(waits)*99/100].Microseconds())/1000, "p99-ms")
}

// BenchmarkNotifyACity measures how many notifications per second are written for the 500
// people of a city.
func BenchmarkNotifyACity(b *testing.B) {
	s, frame, people := crowd(b, 501)
	notices := &notice.Service{Store: s.Notices, Members: s.Chats, People: s.People, Frame: frame}
	rows := 0
	for b.Loop() {
		e := communities.CommunityFounded{
			CommunityID: communities.CommunityID(frame.NewID()), FounderID: people[0].UserID, Name: "c", At: time.Now(),
			Place: communities.Location{City: "trenton", State: "new jersey", Country: "usa"},
		}
		for cursor, first := "", true; first || cursor != ""; first = false {
			next, n, err := notices.CommunityFounded(b.Context(), e, cursor, func(...outbox.Message) {})
			if err != nil {
				b.Fatal(err)
			}
			cursor, rows = next, rows+n
		}
	}
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
}
