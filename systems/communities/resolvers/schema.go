package resolvers

import (
	"context"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/resolve"
	"stoa/internal/kit/viewer"
	"stoa/systems/communities"
	"stoa/systems/communities/graph"
	"time"
)

func (r *chatRequestResolver) User(ctx context.Context, obj *communities.SeenRequest) (*communities.SeenUser, error) {
	return r.named(ctx, obj.UserID())
}

func (r *chatRequestResolver) Chat(ctx context.Context, obj *communities.SeenRequest) (*communities.SeenGroup, error) {
	return load(ctx).chats.One(ctx, obj.ChatID())
}

func (r *chatRequestResolver) DecidedBy(ctx context.Context, obj *communities.SeenRequest) (*communities.SeenUser, error) {
	return r.named(ctx, obj.DeciderID())
}

func (r *communityResolver) Founder(ctx context.Context, obj *communities.SeenCommunity) (*communities.SeenUser, error) {
	return r.named(ctx, obj.FounderID())
}

func (r *communityResolver) IsMember(ctx context.Context, obj *communities.SeenCommunity) (bool, error) {
	return load(ctx).inside.One(ctx, obj.ID())
}

func (r *communityResolver) Members(ctx context.Context, obj *communities.SeenCommunity, limit *int, nextToken *string) (*graph.CommunityMemberConnection, error) {
	return resolve.Page[graph.CommunityMemberConnection](
		r.Communities.Members(ctx, viewer.From(ctx), "Community.members", obj.ID(), resolve.Args(limit, nextToken)))
}

func (r *communityResolver) GroupChats(ctx context.Context, obj *communities.SeenCommunity, limit *int, nextToken *string) (*graph.GroupChatConnection, error) {
	return resolve.Page[graph.GroupChatConnection](r.Chats.InCommunity(ctx, viewer.From(ctx), "Community.groupChats", obj.ID(), resolve.Args(limit, nextToken)))
}

func (r *groupChatResolver) Community(ctx context.Context, obj *communities.SeenGroup) (*communities.SeenCommunity, error) {
	return load(ctx).communities.One(ctx, obj.CommunityID())
}

func (r *groupChatResolver) Owner(ctx context.Context, obj *communities.SeenGroup) (*communities.SeenUser, error) {
	return r.named(ctx, obj.OwnerID())
}

func (r *groupChatResolver) MyPendingRequest(ctx context.Context, obj *communities.SeenGroup) (*communities.SeenRequest, error) {
	return load(ctx).pending.One(ctx, obj.ID())
}

func (r *groupChatResolver) Members(ctx context.Context, obj *communities.SeenGroup, limit *int, nextToken *string) (*graph.ChatMemberConnection, error) {
	if !obj.IsMember() {
		return nil, nil
	}
	return resolve.Page[graph.ChatMemberConnection](r.Chats.Members(ctx, viewer.From(ctx), "GroupChat.members", obj.ID(), resolve.Args(limit, nextToken)))
}

func (r *groupChatResolver) Messages(ctx context.Context, obj *communities.SeenGroup, after *time.Time, before *time.Time, limit *int, nextToken *string) (*graph.MessageConnection, error) {
	if !obj.IsMember() {
		return nil, nil
	}
	return resolve.Page[graph.MessageConnection](
		r.Resolver.Messages.List(ctx, viewer.From(ctx), "GroupChat.messages", obj.Ref(), span(after, before), true, resolve.Args(limit, nextToken)))
}

func (r *messageResolver) Author(ctx context.Context, obj *communities.SeenMessage) (*communities.SeenUser, error) {
	return r.named(ctx, obj.AuthorID())
}

func (r *messageResolver) ReplyTo(ctx context.Context, obj *communities.SeenMessage) (*communities.SeenMessage, error) {
	if _, ok := obj.RepliesTo(); !ok {
		return nil, nil
	}
	return load(ctx).replied.One(ctx, obj)
}

func (r *messageResolver) Reactions(ctx context.Context, obj *communities.SeenMessage) ([]*communities.SeenReaction, error) {
	return r.reactions(ctx, obj)
}

func (r *messageResolver) ReactionCounts(ctx context.Context, obj *communities.SeenMessage) ([]*communities.ReactionCount, error) {
	all, err := r.reactions(ctx, obj)
	return communities.CountReactions(all), err
}

