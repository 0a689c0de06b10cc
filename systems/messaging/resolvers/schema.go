package resolvers

import (
	"context"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/resolve"
	"stoa/internal/kit/viewer"
	"stoa/systems/messaging"
	"stoa/systems/messaging/graph"
	"time"
)

func (r *liveResolver) TopicEvents(ctx context.Context, topicID string, clientID *string) (<-chan *messaging.SeenTopicEvent, error) {
	return r.Presences.ListenTopic(ctx, viewer.From(ctx), topicID, clientID)
}

func (r *liveResolver) MyEvents(ctx context.Context, clientID *string) (<-chan *messaging.SeenTopicEvent, error) {
	return r.Presences.ListenAccount(ctx, viewer.From(ctx), clientID)
}

func (r *messageResolver) From(ctx context.Context, obj *messaging.SeenMessage) (*messaging.SeenUser, error) {
	if author := obj.KnownAuthor(); author != nil {
		return author, nil
	}
	return r.named(ctx, obj.AuthorID())
}

func (r *messageResolver) ReceivedBy(ctx context.Context, obj *messaging.SeenMessage) (int, error) {
	readers, err := load(ctx).readers.One(ctx, obj.Ref().Topic)
	return readers.Received(obj), err
}

func (r *messageResolver) ReadBy(ctx context.Context, obj *messaging.SeenMessage) (int, error) {
	readers, err := load(ctx).readers.One(ctx, obj.Ref().Topic)
	return readers.Read(obj), err
}

func (r *mutationResolver) CreateAccount(ctx context.Context, input graph.CreateAccountInput) (*messaging.SignedIn, error) {
	return r.Accounts.Create(ctx, viewer.From(ctx), messaging.Registration{
		Anonymous: optional.Or(input.Scheme.Value(), graph.AuthSchemeBasic) == graph.AuthSchemeAnonymous,
		Login:     optional.Or(input.Login.Value(), ""), Password: optional.Or(input.Password.Value(), ""),
		Public: optional.Or(
			input.Public.Value(),
			"",
		), Private: optional.Or(input.Private.Value(), ""), Tags: input.Tags.Value(), Access: input.DefaultAccess.Value(),
	})
}

func (r *mutationResolver) Login(ctx context.Context, login string, password string) (*messaging.SignedIn, error) {
	return r.Accounts.Login(ctx, viewer.From(ctx), login, password)
}

func (r *mutationResolver) RefreshToken(ctx context.Context) (*messaging.SignedIn, error) {
	return r.Accounts.Refresh(ctx, viewer.From(ctx))
}

func (r *mutationResolver) ChangeLogin(ctx context.Context, currentPassword string, login string) (*messaging.SeenUser, error) {
	return r.Accounts.ChangeLogin(ctx, viewer.From(ctx), currentPassword, login)
}

func (r *mutationResolver) ChangePassword(ctx context.Context, currentPassword string, newPassword string) (*messaging.SeenUser, error) {
	return r.Accounts.ChangePassword(ctx, viewer.From(ctx), currentPassword, newPassword)
}

func (r *mutationResolver) UpdateAccount(ctx context.Context, input graph.UpdateAccountInput) (*messaging.SeenUser, error) {
	return r.Accounts.Update(ctx, viewer.From(ctx), messaging.AccountChange{
		Public: resolve.Edit(input.Public), Access: input.DefaultAccess.Value(), Tags: tags(input.Tags),
	})
}

func (r *mutationResolver) VerifyTags(ctx context.Context, token string) (*messaging.SeenUser, error) {
	return r.Accounts.VerifyTags(ctx, viewer.From(ctx), token)
}

func (r *mutationResolver) DeleteAccount(ctx context.Context, hard *bool) (bool, error) {
	err := r.Accounts.Delete(ctx, viewer.From(ctx), optional.Or(hard, false))
	return err == nil, err
}

func (r *mutationResolver) SuspendUser(ctx context.Context, id string) (*messaging.SeenUser, error) {
	return r.Accounts.Suspend(ctx, viewer.From(ctx), id)
}

func (r *mutationResolver) RestoreUser(ctx context.Context, id string) (*messaging.SeenUser, error) {
	return r.Accounts.Restore(ctx, viewer.From(ctx), id)
}

