package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/systems/communities"
)

// A community.
var communityRow = keyspec.Define[communityItem](Communities, keyspec.Row{
	Key: keyspec.K("COMMUNITY#{Id}", "COMMUNITY#{Id}"),
	On: keyspec.Indexes{
		CommunityLocation: keyspec.K("COUNTRY#{country}", "STATE#{state}#CITY#{city}"),
		CommunityTopic:    keyspec.K("TOPIC#{Topic}", "COMMUNITY#{Id}"),
	},
})

type communityItem struct {
	Type          string                  `dynamo:"Type"`
	ID            communities.CommunityID `dynamo:"Id"`
	Name          string                  `dynamo:"Name"`
	Description   string                  `dynamo:"Description"`
	Topic         communities.Topic       `dynamo:"Topic"`
	AvatarURL     *string                 `dynamo:"AvatarURL"`
	CoverPhotoURL *string                 `dynamo:"CoverPhotoURL"`
	Location      *locationItem           `dynamo:"Location"`
	CreatedAt     keyspec.MilliStamp      `dynamo:"CreatedAt"`
	Founder       communities.UserID      `dynamo:"Founder"`
	MemberCount   int                     `dynamo:"MemberCount,zero"`
	ChatCount     int                     `dynamo:"ChatCount,zero"`
	Version       int                     `dynamo:"Version"`
	placeKeys
}

// A membership of a community.
var communityMembers = keyspec.Define[communityMemberItem](Communities, keyspec.Row{
	Key: keyspec.K("COMMUNITY#{CommunityId}", "USER#{UserId}"),
	On:  keyspec.Indexes{CommunityMembers: keyspec.K("USER#{UserId}", "COMMUNITY#{CommunityId}")},
})

type communityMemberItem struct {
	Type        string                  `dynamo:"Type"`
	UserID      communities.UserID      `dynamo:"UserId"`
	CommunityID communities.CommunityID `dynamo:"CommunityId"`
	JoinedAt    keyspec.MilliStamp      `dynamo:"JoinedAt"`
	IsFounder   bool                    `dynamo:"IsFounder,zero"`
}

// A group chat of a community. Its name and privacy are copies.
var pointers = keyspec.Define[pointerItem](Communities, keyspec.Row{
	Key: keyspec.K("COMMUNITY#{CommunityId}", "GROUPCHAT#{ChatId}"),
	On:  keyspec.Indexes{CommunityGroupChats: keyspec.K("GROUPCHAT#{ChatId}", "COMMUNITY#{CommunityId}")},
})

type pointerItem struct {
	Type        string                  `dynamo:"Type"`
	ChatID      communities.ChatID      `dynamo:"ChatId"`
	CommunityID communities.CommunityID `dynamo:"CommunityId"`
	Name        string                  `dynamo:"Name"`
	Private     bool                    `dynamo:"Private,zero"`
	CreatedAt   keyspec.MilliStamp      `dynamo:"CreatedAt"`
}

// Reserves a name for one community.
var communityNames = keyspec.Define[communityNameItem](Communities, keyspec.Row{
	Key: keyspec.K("COMMUNITYNAME#{name}", "COMMUNITYNAME#{name}"),
})

type communityNameItem struct {
	Type        string                  `dynamo:"Type"`
	Name        string                  `dynamo:"name,keyonly"`
	CommunityID communities.CommunityID `dynamo:"CommunityId"`
}

// The counters of memberships and chats are on the community, those of communities on their
// founder.
var (
	memberCounts = keyspec.Count(communityMembers, keyspec.Counters[communityMemberItem]{
		{Attribute: "MemberCount", Owner: func(m *communityMemberItem) keyspec.Key { return communityKey(m.CommunityID) }},
	})
	chatCounts = keyspec.Count(pointers, keyspec.Counters[pointerItem]{
		{Attribute: "ChatCount", Owner: func(p *pointerItem) keyspec.Key { return communityKey(p.CommunityID) }},
	})
	foundedCounts = keyspec.Count(communityRow, keyspec.Counters[communityItem]{
		{Attribute: "FoundedCount", Owner: func(c *communityItem) keyspec.Key { return userKey(c.Founder) }},
	})
)

func communityKey(id communities.CommunityID) keyspec.Key {
	return communityRow.Key(string(id), string(id))
}

func communityNameKey(name string) keyspec.Key {
	folded := communities.Fold(name)
	return communityNames.Key(folded, folded)
}

func communityMemberKey(r communities.CommunityRef) keyspec.Key {
	return communityMembers.Key(string(r.CommunityID), string(r.UserID))
}

func communityItemOf(c *communities.Community) communityItem {
	return communityItem{
		Type: "Community", ID: c.ID, Name: c.Name, Description: c.Description, Topic: c.Topic, AvatarURL: c.AvatarURL,
		CoverPhotoURL: c.CoverPhotoURL, Location: locationItemOf(c.Location), CreatedAt: keyspec.MilliStampOf(c.CreatedAt),
		Founder: c.FounderID, MemberCount: c.MemberCount, ChatCount: c.ChatCount, Version: c.Version, placeKeys: placeKeysOf(c.Location),
	}
}

func (i *communityItem) community() *communities.Community {
	return &communities.Community{
		ID: i.ID, Name: i.Name, Description: i.Description, Topic: i.Topic, AvatarURL: i.AvatarURL, CoverPhotoURL: i.CoverPhotoURL,
		Location: i.Location.location(), CreatedAt: i.CreatedAt.Time(), FounderID: i.Founder, MemberCount: i.MemberCount,
		ChatCount: i.ChatCount, Version: i.Version,
	}
}

func communityMemberItemOf(m *communities.CommunityMember) communityMemberItem {
	return communityMemberItem{
		Type: "CommunityMember", UserID: m.UserID, CommunityID: m.CommunityID, JoinedAt: keyspec.MilliStampOf(m.JoinedAt), IsFounder: m.IsFounder,
	}
}

func (i *communityMemberItem) member() *communities.CommunityMember {
	return &communities.CommunityMember{
		CommunityRef: communities.CommunityRef{CommunityID: i.CommunityID, UserID: i.UserID}, JoinedAt: i.JoinedAt.Time(), IsFounder: i.IsFounder,
	}
}

func pointerItemOf(c *communities.Chat) pointerItem {
	return pointerItem{
		Type: "CommunityChat", ChatID: c.ID, CommunityID: c.CommunityID, Name: c.Name, Private: c.Closed, CreatedAt: keyspec.MilliStampOf(c.CreatedAt),
	}
}
