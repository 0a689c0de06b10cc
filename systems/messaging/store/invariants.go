package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/systems/messaging"
)

// Broken reads everything and returns violations of the invariants between items, beyond
// those of keys, which keyspec's Verify checks. Concurrent writes, and the rest of what is
// being removed, may be reported as false positives.
func Broken(ctx context.Context, db *keyspec.DB, now time.Time) ([]keyspec.Flaw, error) {
	c := &census{
		now: now, users: map[messaging.UserID]*messaging.User{}, secrets: map[string]*messaging.Secret{}, tags: map[string]messaging.UserID{},
		topics: map[messaging.TopicID]*messaging.Topic{}, subscriptions: map[messaging.TopicID][]*messaging.Subscription{},
		messages: map[messaging.TopicID][]*messaging.Message{}, devices: map[string]messaging.UserID{},
	}
	for _, shelves := range [][]keyspec.Shelf{
		{users.Each(func(i userItem) { c.users[i.ID] = i.user() })},
		{secrets.Each(func(i secretItem) { c.secrets[i.Unique] = i.secret() })},
		{tags.Each(func(i tagItem) { c.tags[i.ID] = i.Source })},
		{topics.Each(func(i topicItem) { c.topics[i.ID] = i.topic() })},
		{subscriptions.Each(func(i subscriptionItem) {
			c.subscriptions[i.Topic] = append(c.subscriptions[i.Topic], i.subscription())
		})},
		{messages.Each(func(i messageItem) { c.message(i) })},
		{deviceOwners.Each(func(i deviceOwnerItem) { c.devices[i.Device] = i.UserID })},
	} {
		if err := db.Walk(ctx, shelves...); err != nil {
			return nil, err
		}
	}
	c.checkUsers()
	c.checkTopics()
	slices.SortFunc(c.broken, func(a, b keyspec.Flaw) int { return strings.Compare(a.Text, b.Text) })
	return c.broken, nil
}

// census contains everything stored.
type census struct {
	now           time.Time
	users         map[messaging.UserID]*messaging.User
	secrets       map[string]*messaging.Secret
	tags          map[string]messaging.UserID
	topics        map[messaging.TopicID]*messaging.Topic
	subscriptions map[messaging.TopicID][]*messaging.Subscription
	messages      map[messaging.TopicID][]*messaging.Message
	// devices are the owners of devices, by key.
	devices map[string]messaging.UserID

	broken []keyspec.Flaw
}

func (c *census) breaks(format string, args ...any) {
	c.broken = append(c.broken, keyspec.Flaw{Text: fmt.Sprintf(format, args...)})
}

// message checks that a message deleted for everybody has no content and a time of deletion
// (messaging 6#8), and that no user has deleted it twice.
func (c *census) message(i messageItem) {
	m := i.message()
	c.messages[m.Topic] = append(c.messages[m.Topic], m)
	ref := m.MessageRef
	if !i.DeletedAt.IsZero() && (i.Content != "" || i.Head != "" || !i.UpdatedAt.Equal(i.DeletedAt)) {
		c.breaks("message %s was deleted, but not what it says", ref)
	}
	if deleted := slices.Sorted(slices.Values(i.DeletedFor)); len(slices.Compact(deleted)) != len(i.DeletedFor) {
		c.breaks("message %s was deleted twice by one of %v", ref, i.DeletedFor)
	}
	if i.ExpireTime*1000 < i.CreatedAt.UnixMilli() {
		c.breaks("message %s goes at %d, before it was there", ref, i.ExpireTime)
	}
}

// checkUsers checks that tags, secrets and devices belong to their users (messaging 6#2 and
// 6#7).
func (c *census) checkUsers() {
	tags, secrets, devices := maps.Clone(c.tags), maps.Clone(c.secrets), maps.Clone(c.devices)
	for id, u := range c.users {
		for _, tag := range u.Tags {
			if tags[tag] != id {
				c.breaks("user %s has the tag %s, which is that of %q", id, tag, tags[tag])
			}
			delete(tags, tag)
		}
		if !slices.IsSorted(u.Tags) || !u.Exists() && len(u.Tags)+len(u.Devices) > 0 {
			c.breaks("user %s is %s and has the tags %v and %d devices", id, u.State, u.Tags, len(u.Devices))
		}
		for _, d := range u.Devices {
			if devices[d.Key()] != id {
				c.breaks("user %s has the device %s, which is that of %q", id, d.Key(), devices[d.Key()])
			}
			delete(devices, d.Key())
		}
		if u.Login() != "" {
			key := messaging.BasicTag(u.Login())
			if s := secrets[key]; s == nil || s.User != id {
				c.breaks("user %s has no secret %s", id, key)
			}
			delete(secrets, key)
		}
		for _, own := range messaging.Hidden(id, "", u.CreatedAt) {
			subs := c.subscriptions[own.Topic]
			if len(subs) != 1 && u.Exists() {
				c.breaks("user %s has %d subscriptions to %s", id, len(subs), own.Topic)
			}
			for _, s := range subs {
				if s.Active() != u.Exists() {
					c.breaks("user %s is %s, and the subscription to %s lasts: %t", id, u.State, own.Topic, s.Active())
				}
			}
		}
	}
	for tag, id := range tags {
		c.breaks("the tag %s is that of %s, who does not have it", tag, id)
	}
	for key, s := range secrets {
		c.breaks("the secret %s is that of %s, who does not sign in by it", key, s.User)
	}
	for key, id := range devices {
		c.breaks("the device %s is that of %s, who does not have it", key, id)
	}
}