func (r *mutationResolver) SetSavedSearch(ctx context.Context, query *string) (*string, error) {
	return r.Contacts.Save(ctx, viewer.From(ctx), query)
}

func (r *mutationResolver) RegisterDevice(ctx context.Context, id string, platform messaging.Platform, lang *string) (*messaging.Device, error) {
	return r.Accounts.RegisterDevice(ctx, viewer.From(ctx), id, platform, lang)
}

func (r *mutationResolver) RemoveDevice(ctx context.Context, id string) (bool, error) {
	return r.Accounts.RemoveDevice(ctx, viewer.From(ctx), id)
}

func (r *mutationResolver) GoOnline(ctx context.Context, userAgent *string) (*time.Time, error) {
	at, err := r.Presences.GoOnline(ctx, viewer.From(ctx), userAgent)
	return &at, err
}

func (r *mutationResolver) GoOffline(ctx context.Context, userAgent *string) (*time.Time, error) {
	at, err := r.Presences.GoOffline(ctx, viewer.From(ctx), userAgent)
	return &at, err
}

func (r *mutationResolver) CreateGroup(ctx context.Context, input *graph.CreateGroupInput) (*messaging.SeenTopic, error) {
	plan := messaging.GroupPlan{}
	if input != nil {
		plan = messaging.GroupPlan{
			Public: optional.Or(
				input.Public.Value(),
				"",
			), Private: optional.Or(input.Private.Value(), ""), Access: input.DefaultAccess.Value(), Mode: input.Mode.Value(),
		}
	}
	return r.Topics.CreateGroup(ctx, viewer.From(ctx), plan)
}

func (r *mutationResolver) StartChat(ctx context.Context, userID string, input *graph.StartChatInput) (*messaging.SeenTopic, error) {
	plan := messaging.ChatPlan{}
	if input != nil {
		plan = messaging.ChatPlan{Private: optional.Or(input.Private.Value(), ""), Mode: input.Mode.Value(), PeerMode: input.PeerMode.Value()}
	}
	return r.Topics.StartChat(ctx, viewer.From(ctx), userID, plan)
}

func (r *mutationResolver) Subscribe(ctx context.Context, topicID string, mode *string, private *messaging.JSON) (*messaging.SeenSubscription, error) {
	return r.Topics.Subscribe(ctx, viewer.From(ctx), topicID, mode, optional.Or(private, ""))
}

func (r *mutationResolver) Unsubscribe(ctx context.Context, topicID string) (*messaging.SeenSubscription, error) {
	return r.Topics.Unsubscribe(ctx, viewer.From(ctx), topicID)
}

func (r *mutationResolver) UpdateTopic(ctx context.Context, id string, input graph.UpdateTopicInput) (*messaging.SeenTopic, error) {
	return r.Topics.Update(ctx, viewer.From(ctx), id, messaging.TopicChange{Public: resolve.Edit(input.Public), Access: input.DefaultAccess.Value()})
}

func (r *mutationResolver) SetPrivate(ctx context.Context, topicID string, private *messaging.JSON) (*messaging.SeenSubscription, error) {
	return r.Topics.SetPrivate(ctx, viewer.From(ctx), topicID, optional.Or(private, ""))
}

func (r *mutationResolver) SetMyAccess(ctx context.Context, topicID string, want string) (*messaging.SeenSubscription, error) {
	return r.Topics.SetMyAccess(ctx, viewer.From(ctx), topicID, want)
}

func (r *mutationResolver) SetAccess(ctx context.Context, topicID string, userID string, given *string) (*messaging.SeenSubscription, error) {
	return r.Topics.SetAccess(ctx, viewer.From(ctx), topicID, userID, given)
}

func (r *mutationResolver) RemoveSubscriber(ctx context.Context, topicID string, userID string) (*messaging.SeenSubscription, error) {
	return r.Topics.RemoveSubscriber(ctx, viewer.From(ctx), topicID, userID)
}

func (r *mutationResolver) TransferOwnership(ctx context.Context, topicID string, userID string) (*messaging.SeenSubscription, error) {
	return r.Topics.Offer(ctx, viewer.From(ctx), topicID, userID)
}

