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
	b, f := stored.NewBatch(r.db), &messaging.Facts{}
	stored.Into(b, &f.Users, users, w.Users, userKey, (*userItem).user)
	stored.Into(b, &f.Secrets, secrets, w.Secrets, func(k string) keyspec.Key { return secrets.Key(k) }, (*secretItem).secret)
	stored.Into(b, &f.Tags, tags, w.Tags, func(t string) keyspec.Key { return tags.Key(t) }, func(i *tagItem) messaging.UserID { return i.Source })
	stored.Into(b, &f.Topics, topics, w.Topics, topicKey, (*topicItem).topic)
	stored.Into(b, &f.Subscriptions, subscriptions, w.Subscriptions, subscriptionKey, (*subscriptionItem).subscription)
	stored.Into(b, &f.Messages, messages, w.Messages, messageKey, (*messageItem).message)
	stored.Into(b, &f.Presences, sessions, w.Presences, sessionsKey, (*sessionsItem).sessions)
	versionKey := func(id messaging.UserID) keyspec.Key { return versions.Key(string(id)) }
	stored.Into(b, &f.Versions, versions, w.Versions, versionKey, func(i *versionItem) int { return i.Version })
	return f, b.Run(ctx)
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
