// Package contact finds people by their tags.
package contact

import (
	"context"
	"slices"

	"stoa/internal/decision"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/page"
	"stoa/internal/kit/slice"
	"stoa/internal/kit/together"
	"stoa/internal/kit/viewer"
	"stoa/systems/messaging"
)

// Store stores tags and saved searches.
type Store interface {
	messaging.Reader
	// Note stores a user's private note on a topic.
	Note(ctx context.Context, sub *messaging.Subscription) error
}

// Holders finds the accounts of the service's own identity that have verified an address or
// a number.
type Holders interface {
	EmailHolder(ctx context.Context, email string) (id viewer.UserID, found bool, err error)
	PhoneHolder(ctx context.Context, phone string) (id viewer.UserID, found bool, err error)
}

// Service implements the contact area. Its fields are set once.
type Service struct {
	decision.Frame
	Store   Store
	Holders Holders
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
	verified, err := s.dropUnverified(ctx, facts.Tags)
	if err != nil {
		return nil, err
	}
	matches := slices.DeleteFunc(search.Match(facts.Tags), func(f messaging.Found) bool { return f.User == v.UserID })
	ids := slice.Map(matches[:min(len(matches), messaging.MaxFound)], func(f messaging.Found) messaging.UserID { return f.User })
	facts, err = s.Store.Facts(ctx, messaging.Wanted{Users: ids, Presences: ids})
	if err != nil {
		return nil, err
	}
	contacts := []*messaging.FoundContact{}
	for _, f := range matches {
		if u := facts.Users[f.User]; u.Active() && len(contacts) < list.Query.First {
			contacts = append(contacts, &messaging.FoundContact{
				User: u.SeenBy(v.UserID, facts.Presences[u.ID].Online(s.Now())), MatchedTags: f.Tags,
				VerifiedTags: slices.DeleteFunc(slices.Clone(f.Tags), func(tag string) bool { return !verified[tag] }),
			})
		}
	}
	return contacts, nil
}

// atOnce is the maximum number of concurrent lookups of holders.
const atOnce = 8

// dropUnverified deletes the owners of those tags that claim an address or a number which somebody
// else has verified, and returns the tags that their owners have verified themselves. It
// asks the service's own identity each time, so that what is verified later counts at once.
func (s *Service) dropUnverified(ctx context.Context, owners map[string]messaging.UserID) (verified map[string]bool, err error) {
	type claim struct {
		tag string
		messaging.Reach
		holder viewer.UserID
	}
	var claims []claim
	for tag := range owners {
		if reach := messaging.ReachOf(tag, s.Country); reach != (messaging.Reach{}) {
			claims = append(claims, claim{tag, reach, ""})
		}
	}
	err = together.Each(ctx, len(claims), atOnce, func(ctx context.Context, i int) (err error) {
		c := &claims[i]
		if c.Email != "" {
			c.holder, _, err = s.Holders.EmailHolder(ctx, c.Email)
		} else {
			c.holder, _, err = s.Holders.PhoneHolder(ctx, c.Phone)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	claims = slices.DeleteFunc(claims, func(c claim) bool { return c.holder == "" })
	if len(claims) == 0 {
		return nil, nil
	}
	var w messaging.Wanted
	for _, c := range claims {
		w.Users = append(w.Users, owners[c.tag])
	}
	facts, err := s.Store.Facts(ctx, w)
	if err != nil {
		return nil, err
	}
	verified = map[string]bool{}
	for _, c := range claims {
		if u := facts.Users[owners[c.tag]]; u.Active() && u.Identity == c.holder {
			verified[c.tag] = true
		} else {
			delete(owners, c.tag)
		}
	}
	return verified, nil
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
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*string, error) {
		old, err := s.saved(ctx, v)
		if err != nil {
			return nil, err
		}
		text := optional.Or(query, "")
		if err := messaging.CheckSearch(text); err != nil {
			return nil, err
		}
		return query, s.Store.Note(ctx, old.Searching(text, s.Now()))
	})
}