func (r *mutationResolver) AcceptOwnership(ctx context.Context, topicID string) (*messaging.SeenSubscription, error) {
	return r.Topics.Accept(ctx, viewer.From(ctx), topicID)
}

func (r *mutationResolver) DeleteTopic(ctx context.Context, id string, hard *bool) (string, error) {
	return id, r.Topics.Delete(ctx, viewer.From(ctx), id, optional.Or(hard, false))
}

func (r *mutationResolver) Publish(ctx context.Context, topicID string, content messaging.JSON, head *messaging.JSON, noEcho *bool, clientID *string) (*messaging.SeenMessage, error) {
	return r.Messages.Publish(ctx, viewer.From(ctx), topicID, messaging.Draft{
		Content: content, Head: optional.Or(head, ""), NoEcho: optional.Or(noEcho, false), ClientID: clientID,
	})
}

func (r *mutationResolver) EditMessage(ctx context.Context, topicID string, seqID int, content messaging.JSON) (*messaging.SeenMessage, error) {
	return r.Messages.Edit(ctx, viewer.From(ctx), topicID, seqID, content)
}

func (r *mutationResolver) DeleteMessages(ctx context.Context, topicID string, before *int, seqIds []int, ranges []*messaging.SeqRange, hard *bool) (*messaging.Deleted, error) {
	return r.Messages.Delete(ctx, viewer.From(ctx), topicID, messaging.Deletion{
		Before: before, Seqs: seqIds, Ranges: spans(ranges), Hard: optional.Or(hard, false),
	})
}

func (r *mutationResolver) ReportMessage(ctx context.Context, topicID string, seqID int, reason *string) (*messaging.SeenMessage, error) {
	return r.Messages.Report(ctx, viewer.From(ctx), topicID, seqID, optional.Or(reason, ""))
}

func (r *mutationResolver) Note(ctx context.Context, topicID string, kind messaging.NoteKind, seqID *int) (*messaging.SeenSubscription, error) {
	return r.Messages.Note(ctx, viewer.From(ctx), topicID, kind, seqID)
}

func (r *queryResolver) Me(ctx context.Context) (*messaging.SeenUser, error) {
	return r.Accounts.Me(ctx, viewer.From(ctx))
}

func (r *queryResolver) User(ctx context.Context, id string) (*messaging.SeenUser, error) {
	return r.Accounts.User(ctx, viewer.From(ctx), id)
}

func (r *queryResolver) CheckTags(ctx context.Context, tags []string) ([]*messaging.TagStatus, error) {
	return r.Contacts.Check(ctx, tags)
}

func (r *queryResolver) FindContacts(ctx context.Context, query *string, limit *int) ([]*messaging.FoundContact, error) {
	return r.Contacts.Find(ctx, viewer.From(ctx), query, limit)
}

func (r *queryResolver) SavedSearch(ctx context.Context) (*string, error) {
	return r.Contacts.Saved(ctx, viewer.From(ctx))
}

func (r *queryResolver) Topic(ctx context.Context, id string) (*messaging.SeenTopic, error) {
	return r.Topics.Topic(ctx, viewer.From(ctx), id)
}

func (r *queryResolver) MyTopics(ctx context.Context, since *time.Time, kinds []messaging.TopicKind, includeDeleted *bool, limit *int, nextToken *string) (*graph.SubscriptionConnection, error) {
	return resolve.Page[graph.SubscriptionConnection](r.Topics.Mine(ctx, viewer.From(ctx), messaging.TopicFilter{
		Since: optional.Or(since, time.Time{}), Kinds: kinds, Deleted: optional.Or(includeDeleted, false),
	}, resolve.Args(limit, nextToken)))
}

func (r *queryResolver) TopicSubscribers(ctx context.Context, topicID string, since *time.Time, limit *int, nextToken *string) (*graph.SubscriptionConnection, error) {
	return resolve.Page[graph.SubscriptionConnection](
		r.Topics.Of(ctx, viewer.From(ctx), "topicSubscribers", topicID, optional.Or(since, time.Time{}), resolve.Args(limit, nextToken)),
	)
}

func (r *queryResolver) Subscription(ctx context.Context, topicID string, userID *string) (*messaging.SeenSubscription, error) {
	return r.Topics.Subscription(ctx, viewer.From(ctx), topicID, userID)
}