func (r *mutationResolver) Register(ctx context.Context, input graph.RegisterInput) (*communities.SignedIn, error) {
	return r.Accounts.SignUp(ctx, viewer.From(ctx), communities.Registration{
		Username: input.Username, Name: input.Name, Email: input.Email, Password: input.Password, Location: place(input.Location), Bio: input.Bio.Value(),
	})
}

func (r *mutationResolver) Login(ctx context.Context, login string, password string) (*communities.SignedIn, error) {
	return r.Accounts.Login(ctx, viewer.From(ctx), login, password)
}

func (r *mutationResolver) RefreshSession(ctx context.Context, refreshToken string) (*communities.SignedIn, error) {
	return r.Accounts.Refresh(ctx, refreshToken)
}

func (r *mutationResolver) RevokeSessions(ctx context.Context) (bool, error) {
	err := r.Accounts.Revoke(ctx, viewer.From(ctx))
	return err == nil, err
}

func (r *mutationResolver) UpdateProfile(ctx context.Context, input graph.UpdateProfileInput) (*communities.SeenUser, error) {
	return r.Accounts.Update(ctx, viewer.From(ctx), communities.ProfileChange{
		Username: resolve.Edit(
			input.Username,
		), Name: resolve.Edit(input.Name), Email: resolve.Edit(input.Email), Bio: resolve.Edit(input.Bio), AvatarURL: resolve.Edit(input.AvatarURL),
		CoverPhotoURL: resolve.Edit(input.CoverPhotoURL), Location: placeField(input.Location), Expected: input.ExpectedVersion.Value(),
	})
}

func (r *mutationResolver) ChangePassword(ctx context.Context, current string, new string) (bool, error) {
	err := r.Accounts.ChangePassword(ctx, viewer.From(ctx), current, new)
	return err == nil, err
}

func (r *mutationResolver) DeleteAccount(ctx context.Context, password string) (bool, error) {
	err := r.Accounts.Delete(ctx, viewer.From(ctx), password)
	return err == nil, err
}

func (r *mutationResolver) Heartbeat(ctx context.Context) (*time.Time, error) {
	at, err := r.Accounts.Heartbeat(ctx, viewer.From(ctx))
	return &at, err
}

func (r *mutationResolver) SetUserPermissions(ctx context.Context, userID string, permissions []communities.Permission) (*communities.SeenUser, error) {
	return r.Accounts.SetPermissions(ctx, viewer.From(ctx), communities.UserID(userID), permissions)
}

func (r *mutationResolver) SetUserRole(ctx context.Context, userID string, role communities.Role) (*communities.SeenUser, error) {
	return r.Accounts.SetRole(ctx, viewer.From(ctx), communities.UserID(userID), role)
}

func (r *mutationResolver) BanUser(ctx context.Context, userID string) (*communities.SeenUser, error) {
	return r.Accounts.Ban(ctx, viewer.From(ctx), communities.UserID(userID))
}

func (r *mutationResolver) UnbanUser(ctx context.Context, userID string) (*communities.SeenUser, error) {
	return r.Accounts.Unban(ctx, viewer.From(ctx), communities.UserID(userID))
}

func (r *mutationResolver) CreateCommunity(ctx context.Context, input graph.CreateCommunityInput) (*communities.SeenCommunity, error) {
	return r.Communities.Create(ctx, viewer.From(ctx), communities.CommunityPlan{
		Name: input.Name, Description: input.Description, Topic: input.Topic, Location: place(input.Location),
		AvatarURL: input.AvatarURL.Value(), CoverPhotoURL: input.CoverPhotoURL.Value(),
	})
}

func (r *mutationResolver) UpdateCommunity(ctx context.Context, id string, input graph.UpdateCommunityInput) (*communities.SeenCommunity, error) {
	return r.Communities.Update(ctx, viewer.From(ctx), communities.CommunityID(id), communities.CommunityChange{
		Name: resolve.Edit(input.Name), Description: resolve.Edit(input.Description), Topic: resolve.Edit(input.Topic), Location: placeField(input.Location),
		AvatarURL: resolve.Edit(input.AvatarURL), CoverPhotoURL: resolve.Edit(input.CoverPhotoURL), Expected: input.ExpectedVersion.Value(),
	})
}

func (r *mutationResolver) DeleteCommunity(ctx context.Context, id string) (string, error) {
	return id, r.Communities.Delete(ctx, viewer.From(ctx), communities.CommunityID(id))
}

func (r *mutationResolver) TransferCommunity(ctx context.Context, id string, userID string) (*communities.SeenCommunity, error) {
	return r.Communities.Transfer(ctx, viewer.From(ctx), communities.CommunityID(id), communities.UserID(userID))
}

