package store

import (
	"context"
	"io"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/stored"
	"stoa/systems/communities"
)

// Store is the store of all communities.
type Store struct {
	People      *PeopleStore
	Communities *CommunityStore
	Chats       *ChatStore
	Messages    *MessageStore
	Requests    *RequestStore
	Notices     *NoticeStore
}

// Open returns the store. db must contain Tables and the table of the outbox. admin reports
// whether a user is an administrator regardless of their stored role.
func Open(db *keyspec.DB, admin func(*communities.User) bool) *Store {
	r := Reader{db, admin}
	return &Store{&PeopleStore{r}, &CommunityStore{r}, &ChatStore{r}, &MessageStore{r}, &RequestStore{r}, &NoticeStore{r}}
}

// Reader implements reads that several parts of the store share.
type Reader struct {
	db    *keyspec.DB
	admin func(*communities.User) bool
}

// user returns a stored user with the effective role.
func (r Reader) user(i *userItem) *communities.User { return r.counting(i.user()) }

func (r Reader) counting(u *communities.User) *communities.User {
	if u.Lives() && r.admin(u) {
		u.Role, u.Permissions = communities.Admin, communities.Admin.Permissions()
	}
	return u
}

// Facts reads things consistently in one call.
func (r Reader) Facts(ctx context.Context, w communities.Wanted) (*communities.Facts, error) {
	b := r.db.NewBatch()
	someUsers := stored.Fetch(b, users, w.Users, userKey)
	someNames := stored.Fetch(b, usernames, w.Usernames, func(n string) keyspec.Key { return usernames.Key(n) })
	someEmails := stored.Fetch(b, emails, w.Emails, func(n string) keyspec.Key { return emails.Key(n) })
	someLooks := stored.Fetch(b, looks, w.UsernameLooks, usernameLooks.key)
	someCommunities := stored.Fetch(b, communityRow, w.Communities, communityKey)
	someTitles := stored.Fetch(b, communityNames, w.CommunityNames, func(n string) keyspec.Key { return communityNames.Key(n, n) })
	someInhabitants := stored.Fetch(b, communityMembers, w.CommunityMembers, communityMemberKey)
	groups, privates := byType(w.Chats, func(c communities.ChatRef) communities.ChatType { return c.Type })
	someGroups := stored.Fetch(b, groupChats, groups, func(c communities.ChatRef) keyspec.Key { return groupChatKey(c.ID) })
	somePrivates := stored.Fetch(b, privateChats, privates, func(c communities.ChatRef) keyspec.Key { return privateChatKey(c.ID) })
	inGroups, inPrivates := byType(w.Members, func(m communities.MemberRef) communities.ChatType { return m.Chat.Type })
	someMembers := stored.Fetch(b, groupMembers, inGroups, func(m communities.MemberRef) keyspec.Key { return groupMemberKey(m.Chat.ID, m.UserID) })
	somePartners := stored.Fetch(b, privateMembers, inPrivates, func(m communities.MemberRef) keyspec.Key { return privateMemberKey(m.Chat.ID, m.UserID) })
	ofGroups, ofPrivates := byType(w.Messages, func(m communities.MessageRef) communities.ChatType { return m.Chat.Type })
	someMessages := stored.Fetch(b, groupMessages, ofGroups, messageKey)
	somePrivateMessages := stored.Fetch(b, privateMessages, ofPrivates, messageKey)
	someRequests := stored.Fetch(b, userRequests, w.Requests, userRequestKey)
	someGuards := stored.Fetch(b, guards, w.Guards, guardKey)
	someNotices := stored.Fetch(b, notices, w.Notices, noticesKey)
	someUnread := stored.Fetch(b, unread, w.Notifications, unreadKey)
	someRead := stored.Fetch(b, read, w.Notifications, readKey)
	someProgress := stored.Fetch(b, fanOuts, w.Progress, fanOutKey)
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	f := &communities.Facts{
		Users:            map[communities.UserID]*communities.User{},
		Usernames:        stored.Found(someNames, w.Usernames, func(i *userGuardItem) communities.UserID { return i.UserID }),
		UsernameLooks:    stored.Found(someLooks, w.UsernameLooks, func(i *lookItem) communities.UserID { return communities.UserID(i.Owner) }),
		Emails:           stored.Found(someEmails, w.Emails, func(i *userGuardItem) communities.UserID { return i.UserID }),
		Communities:      stored.Found(someCommunities, w.Communities, (*communityItem).community),
		CommunityNames:   stored.Found(someTitles, w.CommunityNames, func(i *communityNameItem) communities.CommunityID { return i.CommunityID }),
		CommunityMembers: stored.Found(someInhabitants, w.CommunityMembers, (*communityMemberItem).member),
		Chats:            stored.Found(someGroups, groups, (*groupChatItem).chat),
		Members:          stored.Found(someMembers, inGroups, (*groupMemberItem).member),
		Messages:         stored.Found(someMessages, ofGroups, func(i *messageItem) *communities.Message { return i.message(communities.Group) }),
		Requests:         stored.Found(someRequests, w.Requests, (*requestItem).request),
		Guards:           stored.Found(someGuards, w.Guards, (*guardItem).guard),
		Notices:          stored.Found(someNotices, w.Notices, func(i *noticesItem) communities.Notices { return communities.Notices{LastAt: i.LastAt} }),
		Notifications:    stored.Found(someUnread, w.Notifications, (*notificationItem).notification),
		Progress:         stored.Found(someProgress, w.Progress, func(i *fanOutItem) string { return i.Cursor }),
	}
	for i, id := range w.Users {
		if item := someUsers.At(i); item != nil {
			f.Users[id] = r.user(item)
		}
	}
	add(f.Chats, stored.Found(somePrivates, privates, (*privateChatItem).chat))
	add(f.Members, stored.Found(somePartners, inPrivates, (*privateMemberItem).member))
	add(f.Messages, stored.Found(somePrivateMessages, ofPrivates, func(i *messageItem) *communities.Message { return i.message(communities.Private) }))
	add(f.Notifications, stored.Found(someRead, w.Notifications, (*notificationItem).notification))
	for ref, request := range f.Requests {
		if request.ChatID != ref.ChatID {
			delete(f.Requests, ref) // the reference is forged
		}
	}
	return f, nil
}

func byType[K any](all []K, of func(K) communities.ChatType) (groups, privates []K) {
	for _, k := range all {
		if of(k) == communities.Private {
			privates = append(privates, k)
		} else {
			groups = append(groups, k)
		}
	}
	return groups, privates
}

func add[K comparable, N any](to, from map[K]N) {
	for k, n := range from {
		to[k] = n
	}
}

const schemaHead = `<!-- Generated from the declarations in this package: go test ./systems/communities/store -run Schema -update -->

# Tables

The name of each table is preceded by the table prefix of the deployment. Attributes are
strings unless marked otherwise; names ending in At are times in UTC with three fractional
digits, except ExpiresAt, which is in seconds. Names in braces that are not attributes,
such as the folded names of places, are stored only in keys.

`

// WriteSchema writes the design of the tables, as derived from the declarations.
func WriteSchema(w io.Writer) error { return keyspec.PrintAll(w, schemaHead, Tables...) }
