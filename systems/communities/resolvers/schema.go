package resolvers

import (
	"context"
	"fmt"
	"stoa/systems/communities"
	"stoa/systems/communities/graph"
	"time"
)

func (r *chatRequestResolver) User(ctx context.Context, obj *communities.SeenRequest) (*communities.SeenUser, error) {
	panic(fmt.Errorf("not implemented: User - user"))
}

func (r *chatRequestResolver) Chat(ctx context.Context, obj *communities.SeenRequest) (*communities.SeenGroup, error) {
	panic(fmt.Errorf("not implemented: Chat - chat"))
}

func (r *chatRequestResolver) DecidedBy(ctx context.Context, obj *communities.SeenRequest) (*communities.SeenUser, error) {
	panic(fmt.Errorf("not implemented: DecidedBy - decidedBy"))
}

func (r *communityResolver) Founder(ctx context.Context, obj *communities.SeenCommunity) (*communities.SeenUser, error) {
	panic(fmt.Errorf("not implemented: Founder - founder"))
}

func (r *communityResolver) IsMember(ctx context.Context, obj *communities.SeenCommunity) (bool, error) {
	panic(fmt.Errorf("not implemented: IsMember - isMember"))
}

func (r *communityResolver) Members(ctx context.Context, obj *communities.SeenCommunity, limit *int, nextToken *string) (*graph.CommunityMemberConnection, error) {
	panic(fmt.Errorf("not implemented: Members - members"))
}

func (r *communityResolver) GroupChats(ctx context.Context, obj *communities.SeenCommunity, limit *int, nextToken *string) (*graph.GroupChatConnection, error) {
	panic(fmt.Errorf("not implemented: GroupChats - groupChats"))
}

func (r *groupChatResolver) Community(ctx context.Context, obj *communities.SeenGroup) (*communities.SeenCommunity, error) {
	panic(fmt.Errorf("not implemented: Community - community"))
}

func (r *groupChatResolver) Owner(ctx context.Context, obj *communities.SeenGroup) (*communities.SeenUser, error) {
	panic(fmt.Errorf("not implemented: Owner - owner"))
}

func (r *groupChatResolver) MyPendingRequest(ctx context.Context, obj *communities.SeenGroup) (*communities.SeenRequest, error) {
	panic(fmt.Errorf("not implemented: MyPendingRequest - myPendingRequest"))
}

func (r *groupChatResolver) Members(ctx context.Context, obj *communities.SeenGroup, limit *int, nextToken *string) (*graph.ChatMemberConnection, error) {
	panic(fmt.Errorf("not implemented: Members - members"))
}

func (r *groupChatResolver) Messages(ctx context.Context, obj *communities.SeenGroup, after *time.Time, before *time.Time, limit *int, nextToken *string) (*graph.MessageConnection, error) {
	panic(fmt.Errorf("not implemented: Messages - messages"))
}

func (r *messageResolver) Author(ctx context.Context, obj *communities.SeenMessage) (*communities.SeenUser, error) {
	panic(fmt.Errorf("not implemented: Author - author"))
}

func (r *messageResolver) ReplyTo(ctx context.Context, obj *communities.SeenMessage) (*communities.SeenMessage, error) {
	panic(fmt.Errorf("not implemented: ReplyTo - replyTo"))
}

func (r *messageResolver) Reactions(ctx context.Context, obj *communities.SeenMessage) ([]*communities.SeenReaction, error) {
	panic(fmt.Errorf("not implemented: Reactions - reactions"))
}

func (r *messageResolver) ReactionCounts(ctx context.Context, obj *communities.SeenMessage) ([]*communities.ReactionCount, error) {
	panic(fmt.Errorf("not implemented: ReactionCounts - reactionCounts"))
}

func (r *mutationResolver) Register(ctx context.Context, input graph.RegisterInput) (*communities.SignedIn, error) {
	panic(fmt.Errorf("not implemented: Register - register"))
}

func (r *mutationResolver) Login(ctx context.Context, login string, password string) (*communities.SignedIn, error) {
	panic(fmt.Errorf("not implemented: Login - login"))
}

