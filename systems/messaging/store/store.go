package store

import (
	"context"
	"io"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/stored"
	"stoa/systems/messaging"
)

// Store is the store of all messaging.
type Store struct {
	Accounts      *AccountStore
	Topics        *TopicStore
	Messages      *MessageStore
	Presences     *PresenceStore
	Subscriptions *SubscriptionStore
	Roster        *Roster
}

// Open returns the store. db must contain Tables and the table of the outbox.
func Open(db *keyspec.DB) *Store {
	r := Reader{db}
	subscriptions := &SubscriptionStore{r}
	return &Store{&AccountStore{r}, &TopicStore{r}, &MessageStore{r}, &PresenceStore{r}, subscriptions, newRoster(subscriptions)}
}

// Reader implements reads that several parts of the store share.
type Reader struct{ db *keyspec.DB }

// Facts reads things consistently in one call.
func (r Reader) Facts(ctx context.Context, w messaging.Wanted) (*messaging.Facts, error) {
	b := r.db.NewBatch()
	someUsers := stored.Fetch(b, users, w.Users, userKey)
	someSecrets := stored.Fetch(b, secrets, w.Secrets, func(k string) keyspec.Key { return secrets.Key(k) })
	someTags := stored.Fetch(b, tags, w.Tags, func(t string) keyspec.Key { return tags.Key(t) })
	someTopics := stored.Fetch(b, topics, w.Topics, topicKey)
	someSubscriptions := stored.Fetch(b, subscriptions, w.Subscriptions, subscriptionKey)
	someMessages := stored.Fetch(b, messages, w.Messages, messageKey)
	somePresences := stored.Fetch(b, sessions, w.Presences, sessionsKey)
	someVersions := stored.Fetch(b, versions, w.Versions, func(id messaging.UserID) keyspec.Key { return versions.Key(string(id)) })
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	return &messaging.Facts{
		Users:         stored.Found(someUsers, w.Users, (*userItem).user),
		Secrets:       stored.Found(someSecrets, w.Secrets, (*secretItem).secret),
		Tags:          stored.Found(someTags, w.Tags, func(i *tagItem) messaging.UserID { return i.Source }),
		Topics:        stored.Found(someTopics, w.Topics, (*topicItem).topic),
		Subscriptions: stored.Found(someSubscriptions, w.Subscriptions, (*subscriptionItem).subscription),
		Messages:      stored.Found(someMessages, w.Messages, (*messageItem).message),
		Presences:     stored.Found(somePresences, w.Presences, (*sessionsItem).sessions),
		Versions:      stored.Found(someVersions, w.Versions, func(i *versionItem) int { return i.Version }),
	}, nil
}

// alive requires that a user's account is active.
func alive(tx *keyspec.Tx, id messaging.UserID) keyspec.Write {
	return users.Check(tx, userKey(id)).If("State = ?", stateOK)
}

const schemaHead = `<!-- Generated from the declarations in this package: go test ./systems/messaging/store -run Schema -update -->

# Tables

The name of each table is preceded by the table prefix of the deployment. Attributes are
strings unless marked otherwise; names ending in At are times in UTC with three fractional
digits. DeletedAt, Public, Private, Head and Content are NULL while unset.

`

// WriteSchema writes the design of the tables, as derived from the declarations.
func WriteSchema(w io.Writer) error { return keyspec.PrintAll(w, schemaHead, Tables...) }
