package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/systems/messaging"
)

// A group or two-person topic. Topics of single users are stored with their user.
var topics = keyspec.Define[topicItem](Topics, keyspec.Row{Key: keyspec.K("{Id}", "")})

type topicItem struct {
	ID        messaging.TopicID   `dynamo:"Id"`
	CreatedAt keyspec.MilliStamp  `dynamo:"CreatedAt"`
	UpdatedAt keyspec.MilliStamp  `dynamo:"UpdatedAt"`
	DeletedAt *keyspec.MilliStamp `dynamo:"DeletedAt,null"`
	Access    accessItem          `dynamo:"Access,zero"`
	Public    keyspec.JSON        `dynamo:"Public,null"`
	State     int                 `dynamo:"State,zero"`
	SeqID     int                 `dynamo:"SeqId,zero"`
	ClearID   int                 `dynamo:"ClearId,zero"`
	UseBt     bool                `dynamo:"UseBt,zero"`
	TouchedAt keyspec.MilliStamp  `dynamo:"TouchedAt"`
	Owner     messaging.UserID    `dynamo:"Owner"`
	SubCount  int                 `dynamo:"SubCount,zero"`
	Kind      messaging.TopicKind `dynamo:"Kind"`
	// Revision is not in the design. It is absent until the first subscription changes.
	Revision int `dynamo:"Revision"`
}

func topicKey(id messaging.TopicID) keyspec.Key { return topics.Key(string(id)) }

func topicItemOf(t *messaging.Topic) topicItem {
	i := topicItem{
		ID: t.ID, CreatedAt: keyspec.MilliStampOf(t.CreatedAt), UpdatedAt: keyspec.MilliStampOf(t.UpdatedAt), DeletedAt: whenOrNull(t.DeletedAt),
		Access: accessItemOf(t.Access), Public: keyspec.JSON(t.Public), SeqID: t.SeqID, ClearID: t.ClearID,
		TouchedAt: keyspec.MilliStampOf(t.TouchedAt), Owner: t.Owner, SubCount: t.SubCount, Kind: t.ID.Kind(), Revision: t.Revision,
	}
	if !t.Lives() {
		i.State = stateDeleted
	}
	return i
}

func (i *topicItem) topic() *messaging.Topic {
	return &messaging.Topic{
		ID: i.ID, CreatedAt: i.CreatedAt.Time(), UpdatedAt: i.UpdatedAt.Time(), DeletedAt: timeOf(i.DeletedAt), TouchedAt: i.TouchedAt.Time(),
		Access: i.Access.access(), Public: messaging.JSON(i.Public), SeqID: i.SeqID, ClearID: i.ClearID, Owner: i.Owner, SubCount: i.SubCount, Revision: i.Revision,
	}
}

// A present or former subscription to a topic.
var subscriptions = keyspec.Define[subscriptionItem](Subscriptions, keyspec.Row{
	Key: keyspec.K("{Topic}:{User}", ""),
	On:  keyspec.Indexes{ByUserUpdatedAt: keyspec.K("{User}", "{UpdatedAt}"), ByTopic: keyspec.K("{Topic}", "")},
})

type subscriptionItem struct {
	CreatedAt keyspec.MilliStamp  `dynamo:"CreatedAt"`
	UpdatedAt keyspec.MilliStamp  `dynamo:"UpdatedAt"`
	DeletedAt *keyspec.MilliStamp `dynamo:"DeletedAt,null"`
	Topic     messaging.TopicID   `dynamo:"Topic"`
	User      messaging.UserID    `dynamo:"User"`
	ReadSeqID int                 `dynamo:"ReadSeqId,zero"`
	RecvSeqID int                 `dynamo:"RecvSeqId,zero"`
	ClearID   int                 `dynamo:"ClearId,zero"`
	ModeWant  messaging.Mode      `dynamo:"ModeWant,zero"`
	ModeGiven messaging.Mode      `dynamo:"ModeGiven,zero"`
	Private   keyspec.JSON        `dynamo:"Private,null"`
	State     int                 `dynamo:"State,zero"`
}

func subscriptionKey(r messaging.SubscriptionRef) keyspec.Key {
	return subscriptions.Key(string(r.Topic), string(r.User))
}

func subscriptionItemOf(s *messaging.Subscription) subscriptionItem {
	return subscriptionItem{
		CreatedAt: keyspec.MilliStampOf(s.CreatedAt), UpdatedAt: keyspec.MilliStampOf(s.UpdatedAt), DeletedAt: whenOrNull(s.DeletedAt),
		Topic: s.Topic, User: s.User, ReadSeqID: s.ReadSeqID, RecvSeqID: s.RecvSeqID, ClearID: s.ClearID, ModeWant: s.Want, ModeGiven: s.Given,
		Private: keyspec.JSON(s.Private),
	}
}

func (i *subscriptionItem) subscription() *messaging.Subscription {
	return &messaging.Subscription{
		SubscriptionRef: messaging.SubscriptionRef{Topic: i.Topic, User: i.User}, CreatedAt: i.CreatedAt.Time(), UpdatedAt: i.UpdatedAt.Time(),
		DeletedAt: timeOf(i.DeletedAt), ReadSeqID: i.ReadSeqID, RecvSeqID: i.RecvSeqID, ClearID: i.ClearID, Want: i.ModeWant, Given: i.ModeGiven,
		Private: messaging.JSON(i.Private),
	}
}
