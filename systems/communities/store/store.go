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
	b, f := stored.NewBatch(r.db), &communities.Facts{}
	holder := func(i *userGuardItem) communities.UserID { return i.UserID }
	titleKey := func(n string) keyspec.Key { return communityNames.Key(n, n) }
	titled := func(i *communityNameItem) communities.CommunityID { return i.CommunityID }
	stored.Into(b, &f.Users, users, w.Users, userKey, r.user)
	stored.Into(b, &f.Usernames, usernames, w.Usernames, func(n string) keyspec.Key { return usernames.Key(n) }, holder)
	stored.Into(b, &f.Emails, emails, w.Emails, func(n string) keyspec.Key { return emails.Key(n) }, holder)
	stored.Into(b, &f.UsernameLooks, looks, w.UsernameLooks, usernameLooks.key, func(i *lookItem) communities.UserID { return communities.UserID(i.Owner) })
	stored.Into(b, &f.Communities, communityRow, w.Communities, communityKey, (*communityItem).community)
	stored.Into(b, &f.CommunityNames, communityNames, w.CommunityNames, titleKey, titled)
	stored.Into(b, &f.CommunityMembers, communityMembers, w.CommunityMembers, communityMemberKey, (*communityMemberItem).member)
	groups, privates := byType(w.Chats, func(c communities.ChatRef) communities.ChatType { return c.Type })
	stored.Into(b, &f.Chats, groupChats, groups, func(c communities.ChatRef) keyspec.Key { return groupChatKey(c.ID) }, (*groupChatItem).chat)
	stored.Into(b, &f.Chats, privateChats, privates, func(c communities.ChatRef) keyspec.Key { return privateChatKey(c.ID) }, (*privateChatItem).chat)
	inGroups, inPrivates := byType(w.Members, func(m communities.MemberRef) communities.ChatType { return m.Chat.Type })
	inGroup := func(m communities.MemberRef) keyspec.Key { return groupMemberKey(m.Chat.ID, m.UserID) }
	inPrivate := func(m communities.MemberRef) keyspec.Key { return privateMemberKey(m.Chat.ID, m.UserID) }
	stored.Into(b, &f.Members, groupMembers, inGroups, inGroup, (*groupMemberItem).member)
	stored.Into(b, &f.Members, privateMembers, inPrivates, inPrivate, (*privateMemberItem).member)
	ofGroups, ofPrivates := byType(w.Messages, func(m communities.MessageRef) communities.ChatType { return m.Chat.Type })
	stored.Into(b, &f.Messages, groupMessages, ofGroups, messageKey, func(i *messageItem) *communities.Message { return i.message(communities.Group) })
	stored.Into(b, &f.Messages, privateMessages, ofPrivates, messageKey, func(i *messageItem) *communities.Message { return i.message(communities.Private) })
	stored.Into(b, &f.Requests, userRequests, w.Requests, userRequestKey, (*requestItem).request)
	stored.Into(b, &f.Guards, guards, w.Guards, guardKey, (*guardItem).guard)
	stored.Into(b, &f.Notices, notices, w.Notices, noticesKey, func(i *noticesItem) communities.Notices { return communities.Notices{LastAt: i.LastAt} })
	stored.Into(b, &f.Notifications, unread, w.Notifications, unreadKey, (*notificationItem).notification)
	stored.Into(b, &f.Notifications, read, w.Notifications, readKey, (*notificationItem).notification)
	stored.Into(b, &f.Progress, fanOuts, w.Progress, fanOutKey, func(i *fanOutItem) string { return i.Cursor })
	if err := b.Run(ctx); err != nil {
		return f, err
	}
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

const schemaHead = `<!-- Generated from the declarations in this package: go test ./systems/communities/store -run Schema -update -->

# Tables

The name of each table is preceded by the table prefix of the deployment. Attributes are
strings unless marked otherwise; names ending in At are times in UTC with three fractional
digits, except ExpiresAt, which is in seconds. Names in braces that are not attributes,
such as the folded names of places, are stored only in keys.

`

// WriteSchema writes the design of the tables, as derived from the declarations.
func WriteSchema(w io.Writer) error { return keyspec.PrintAll(w, schemaHead, Tables...) }