func (r *mutationResolver) RefreshSession(ctx context.Context, refreshToken string) (*communities.SignedIn, error) {
	panic(fmt.Errorf("not implemented: RefreshSession - refreshSession"))
}

func (r *mutationResolver) RevokeSessions(ctx context.Context) (bool, error) {
	panic(fmt.Errorf("not implemented: RevokeSessions - revokeSessions"))
}

func (r *mutationResolver) UpdateProfile(ctx context.Context, input graph.UpdateProfileInput) (*communities.SeenUser, error) {
	panic(fmt.Errorf("not implemented: UpdateProfile - updateProfile"))
}

func (r *mutationResolver) ChangePassword(ctx context.Context, current string, new string) (bool, error) {
	panic(fmt.Errorf("not implemented: ChangePassword - changePassword"))
}

func (r *mutationResolver) DeleteAccount(ctx context.Context, password string) (bool, error) {
	panic(fmt.Errorf("not implemented: DeleteAccount - deleteAccount"))
}

func (r *mutationResolver) Heartbeat(ctx context.Context) (*time.Time, error) {
	panic(fmt.Errorf("not implemented: Heartbeat - heartbeat"))
}

func (r *mutationResolver) SetUserPermissions(ctx context.Context, userID string, permissions []communities.Permission) (*communities.SeenUser, error) {
	panic(fmt.Errorf("not implemented: SetUserPermissions - setUserPermissions"))
}

func (r *mutationResolver) SetUserRole(ctx context.Context, userID string, role communities.Role) (*communities.SeenUser, error) {
	panic(fmt.Errorf("not implemented: SetUserRole - setUserRole"))
}

func (r *mutationResolver) BanUser(ctx context.Context, userID string) (*communities.SeenUser, error) {
	panic(fmt.Errorf("not implemented: BanUser - banUser"))
}

func (r *mutationResolver) UnbanUser(ctx context.Context, userID string) (*communities.SeenUser, error) {
	panic(fmt.Errorf("not implemented: UnbanUser - unbanUser"))
}

func (r *mutationResolver) CreateCommunity(ctx context.Context, input graph.CreateCommunityInput) (*communities.SeenCommunity, error) {
	panic(fmt.Errorf("not implemented: CreateCommunity - createCommunity"))
}

func (r *mutationResolver) UpdateCommunity(ctx context.Context, id string, input graph.UpdateCommunityInput) (*communities.SeenCommunity, error) {
	panic(fmt.Errorf("not implemented: UpdateCommunity - updateCommunity"))
}

func (r *mutationResolver) DeleteCommunity(ctx context.Context, id string) (string, error) {
	panic(fmt.Errorf("not implemented: DeleteCommunity - deleteCommunity"))
}

func (r *mutationResolver) TransferCommunity(ctx context.Context, id string, userID string) (*communities.SeenCommunity, error) {
	panic(fmt.Errorf("not implemented: TransferCommunity - transferCommunity"))
}

func (r *mutationResolver) JoinCommunity(ctx context.Context, id string) (*communities.SeenCommunity, error) {
	panic(fmt.Errorf("not implemented: JoinCommunity - joinCommunity"))
}

func (r *mutationResolver) LeaveCommunity(ctx context.Context, id string) (*communities.SeenCommunity, error) {
	panic(fmt.Errorf("not implemented: LeaveCommunity - leaveCommunity"))
}

func (r *mutationResolver) RemoveCommunityMember(ctx context.Context, communityID string, userID string) (*communities.SeenCommunity, error) {
	panic(fmt.Errorf("not implemented: RemoveCommunityMember - removeCommunityMember"))
}

func (r *mutationResolver) CreateGroupChat(ctx context.Context, communityID string, input graph.CreateGroupChatInput) (*communities.SeenGroup, error) {
	panic(fmt.Errorf("not implemented: CreateGroupChat - createGroupChat"))
}

func (r *mutationResolver) UpdateGroupChat(ctx context.Context, id string, input graph.UpdateGroupChatInput) (*communities.SeenGroup, error) {
	panic(fmt.Errorf("not implemented: UpdateGroupChat - updateGroupChat"))
}

