package store

import (
	"time"

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
	Type string `dynamo:"Type"`
	communities.Community
	placeKeys
}

// A membership of a community.
var communityMembers = keyspec.Define[communityMemberItem](Communities, keyspec.Row{
	Key: keyspec.K("COMMUNITY#{CommunityId}", "USER#{UserId}"),
	On:  keyspec.Indexes{CommunityMembers: keyspec.K("USER#{UserId}", "COMMUNITY#{CommunityId}")},
})

type communityMemberItem struct {
	Type string `dynamo:"Type"`
	communities.CommunityMember
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
	CreatedAt   time.Time               `dynamo:"CreatedAt"`
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
		{Attribute: "FoundedCount", Owner: func(c *communityItem) keyspec.Key { return userKey(c.FounderID) }},
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
	return communityItem{"Community", *c, placeKeysOf(c.Location)}
}

func (i *communityItem) community() *communities.Community { return &i.Community }

func communityMemberItemOf(m *communities.CommunityMember) communityMemberItem {
	return communityMemberItem{"CommunityMember", *m}
}

func (i *communityMemberItem) member() *communities.CommunityMember { return &i.CommunityMember }

func pointerItemOf(c *communities.Chat) pointerItem {
	return pointerItem{
		Type: "CommunityChat", ChatID: c.ID, CommunityID: c.CommunityID, Name: c.Name, Private: c.Closed, CreatedAt: c.CreatedAt,
	}
}
