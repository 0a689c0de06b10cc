package store

import (
	"strconv"

	"stoa/internal/kit/keyspec"
	"stoa/systems/messaging"
)

// A group or two-person topic. Topics of single users are stored with their user.
var topics = keyspec.Define[topicItem](Topics, keyspec.Row{Key: keyspec.K("{Id}", "")})

type topicItem struct {
	messaging.Topic
	State int                 `dynamo:"State,zero"`
	UseBt bool                `dynamo:"UseBt,zero"`
	Kind  messaging.TopicKind `dynamo:"Kind"`
}

func topicKey(id messaging.TopicID) keyspec.Key { return topics.Key(string(id)) }

func topicItemOf(t *messaging.Topic) topicItem {
	i := topicItem{Topic: *t, Kind: t.ID.Kind()}
	if !t.Exists() {
		i.State = stateDeleted
	}
	return i
}

func (i *topicItem) topic() *messaging.Topic { return &i.Topic }

// A present or former subscription to a topic.
var subscriptions = keyspec.Define[subscriptionItem](Subscriptions, keyspec.Row{
	Key: keyspec.K("{Topic}:{User}", ""),
	On:  keyspec.Indexes{ByUserUpdatedAt: keyspec.K("{User}", "{UpdatedAt}"), ByTopic: keyspec.K("{Topic}", "")},
})

type subscriptionItem struct {
	messaging.Subscription
	State int `dynamo:"State,zero"`
	// Held are the numbers of held messages.
	Held keyspec.Set `dynamo:"Held"`
}

func subscriptionKey(r messaging.SubscriptionRef) keyspec.Key {
	return subscriptions.Key(string(r.Topic), string(r.User))
}

func (i *subscriptionItem) subscription() *messaging.Subscription {
	for _, text := range i.Held {
		if n, err := strconv.Atoi(text); err == nil {
			i.Subscription.Held = append(i.Subscription.Held, n)
		}
	}
	return &i.Subscription
}