func (r *mutationResolver) JoinCommunity(ctx context.Context, id string) (*communities.SeenCommunity, error) {
	return r.Communities.Join(ctx, viewer.From(ctx), communities.CommunityID(id))
}

func (r *mutationResolver) LeaveCommunity(ctx context.Context, id string) (*communities.SeenCommunity, error) {
	return r.Communities.Leave(ctx, viewer.From(ctx), communities.CommunityID(id))
}

func (r *mutationResolver) RemoveCommunityMember(ctx context.Context, communityID string, userID string) (*communities.SeenCommunity, error) {
	return r.Communities.Remove(ctx, viewer.From(ctx), communities.CommunityID(communityID), communities.UserID(userID))
}

func (r *mutationResolver) CreateGroupChat(ctx context.Context, communityID string, input graph.CreateGroupChatInput) (*communities.SeenGroup, error) {
	return r.Chats.Create(ctx, viewer.From(ctx), communities.CommunityID(communityID), communities.ChatPlan{
		Name: input.Name, Description: input.Description, Closed: optional.Or(input.Private.Value(), false), Capacity: input.Capacity.Value(),
	})
}

func (r *mutationResolver) UpdateGroupChat(ctx context.Context, id string, input graph.UpdateGroupChatInput) (*communities.SeenGroup, error) {
	return r.Chats.Update(ctx, viewer.From(ctx), communities.ChatID(id), communities.ChatChange{
		Name: resolve.Edit(
			input.Name,
		), Description: resolve.Edit(input.Description), Closed: resolve.Edit(input.Private), Capacity: resolve.Edit(input.Capacity),
		Expected: input.ExpectedVersion.Value(),
	})
}

func (r *mutationResolver) DeleteGroupChat(ctx context.Context, id string) (string, error) {
	return id, r.Chats.Delete(ctx, viewer.From(ctx), communities.ChatID(id))
}

func (r *mutationResolver) JoinGroupChat(ctx context.Context, id string) (*communities.SeenGroup, error) {
	return r.Chats.Join(ctx, viewer.From(ctx), communities.ChatID(id))
}

func (r *mutationResolver) LeaveGroupChat(ctx context.Context, id string) (*communities.SeenGroup, error) {
	return r.Chats.Leave(ctx, viewer.From(ctx), communities.ChatID(id))
}

func (r *mutationResolver) RemoveGroupChatMember(ctx context.Context, id string, userID string) (*communities.SeenGroup, error) {
	return r.Chats.Remove(ctx, viewer.From(ctx), communities.ChatID(id), communities.UserID(userID))
}

func (r *mutationResolver) TransferGroupChat(ctx context.Context, id string, userID string) (*communities.SeenGroup, error) {
	return r.Chats.Transfer(ctx, viewer.From(ctx), communities.ChatID(id), communities.UserID(userID))
}

func (r *mutationResolver) OpenPrivateChat(ctx context.Context, userID string) (*communities.SeenPrivate, error) {
	return r.Chats.Open(ctx, viewer.From(ctx), communities.UserID(userID))
}

func (r *mutationResolver) HidePrivateChat(ctx context.Context, id string) (bool, error) {
	err := r.Chats.Hide(ctx, viewer.From(ctx), communities.ChatID(id))
	return err == nil, err
}

func (r *mutationResolver) SendMessage(ctx context.Context, chatType communities.ChatType, chatID string, content string, replyToID *string, clientID *string) (*communities.SeenMessage, error) {
	return r.Messages.Send(ctx, viewer.From(ctx), in(chatType, chatID), communities.Draft{Content: content, ReplyTo: replyToID, ClientID: clientID})
}

func (r *mutationResolver) EditMessage(ctx context.Context, chatType communities.ChatType, chatID string, id string, content string) (*communities.SeenMessage, error) {
	return r.Messages.Edit(ctx, viewer.From(ctx), in(chatType, chatID), id, content)
}

func (r *mutationResolver) DeleteMessage(ctx context.Context, chatType communities.ChatType, chatID string, id string) (*communities.SeenMessage, error) {
	return r.Messages.Delete(ctx, viewer.From(ctx), in(chatType, chatID), id)
}

func (r *mutationResolver) ReportMessage(ctx context.Context, chatID string, id string, reason *string) (*communities.SeenMessage, error) {
	return r.Messages.Report(ctx, viewer.From(ctx), communities.ChatID(chatID), id, optional.Or(reason, ""))
}

