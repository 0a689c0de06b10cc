package social

// AppStoreSubMoved: the status of a user's App Store subscription changed.
type AppStoreSubMoved struct{ UserID UserID }

func (AppStoreSubMoved) EventName() string     { return "appStoreSub.moved" }
func (e AppStoreSubMoved) OrderingKey() string { return string(e.UserID) }

// SubscriptionMoved: the subscription level of a user changed.
type SubscriptionMoved struct{ UserID UserID }

func (SubscriptionMoved) EventName() string     { return "subscription.moved" }
func (e SubscriptionMoved) OrderingKey() string { return string(e.UserID) }
