package graph

import (
	"stoa/internal/kit/page"
	"stoa/systems/communities"
)

// Pages of lists, named as in the schema.
type (
	UserConnection struct {
		page.Page[*communities.SeenUser]
	}
	CommunityConnection struct {
		page.Page[*communities.SeenCommunity]
	}
	CommunityMemberConnection struct {
		page.Page[*communities.SeenCommunityMember]
	}
	GroupChatConnection struct {
		page.Page[*communities.SeenGroup]
	}
	PrivateChatConnection struct {
		page.Page[*communities.SeenPrivate]
	}
	ChatMemberConnection struct {
		page.Page[*communities.SeenChatMember]
	}
	MessageConnection struct {
		page.Page[*communities.SeenMessage]
	}
	NotificationConnection struct {
		page.Page[*communities.SeenNotification]
	}
	ChatRequestConnection struct {
		page.Page[*communities.SeenRequest]
	}
)