func (r *mutationResolver) ReactToMessage(ctx context.Context, chatType communities.ChatType, chatID string, id string, typeArg communities.ReactionType) (*communities.SeenMessage, error) {
	return r.Messages.React(ctx, viewer.From(ctx), in(chatType, chatID), id, typeArg)
}

func (r *mutationResolver) RemoveReaction(ctx context.Context, chatType communities.ChatType, chatID string, id string) (*communities.SeenMessage, error) {
	return r.Messages.Unreact(ctx, viewer.From(ctx), in(chatType, chatID), id)
}

func (r *mutationResolver) MarkMessagesRead(ctx context.Context, chatType communities.ChatType, chatID string, ids []string) (int, error) {
	return r.Messages.MarkRead(ctx, viewer.From(ctx), in(chatType, chatID), ids)
}

func (r *mutationResolver) MuteChat(ctx context.Context, chatType communities.ChatType, chatID string, muted bool) (bool, error) {
	return muted, r.Chats.Mute(ctx, viewer.From(ctx), in(chatType, chatID), muted)
}

func (r *mutationResolver) SendTyping(ctx context.Context, chatType communities.ChatType, chatID string) (bool, error) {
	err := r.Messages.Typing(ctx, viewer.From(ctx), in(chatType, chatID))
	return err == nil, err
}

func (r *mutationResolver) RequestToJoin(ctx context.Context, chatID string, note *string) (*communities.SeenRequest, error) {
	return r.Requests.Ask(ctx, viewer.From(ctx), communities.ChatID(chatID), note)
}

func (r *mutationResolver) CancelChatRequest(ctx context.Context, id string) (*communities.SeenRequest, error) {
	return r.Requests.Cancel(ctx, viewer.From(ctx), id)
}

func (r *mutationResolver) AcceptChatRequest(ctx context.Context, id string) (*communities.SeenRequest, error) {
	return r.Requests.Accept(ctx, viewer.From(ctx), id)
}

func (r *mutationResolver) RejectChatRequest(ctx context.Context, id string) (*communities.SeenRequest, error) {
	return r.Requests.Reject(ctx, viewer.From(ctx), id)
}

func (r *mutationResolver) MarkChatRequestSeen(ctx context.Context, id string) (*communities.SeenRequest, error) {
	return r.Requests.See(ctx, viewer.From(ctx), id)
}

func (r *mutationResolver) MarkNotificationRead(ctx context.Context, id string) (*communities.SeenNotification, error) {
	return r.Notices.MarkRead(ctx, viewer.From(ctx), id)
}

func (r *mutationResolver) MarkNotificationsSeen(ctx context.Context, ids []string) (int, error) {
	return r.Notices.MarkSeen(ctx, viewer.From(ctx), ids)
}

func (r *mutationResolver) MarkAllNotificationsRead(ctx context.Context) (int, error) {
	return r.Notices.MarkAllRead(ctx, viewer.From(ctx))
}

func (r *mutationResolver) DeleteNotification(ctx context.Context, id string) (string, error) {
	return id, r.Notices.Delete(ctx, viewer.From(ctx), id)
}

func (r *notificationResolver) Message(ctx context.Context, obj *communities.SeenNotification) (string, error) {
	return load(ctx).texts.One(ctx, obj)
}

func (r *notificationResolver) Actor(ctx context.Context, obj *communities.SeenNotification) (*communities.SeenUser, error) {
	return r.named(ctx, obj.ActorID())
}

func (r *privateChatResolver) OtherUser(ctx context.Context, obj *communities.SeenPrivate) (*communities.SeenUser, error) {
	return r.named(ctx, obj.OtherID())
}

func (r *privateChatResolver) Messages(ctx context.Context, obj *communities.SeenPrivate, after *time.Time, before *time.Time, limit *int, nextToken *string) (*graph.MessageConnection, error) {
	return resolve.Page[graph.MessageConnection](
		r.Resolver.Messages.List(ctx, viewer.From(ctx), "PrivateChat.messages", obj.Ref(), span(after, before), true, resolve.Args(limit, nextToken)))
}

func (r *queryResolver) Me(ctx context.Context) (*communities.SeenUser, error) {
	return r.Accounts.Me(ctx, viewer.From(ctx))
}

func (r *queryResolver) User(ctx context.Context, id string) (*communities.SeenUser, error) {
	return r.Accounts.User(ctx, viewer.From(ctx), communities.UserID(id))
}