func (r *mutationResolver) DeleteGroupChat(ctx context.Context, id string) (string, error) {
	panic(fmt.Errorf("not implemented: DeleteGroupChat - deleteGroupChat"))
}

func (r *mutationResolver) JoinGroupChat(ctx context.Context, id string) (*communities.SeenGroup, error) {
	panic(fmt.Errorf("not implemented: JoinGroupChat - joinGroupChat"))
}

func (r *mutationResolver) LeaveGroupChat(ctx context.Context, id string) (*communities.SeenGroup, error) {
	panic(fmt.Errorf("not implemented: LeaveGroupChat - leaveGroupChat"))
}

func (r *mutationResolver) RemoveGroupChatMember(ctx context.Context, id string, userID string) (*communities.SeenGroup, error) {
	panic(fmt.Errorf("not implemented: RemoveGroupChatMember - removeGroupChatMember"))
}

func (r *mutationResolver) TransferGroupChat(ctx context.Context, id string, userID string) (*communities.SeenGroup, error) {
	panic(fmt.Errorf("not implemented: TransferGroupChat - transferGroupChat"))
}

func (r *mutationResolver) OpenPrivateChat(ctx context.Context, userID string) (*communities.SeenPrivate, error) {
	panic(fmt.Errorf("not implemented: OpenPrivateChat - openPrivateChat"))
}

func (r *mutationResolver) HidePrivateChat(ctx context.Context, id string) (bool, error) {
	panic(fmt.Errorf("not implemented: HidePrivateChat - hidePrivateChat"))
}

func (r *mutationResolver) SendMessage(ctx context.Context, chatType communities.ChatType, chatID string, content string, replyToID *string, clientID *string) (*communities.SeenMessage, error) {
	panic(fmt.Errorf("not implemented: SendMessage - sendMessage"))
}

func (r *mutationResolver) EditMessage(ctx context.Context, chatType communities.ChatType, chatID string, id string, content string) (*communities.SeenMessage, error) {
	panic(fmt.Errorf("not implemented: EditMessage - editMessage"))
}

func (r *mutationResolver) DeleteMessage(ctx context.Context, chatType communities.ChatType, chatID string, id string) (*communities.SeenMessage, error) {
	panic(fmt.Errorf("not implemented: DeleteMessage - deleteMessage"))
}

func (r *mutationResolver) ReactToMessage(ctx context.Context, chatType communities.ChatType, chatID string, id string, typeArg communities.ReactionType) (*communities.SeenMessage, error) {
	panic(fmt.Errorf("not implemented: ReactToMessage - reactToMessage"))
}

func (r *mutationResolver) RemoveReaction(ctx context.Context, chatType communities.ChatType, chatID string, id string) (*communities.SeenMessage, error) {
	panic(fmt.Errorf("not implemented: RemoveReaction - removeReaction"))
}

func (r *mutationResolver) MarkMessagesRead(ctx context.Context, chatType communities.ChatType, chatID string, ids []string) (int, error) {
	panic(fmt.Errorf("not implemented: MarkMessagesRead - markMessagesRead"))
}

func (r *mutationResolver) MuteChat(ctx context.Context, chatType communities.ChatType, chatID string, muted bool) (bool, error) {
	panic(fmt.Errorf("not implemented: MuteChat - muteChat"))
}

func (r *mutationResolver) SendTyping(ctx context.Context, chatType communities.ChatType, chatID string) (bool, error) {
	panic(fmt.Errorf("not implemented: SendTyping - sendTyping"))
}

func (r *mutationResolver) RequestToJoin(ctx context.Context, chatID string, note *string) (*communities.SeenRequest, error) {
	panic(fmt.Errorf("not implemented: RequestToJoin - requestToJoin"))
}

func (r *mutationResolver) CancelChatRequest(ctx context.Context, id string) (*communities.SeenRequest, error) {
	panic(fmt.Errorf("not implemented: CancelChatRequest - cancelChatRequest"))
}

func (r *mutationResolver) AcceptChatRequest(ctx context.Context, id string) (*communities.SeenRequest, error) {
	panic(fmt.Errorf("not implemented: AcceptChatRequest - acceptChatRequest"))
}

