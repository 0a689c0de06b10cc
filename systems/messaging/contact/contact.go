// Package contact finds people by their tags.
package contact

import (
	"context"
	"slices"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/kit/retry"
	"stoa/internal/kit/viewer"
	"stoa/systems/messaging"
)

// Store stores tags and saved searches.
type Store interface {
	messaging.Reader
	// Note stores a user's private note on a topic.
	Note(ctx context.Context, sub *messaging.Subscription) error
}

// Service implements the contact area. Its fields are set once.
type Service struct {
	Store Store
	Now   func() time.Time
	// Country is the default calling code of telephone numbers.
	Country string
}

// Check reports which tags are free. The caller need not have an account.
func (s *Service) Check(ctx context.Context, tags []string) ([]*messaging.TagStatus, error) {
	if err := messaging.CheckTagCount(tags); err != nil {
		return nil, err
	}
	normal := make([]string, len(tags))
	for i, tag := range tags {
		var err error
		if normal[i], err = messaging.NormalTag(tag); err != nil {
			normal[i] = ""
		}
	}
	facts, err := s.Store.Facts(ctx, messaging.Wanted{Tags: slices.DeleteFunc(slices.Clone(normal), func(t string) bool { return t == "" })})
	if err != nil {
		return nil, err
	}
	var all []*messaging.TagStatus
	for i, tag := range tags {
		status := &messaging.TagStatus{Tag: tag}
		if normal[i] != "" {
			_, taken := facts.Tags[normal[i]]
			status.Normalized, status.Available = &normal[i], !taken
		}
		all = append(all, status)
	}
	return all, nil
}

// Find returns people by their tags, with the saved search if query is nil.
func (s *Service) Find(ctx context.Context, v viewer.Viewer, query *string, limit *int) ([]*messaging.FoundContact, error) {
	list, err := page.ListOf(page.Args{Limit: limit}, "messaging.findContacts", v.UserID)
	if err != nil {
		return nil, err
	}
	text, saved := "", query == nil
	if saved {
		old, err := s.saved(ctx, v)
		if err != nil {
			return nil, err
		}
		text = old.Search()
	} else {
		text = *query
	}
	search, err := messaging.ParseSearch(text, s.Country, saved)
	if err != nil {
		return nil, err
	}
	facts, _, err := messaging.Ask(ctx, s.Store, v.UserID, messaging.Wanted{Tags: search.Tags()})
	if err != nil {
		return nil, err
	}
	matches := slices.DeleteFunc(search.Match(facts.Tags), func(f messaging.Found) bool { return f.User == v.UserID })
	ids := make([]messaging.UserID, 0, len(matches))
	for _, f := range matches[:min(len(matches), messaging.MaxFound)] {
		ids = append(ids, f.User)
	}
	facts, err = s.Store.Facts(ctx, messaging.Wanted{Users: ids, Presences: ids})
	if err != nil {
		return nil, err
	}
	contacts := []*messaging.FoundContact{}
	for _, f := range matches {
		if u := facts.Users[f.User]; u.Active() && len(contacts) < list.Query.First {
			contacts = append(contacts, &messaging.FoundContact{User: u.SeenBy(v.UserID, facts.Presences[u.ID].Online(s.Now())), MatchedTags: f.Tags})
		}
	}
	return contacts, nil
}

// saved returns the viewer's subscription to their search topic.
func (s *Service) saved(ctx context.Context, v viewer.Viewer) (*messaging.Subscription, error) {
	ref := messaging.SubscriptionRef{Topic: messaging.FindTopic(v.UserID), User: v.UserID}
	facts, _, err := messaging.Ask(ctx, s.Store, v.UserID, messaging.Wanted{Subscriptions: []messaging.SubscriptionRef{ref}})
	if err != nil {
		return nil, err
	}
	if facts.Subscriptions[ref] == nil {
		return nil, messaging.ErrUnauthenticated
	}
	return facts.Subscriptions[ref], nil
}

// Saved returns the viewer's saved search, or nil if there is none.
func (s *Service) Saved(ctx context.Context, v viewer.Viewer) (*string, error) {
	old, err := s.saved(ctx, v)
	if err != nil || old.Search() == "" {
		return nil, err
	}
	text := old.Search()
	return &text, nil
}

// Save saves a search, or deletes it if query is nil.
func (s *Service) Save(ctx context.Context, v viewer.Viewer, query *string) (*string, error) {
	return retry.OnConflictOr(messaging.ErrContested, func() (*string, error) {
		old, err := s.saved(ctx, v)
		if err != nil {
			return nil, err
		}
		text := ""
		if query != nil {
			text = *query
		}
		if err := messaging.CheckSearch(text); err != nil {
			return nil, err
		}
		return query, s.Store.Note(ctx, old.Searching(text, s.Now().Truncate(time.Millisecond)))
	})
}