func (r *queryResolver) Messages(ctx context.Context, topicID string, since *int, before *int, order *graph.SortOrder, limit *int, nextToken *string) (*graph.MessageConnection, error) {
	return resolve.Page[graph.MessageConnection](
		r.Resolver.Messages.List(ctx, viewer.From(ctx), listing("messages", topicID, since, before, order), resolve.Args(limit, nextToken)))
}

func (r *queryResolver) Message(ctx context.Context, topicID string, seqID int) (*messaging.SeenMessage, error) {
	return r.Resolver.Messages.Message(ctx, viewer.From(ctx), topicID, seqID)
}

func (r *queryResolver) DeletedMessages(ctx context.Context, topicID string, since *int, before *int, limit *int, nextToken *string) (*graph.SeqIDConnection, error) {
	ascending := graph.SortOrderAsc
	return resolve.Page[graph.SeqIDConnection](
		r.Resolver.Messages.Deleted(ctx, viewer.From(ctx), listing("deletedMessages", topicID, since, before, &ascending), resolve.Args(limit, nextToken)))
}

func (r *queryResolver) UnreadTotal(ctx context.Context) (int, error) {
	return r.Topics.Unread(ctx, viewer.From(ctx))
}

func (r *queryResolver) MyDevices(ctx context.Context) ([]*messaging.Device, error) {
	return r.Accounts.Devices(ctx, viewer.From(ctx))
}

func (r *subscriptionResolver) User(ctx context.Context, obj *messaging.SeenSubscription) (*messaging.SeenUser, error) {
	u, err := r.named(ctx, obj.UserID())
	if u == nil && err == nil {
		u = messaging.Gone(obj.UserID())
	}
	return u, err
}

func (r *topicResolver) Owner(ctx context.Context, obj *messaging.SeenTopic) (*messaging.SeenUser, error) {
	return r.named(ctx, obj.OwnerID())
}

func (r *topicResolver) Peer(ctx context.Context, obj *messaging.SeenTopic) (*messaging.SeenUser, error) {
	if peer := obj.KnownPeer(); peer != nil {
		return peer, nil
	}
	return r.named(ctx, obj.PeerID())
}

func (r *topicResolver) Online(ctx context.Context, obj *messaging.SeenTopic) (bool, error) {
	if !obj.Subscribed() && obj.Kind() == messaging.Group {
		return false, nil
	}
	return load(ctx).online.One(ctx, obj.Ref())
}

func (r *topicResolver) Subscribers(ctx context.Context, obj *messaging.SeenTopic, limit *int, nextToken *string) (*graph.SubscriptionConnection, error) {
	if !obj.Subscribed() {
		return nil, nil
	}
	return resolve.Page[graph.SubscriptionConnection](
		r.Topics.Of(ctx, viewer.From(ctx), "Topic.subscribers", obj.ID(), time.Time{}, resolve.Args(limit, nextToken)),
	)
}

func (r *topicResolver) Messages(ctx context.Context, obj *messaging.SeenTopic, since *int, before *int, order *graph.SortOrder, limit *int, nextToken *string) (*graph.MessageConnection, error) {
	if !obj.Subscribed() {
		return nil, nil
	}
	return resolve.Page[graph.MessageConnection](
		r.Resolver.Messages.List(ctx, viewer.From(ctx), listing("Topic.messages", obj.ID(), since, before, order), resolve.Args(limit, nextToken)))
}

func (r *Resolver) Live() graph.LiveResolver { return &liveResolver{r} }

func (r *Resolver) Message() graph.MessageResolver { return &messageResolver{r} }

func (r *Resolver) Mutation() graph.MutationResolver { return &mutationResolver{r} }

func (r *Resolver) Query() graph.QueryResolver { return &queryResolver{r} }

func (r *Resolver) Subscription() graph.SubscriptionResolver { return &subscriptionResolver{r} }

func (r *Resolver) Topic() graph.TopicResolver { return &topicResolver{r} }

type (
	liveResolver         struct{ *Resolver }
	messageResolver      struct{ *Resolver }
	mutationResolver     struct{ *Resolver }
	queryResolver        struct{ *Resolver }
	subscriptionResolver struct{ *Resolver }
	topicResolver        struct{ *Resolver }
)