// checkTopics checks owners, the users of two-person topics, subscriber counts, and
// receipts (messaging 6#3-6).
func (c *census) checkTopics() {
	for id, t := range c.topics {
		subs, owners, counts := c.subscriptions[id], []messaging.UserID{}, 0
		for _, sub := range subs {
			c.checkSubscription(t, sub)
			if sub.Counts() {
				counts++
			}
			if sub.Mode().Has(messaging.Own | messaging.Join) {
				owners = append(owners, sub.User)
			}
		}
		if a, b, ok := id.Pair(); ok {
			if len(subs) != 2 || !slices.ContainsFunc(subs, func(s *messaging.Subscription) bool { return s.User == a }) ||
				!slices.ContainsFunc(subs, func(s *messaging.Subscription) bool { return s.User == b }) {
				c.breaks("topic %s has %d subscriptions, not those of %s and %s", id, len(subs), a, b)
			}
		} else if t.Exists() && (len(owners) != 1 || owners[0] != t.Owner) {
			c.breaks("group %s is owned by %s and has the owners %v", id, t.Owner, owners)
		}
		if counts != t.SubCount || counts > messaging.MaxSubscribers {
			c.breaks("topic %s has %d subscribers and says %d", id, counts, t.SubCount)
		}
		if t.ClearID > t.SeqID {
			c.breaks("topic %s is cleared up to %d of %d", id, t.ClearID, t.SeqID)
		}
		c.checkNumbers(t)
	}
	for id := range c.subscriptions {
		if kind := id.Kind(); c.topics[id] == nil && (kind == messaging.Group || kind == messaging.P2P) {
			c.breaks("topic %s is gone, %d subscriptions to it are not", id, len(c.subscriptions[id]))
		} else if c.topics[id] == nil && c.users[id.Owner()] == nil {
			c.breaks("user %s is gone, the subscription to %s is not", id.Owner(), id)
		}
	}
	for id := range c.messages {
		if c.topics[id] == nil {
			c.breaks("topic %s is gone, its messages are not", id)
		}
	}
}

func (c *census) checkSubscription(t *messaging.Topic, s *messaging.Subscription) {
	if s.ReadSeqID > s.RecvSeqID || s.RecvSeqID > t.SeqID || s.ClearID > t.SeqID {
		c.breaks("subscription %s: read %d, received %d and cleared %d of %d", s.SubscriptionRef, s.ReadSeqID, s.RecvSeqID, s.ClearID, t.SeqID)
	}
	if u := c.users[s.User]; s.Active() && !u.Exists() {
		c.breaks("subscription %s lasts, its user is gone", s.SubscriptionRef)
	}
	if s.Active() && !t.Exists() {
		c.breaks("subscription %s lasts, its topic has ended", s.SubscriptionRef)
	}
}

// checkNumbers checks that messages have all numbers from the first stored one to the last
// (messaging 6#1). Earlier ones have expired or been deleted.
func (c *census) checkNumbers(t *messaging.Topic) {
	var numbers []int
	for _, m := range c.messages[t.ID] {
		if m.Seq > 0 {
			numbers = append(numbers, m.Seq)
			continue
		}
		if -m.Seq > t.HeldID || m.PublishedAs > t.SeqID || m.PublishedAs > 0 && m.Content != "" {
			c.breaks("message %s was held, but not in its topic, or is left where it was held", m.MessageRef)
		}
		for _, sub := range c.subscriptions[t.ID] {
			if m.PublishedAs == 0 && slices.Contains(sub.Held, m.Seq) && sub.User != m.From {
				c.breaks("message %s is held for %s, not for its author", m.MessageRef, sub.User)
			}
		}
	}
	slices.Sort(numbers)
	next := t.SeqID + 1 - len(numbers)
	for _, n := range numbers {
		if n != next {
			c.breaks("topic %s has %d messages up to %d, with a hole before %d", t.ID, len(numbers), t.SeqID, n)
			return
		}
		next++
	}
	if gone := t.SeqID - len(numbers); gone > t.ClearID && c.now.Sub(t.CreatedAt) < time.Minute {
		c.breaks("topic %s: the first %d messages are gone before their time", t.ID, gone)
	}
}
