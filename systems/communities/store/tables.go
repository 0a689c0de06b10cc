package store

import (
	"time"

	"stoa/internal/kit/keyspec"
)

// Indexes of the tables. Each contains one kind of item, with all its attributes.
var (
	UsersByLocation = &keyspec.Index{Name: "UsersByLocationIndex", PK: "LocPK", SK: "LocSK"}

	CommunityLocation   = &keyspec.Index{Name: "CommunityLocationIndex", PK: "LocPK", SK: "LocSK"}
	CommunityMembers    = &keyspec.Index{Name: "CommunityMembersIndex", PK: "MemberPK", SK: "MemberSK"}
	CommunityGroupChats = &keyspec.Index{Name: "CommunityGroupChatsIndex", PK: "ChatPK", SK: "ChatSK"}
	CommunityTopic      = &keyspec.Index{Name: "CommunityTopicIndex", PK: "TopicPK", SK: "TopicSK"}

	UserGroupChats   = &keyspec.Index{Name: "UserGroupChatsIndex", PK: "UserPK", SK: "UserSK"}
	UserPrivateChats = &keyspec.Index{Name: "UserPrivateChatsIndex", PK: "UserPK", SK: "UserSK"}

	PendingChatRequests = &keyspec.Index{Name: "PendingChatRequestsIndex", PK: "PK", SK: "PendingId"}
)

// The six tables. The table of users has no sort key.
var (
	Users = &keyspec.Table{
		Name: "communities-Users", PK: "PK", Separator: "#", Precision: time.Millisecond, Unversioned: true,
		Indexes: []*keyspec.Index{UsersByLocation},
	}
	Communities = &keyspec.Table{
		Name: "communities-Communities", PK: "PK", SK: "SK", Separator: "#", Precision: time.Millisecond, Unversioned: true,
		Indexes: []*keyspec.Index{CommunityLocation, CommunityMembers, CommunityGroupChats, CommunityTopic},
	}
	Notifications = &keyspec.Table{
		Name: "communities-Notifications", PK: "PK", SK: "SK", Separator: "#", Precision: time.Millisecond, Unversioned: true, Expiry: "ExpiresAt",
	}
	GroupChats = &keyspec.Table{
		Name: "communities-GroupChats", PK: "PK", SK: "SK", Separator: "#", Precision: time.Millisecond, Unversioned: true,
		Indexes: []*keyspec.Index{UserGroupChats},
	}
	PrivateChats = &keyspec.Table{
		Name: "communities-PrivateChats", PK: "PK", SK: "SK", Separator: "#", Precision: time.Millisecond, Unversioned: true,
		Indexes: []*keyspec.Index{UserPrivateChats},
	}
	ChatRequests = &keyspec.Table{
		Name: "communities-ChatRequests", PK: "PK", SK: "SK", Separator: "#", Precision: time.Millisecond, Unversioned: true, Expiry: "ExpiresAt",
		Indexes: []*keyspec.Index{PendingChatRequests},
	}
)

// Tables lists all tables, in the order of the design.
var Tables = []*keyspec.Table{Users, Communities, Notifications, GroupChats, PrivateChats, ChatRequests}