func (r *mutationResolver) RejectChatRequest(ctx context.Context, id string) (*communities.SeenRequest, error) {
	panic(fmt.Errorf("not implemented: RejectChatRequest - rejectChatRequest"))
}

func (r *mutationResolver) MarkChatRequestSeen(ctx context.Context, id string) (*communities.SeenRequest, error) {
	panic(fmt.Errorf("not implemented: MarkChatRequestSeen - markChatRequestSeen"))
}

func (r *mutationResolver) MarkNotificationRead(ctx context.Context, id string) (*communities.SeenNotification, error) {
	panic(fmt.Errorf("not implemented: MarkNotificationRead - markNotificationRead"))
}

func (r *mutationResolver) MarkNotificationsSeen(ctx context.Context, ids []string) (int, error) {
	panic(fmt.Errorf("not implemented: MarkNotificationsSeen - markNotificationsSeen"))
}

func (r *mutationResolver) MarkAllNotificationsRead(ctx context.Context) (int, error) {
	panic(fmt.Errorf("not implemented: MarkAllNotificationsRead - markAllNotificationsRead"))
}

func (r *mutationResolver) DeleteNotification(ctx context.Context, id string) (string, error) {
	panic(fmt.Errorf("not implemented: DeleteNotification - deleteNotification"))
}

func (r *notificationResolver) Actor(ctx context.Context, obj *communities.SeenNotification) (*communities.SeenUser, error) {
	panic(fmt.Errorf("not implemented: Actor - actor"))
}

func (r *privateChatResolver) OtherUser(ctx context.Context, obj *communities.SeenPrivate) (*communities.SeenUser, error) {
	panic(fmt.Errorf("not implemented: OtherUser - otherUser"))
}

func (r *privateChatResolver) Messages(ctx context.Context, obj *communities.SeenPrivate, after *time.Time, before *time.Time, limit *int, nextToken *string) (*graph.MessageConnection, error) {
	panic(fmt.Errorf("not implemented: Messages - messages"))
}

func (r *queryResolver) Me(ctx context.Context) (*communities.SeenUser, error) {
	panic(fmt.Errorf("not implemented: Me - me"))
}

func (r *queryResolver) User(ctx context.Context, id string) (*communities.SeenUser, error) {
	panic(fmt.Errorf("not implemented: User - user"))
}

func (r *queryResolver) UserByUsername(ctx context.Context, username string) (*communities.SeenUser, error) {
	panic(fmt.Errorf("not implemented: UserByUsername - userByUsername"))
}

func (r *queryResolver) UserByEmail(ctx context.Context, email string) (*communities.SeenUser, error) {
	panic(fmt.Errorf("not implemented: UserByEmail - userByEmail"))
}

func (r *queryResolver) Users(ctx context.Context, limit *int, nextToken *string) (*graph.UserConnection, error) {
	panic(fmt.Errorf("not implemented: Users - users"))
}

func (r *queryResolver) Community(ctx context.Context, id string) (*communities.SeenCommunity, error) {
	panic(fmt.Errorf("not implemented: Community - community"))
}

func (r *queryResolver) CommunityByName(ctx context.Context, name string) (*communities.SeenCommunity, error) {
	panic(fmt.Errorf("not implemented: CommunityByName - communityByName"))
}

func (r *queryResolver) Communities(ctx context.Context, country *string, state *string, city *string, topic *communities.Topic, limit *int, nextToken *string) (*graph.CommunityConnection, error) {
	panic(fmt.Errorf("not implemented: Communities - communities"))
}

func (r *queryResolver) MyCommunities(ctx context.Context, limit *int, nextToken *string) (*graph.CommunityConnection, error) {
	panic(fmt.Errorf("not implemented: MyCommunities - myCommunities"))
}

func (r *queryResolver) UserCommunities(ctx context.Context, userID string, limit *int, nextToken *string) (*graph.CommunityConnection, error) {
	panic(fmt.Errorf("not implemented: UserCommunities - userCommunities"))
}

func (r *queryResolver) CommunityMembers(ctx context.Context, communityID string, limit *int, nextToken *string) (*graph.CommunityMemberConnection, error) {
	panic(fmt.Errorf("not implemented: CommunityMembers - communityMembers"))
}