func (r *queryResolver) UserByUsername(ctx context.Context, username string) (*communities.SeenUser, error) {
	return r.Accounts.ByUsername(ctx, viewer.From(ctx), username)
}

func (r *queryResolver) UserByEmail(ctx context.Context, email string) (*communities.SeenUser, error) {
	return r.Accounts.ByEmail(ctx, viewer.From(ctx), email)
}

func (r *queryResolver) Users(ctx context.Context, limit *int, nextToken *string) (*graph.UserConnection, error) {
	return resolve.Page[graph.UserConnection](r.Accounts.All(ctx, viewer.From(ctx), resolve.Args(limit, nextToken)))
}

func (r *queryResolver) Community(ctx context.Context, id string) (*communities.SeenCommunity, error) {
	return r.Resolver.Communities.Community(ctx, viewer.From(ctx), communities.CommunityID(id))
}

func (r *queryResolver) CommunityByName(ctx context.Context, name string) (*communities.SeenCommunity, error) {
	return r.Resolver.Communities.ByName(ctx, viewer.From(ctx), name)
}

func (r *queryResolver) Communities(ctx context.Context, country *string, state *string, city *string, topic *communities.Topic, limit *int, nextToken *string) (*graph.CommunityConnection, error) {
	near := communities.Near{Country: country, State: state, City: city}
	return resolve.Page[graph.CommunityConnection](r.Resolver.Communities.Find(ctx, viewer.From(ctx), near, topic, resolve.Args(limit, nextToken)))
}

func (r *queryResolver) MyCommunities(ctx context.Context, limit *int, nextToken *string) (*graph.CommunityConnection, error) {
	v := viewer.From(ctx)
	return resolve.Page[graph.CommunityConnection](r.Resolver.Communities.Of(ctx, v, "myCommunities", v.UserID, resolve.Args(limit, nextToken)))
}

func (r *queryResolver) UserCommunities(ctx context.Context, userID string, limit *int, nextToken *string) (*graph.CommunityConnection, error) {
	return resolve.Page[graph.CommunityConnection](
		r.Resolver.Communities.Of(ctx, viewer.From(ctx), "userCommunities", communities.UserID(userID), resolve.Args(limit, nextToken)))
}

func (r *queryResolver) CommunityMembers(ctx context.Context, communityID string, limit *int, nextToken *string) (*graph.CommunityMemberConnection, error) {
	return resolve.Page[graph.CommunityMemberConnection](
		r.Resolver.Communities.Members(ctx, viewer.From(ctx), "communityMembers", communities.CommunityID(communityID), resolve.Args(limit, nextToken)))
}

func (r *queryResolver) CommunityGroupChats(ctx context.Context, communityID string, limit *int, nextToken *string) (*graph.GroupChatConnection, error) {
	return resolve.Page[graph.GroupChatConnection](
		r.Chats.InCommunity(ctx, viewer.From(ctx), "communityGroupChats", communities.CommunityID(communityID), resolve.Args(limit, nextToken)),
	)
}

func (r *queryResolver) GroupChat(ctx context.Context, id string) (*communities.SeenGroup, error) {
	return r.Chats.Group(ctx, viewer.From(ctx), communities.ChatID(id))
}

func (r *queryResolver) GroupChatMembers(ctx context.Context, chatID string, limit *int, nextToken *string) (*graph.ChatMemberConnection, error) {
	return resolve.Page[graph.ChatMemberConnection](
		r.Chats.Members(ctx, viewer.From(ctx), "groupChatMembers", communities.ChatID(chatID), resolve.Args(limit, nextToken)),
	)
}

func (r *queryResolver) MyGroupChats(ctx context.Context, limit *int, nextToken *string) (*graph.GroupChatConnection, error) {
	return resolve.Page[graph.GroupChatConnection](r.Chats.Mine(ctx, viewer.From(ctx), resolve.Args(limit, nextToken)))
}

func (r *queryResolver) MyPrivateChats(ctx context.Context, limit *int, nextToken *string) (*graph.PrivateChatConnection, error) {
	return resolve.Page[graph.PrivateChatConnection](r.Chats.MinePrivate(ctx, viewer.From(ctx), resolve.Args(limit, nextToken)))
}

func (r *queryResolver) PrivateChat(ctx context.Context, id string) (*communities.SeenPrivate, error) {
	return r.Chats.Private(ctx, viewer.From(ctx), communities.ChatID(id))
}

func (r *queryResolver) PrivateChatWith(ctx context.Context, userID string) (*communities.SeenPrivate, error) {
	return r.Chats.PrivateWith(ctx, viewer.From(ctx), communities.UserID(userID))
}

