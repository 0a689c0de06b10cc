package social

// AppStoreSubMoved: a subscription that a user bought in the App Store has a status that it
// did not have before.
type AppStoreSubMoved struct{ UserID UserID }

func (AppStoreSubMoved) EventName() string     { return "appStoreSub.moved" }
func (e AppStoreSubMoved) OrderingKey() string { return string(e.UserID) }

// SubscriptionMoved: a user has another subscription level.
type SubscriptionMoved struct{ UserID UserID }

func (SubscriptionMoved) EventName() string     { return "subscription.moved" }
func (e SubscriptionMoved) OrderingKey() string { return string(e.UserID) }
