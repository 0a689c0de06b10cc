package social

// AppStoreSubChanged: the status of a user's App Store subscription changed. Its stored
// name is appStoreSub.moved.
type AppStoreSubChanged struct{ UserID UserID }

func (AppStoreSubChanged) EventName() string     { return "appStoreSub.moved" }
func (e AppStoreSubChanged) OrderingKey() string { return string(e.UserID) }

// SubscriptionLevelChanged: the subscription level of a user changed. Its stored name is
// subscription.moved.
type SubscriptionLevelChanged struct{ UserID UserID }

func (SubscriptionLevelChanged) EventName() string     { return "subscription.moved" }
func (e SubscriptionLevelChanged) OrderingKey() string { return string(e.UserID) }