func (r *queryResolver) Messages(ctx context.Context, chatType communities.ChatType, chatID string, after *time.Time, before *time.Time, order *graph.SortOrder, limit *int, nextToken *string) (*graph.MessageConnection, error) {
	newestFirst := optional.Or(order, graph.SortOrderDesc) == graph.SortOrderDesc
	return resolve.Page[graph.MessageConnection](
		r.Resolver.Messages.List(ctx, viewer.From(ctx), "messages", in(chatType, chatID), span(after, before), newestFirst, resolve.Args(limit, nextToken)))
}

func (r *queryResolver) Message(ctx context.Context, chatType communities.ChatType, chatID string, id string) (*communities.SeenMessage, error) {
	return r.Resolver.Messages.Message(ctx, viewer.From(ctx), in(chatType, chatID), id)
}

func (r *queryResolver) Notifications(ctx context.Context, filter *communities.NotificationFilter, limit *int, nextToken *string) (*graph.NotificationConnection, error) {
	return resolve.Page[graph.NotificationConnection](
		r.Notices.List(ctx, viewer.From(ctx), optional.Or(filter, communities.AllNotifications), resolve.Args(limit, nextToken)),
	)
}

func (r *queryResolver) NotificationCounts(ctx context.Context) (*communities.NotificationCounts, error) {
	return r.Notices.Counts(ctx, viewer.From(ctx))
}

func (r *queryResolver) MyChatRequests(ctx context.Context, pendingOnly *bool, limit *int, nextToken *string) (*graph.ChatRequestConnection, error) {
	return resolve.Page[graph.ChatRequestConnection](r.Requests.Mine(ctx, viewer.From(ctx), optional.Or(pendingOnly, false), resolve.Args(limit, nextToken)))
}

func (r *queryResolver) GroupChatRequests(ctx context.Context, chatID string, pendingOnly *bool, limit *int, nextToken *string) (*graph.ChatRequestConnection, error) {
	return resolve.Page[graph.ChatRequestConnection](
		r.Requests.For(ctx, viewer.From(ctx), communities.ChatID(chatID), optional.Or(pendingOnly, true), resolve.Args(limit, nextToken)),
	)
}

func (r *queryResolver) ChatRequest(ctx context.Context, id string) (*communities.SeenRequest, error) {
	return r.Requests.Request(ctx, viewer.From(ctx), id)
}

func (r *subscriptionResolver) ChatEvents(ctx context.Context, chatType communities.ChatType, chatID string) (<-chan *communities.SeenChatEvent, error) {
	return r.Messages.Listen(ctx, viewer.From(ctx), in(chatType, chatID))
}

func (r *subscriptionResolver) NotificationReceived(ctx context.Context) (<-chan *communities.SeenNotification, error) {
	return r.Notices.Listen(ctx, viewer.From(ctx))
}

func (r *subscriptionResolver) ChatRequestChanged(ctx context.Context, chatID *string) (<-chan *communities.SeenRequest, error) {
	return r.Requests.Listen(ctx, viewer.From(ctx), (*communities.ChatID)(chatID))
}

func (r *Resolver) ChatRequest() graph.ChatRequestResolver { return &chatRequestResolver{r} }

func (r *Resolver) Community() graph.CommunityResolver { return &communityResolver{r} }

func (r *Resolver) GroupChat() graph.GroupChatResolver { return &groupChatResolver{r} }

func (r *Resolver) Message() graph.MessageResolver { return &messageResolver{r} }

func (r *Resolver) Mutation() graph.MutationResolver { return &mutationResolver{r} }

func (r *Resolver) Notification() graph.NotificationResolver { return &notificationResolver{r} }

func (r *Resolver) PrivateChat() graph.PrivateChatResolver { return &privateChatResolver{r} }

func (r *Resolver) Query() graph.QueryResolver { return &queryResolver{r} }

func (r *Resolver) Subscription() graph.SubscriptionResolver { return &subscriptionResolver{r} }

type (
	chatRequestResolver  struct{ *Resolver }
	communityResolver    struct{ *Resolver }
	groupChatResolver    struct{ *Resolver }
	messageResolver      struct{ *Resolver }
	mutationResolver     struct{ *Resolver }
	notificationResolver struct{ *Resolver }
	privateChatResolver  struct{ *Resolver }
	queryResolver        struct{ *Resolver }
	subscriptionResolver struct{ *Resolver }
)