func (r *queryResolver) CommunityGroupChats(ctx context.Context, communityID string, limit *int, nextToken *string) (*graph.GroupChatConnection, error) {
	panic(fmt.Errorf("not implemented: CommunityGroupChats - communityGroupChats"))
}

func (r *queryResolver) GroupChat(ctx context.Context, id string) (*communities.SeenGroup, error) {
	panic(fmt.Errorf("not implemented: GroupChat - groupChat"))
}

func (r *queryResolver) GroupChatMembers(ctx context.Context, chatID string, limit *int, nextToken *string) (*graph.ChatMemberConnection, error) {
	panic(fmt.Errorf("not implemented: GroupChatMembers - groupChatMembers"))
}

func (r *queryResolver) MyGroupChats(ctx context.Context, limit *int, nextToken *string) (*graph.GroupChatConnection, error) {
	panic(fmt.Errorf("not implemented: MyGroupChats - myGroupChats"))
}

func (r *queryResolver) MyPrivateChats(ctx context.Context, limit *int, nextToken *string) (*graph.PrivateChatConnection, error) {
	panic(fmt.Errorf("not implemented: MyPrivateChats - myPrivateChats"))
}

func (r *queryResolver) PrivateChat(ctx context.Context, id string) (*communities.SeenPrivate, error) {
	panic(fmt.Errorf("not implemented: PrivateChat - privateChat"))
}

func (r *queryResolver) PrivateChatWith(ctx context.Context, userID string) (*communities.SeenPrivate, error) {
	panic(fmt.Errorf("not implemented: PrivateChatWith - privateChatWith"))
}

func (r *queryResolver) Messages(ctx context.Context, chatType communities.ChatType, chatID string, after *time.Time, before *time.Time, order *graph.SortOrder, limit *int, nextToken *string) (*graph.MessageConnection, error) {
	panic(fmt.Errorf("not implemented: Messages - messages"))
}

func (r *queryResolver) Message(ctx context.Context, chatType communities.ChatType, chatID string, id string) (*communities.SeenMessage, error) {
	panic(fmt.Errorf("not implemented: Message - message"))
}

func (r *queryResolver) Notifications(ctx context.Context, filter *communities.NotificationFilter, limit *int, nextToken *string) (*graph.NotificationConnection, error) {
	panic(fmt.Errorf("not implemented: Notifications - notifications"))
}

func (r *queryResolver) NotificationCounts(ctx context.Context) (*communities.NotificationCounts, error) {
	panic(fmt.Errorf("not implemented: NotificationCounts - notificationCounts"))
}

func (r *queryResolver) MyChatRequests(ctx context.Context, pendingOnly *bool, limit *int, nextToken *string) (*graph.ChatRequestConnection, error) {
	panic(fmt.Errorf("not implemented: MyChatRequests - myChatRequests"))
}

func (r *queryResolver) GroupChatRequests(ctx context.Context, chatID string, pendingOnly *bool, limit *int, nextToken *string) (*graph.ChatRequestConnection, error) {
	panic(fmt.Errorf("not implemented: GroupChatRequests - groupChatRequests"))
}

func (r *queryResolver) ChatRequest(ctx context.Context, id string) (*communities.SeenRequest, error) {
	panic(fmt.Errorf("not implemented: ChatRequest - chatRequest"))
}

func (r *subscriptionResolver) ChatEvents(ctx context.Context, chatType communities.ChatType, chatID string) (<-chan *communities.SeenChatEvent, error) {
	panic(fmt.Errorf("not implemented: ChatEvents - chatEvents"))
}

func (r *subscriptionResolver) NotificationReceived(ctx context.Context) (<-chan *communities.SeenNotification, error) {
	panic(fmt.Errorf("not implemented: NotificationReceived - notificationReceived"))
}

func (r *subscriptionResolver) ChatRequestChanged(ctx context.Context, chatID *string) (<-chan *communities.SeenRequest, error) {
	panic(fmt.Errorf("not implemented: ChatRequestChanged - chatRequestChanged"))
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
