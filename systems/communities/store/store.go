package store

import (
	"context"
	"errors"
	"io"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/systems/communities"
)

// Store is the stored state of all communities.
type Store struct {
	People   *PeopleStore
	Towns    *TownStore
	Chats    *ChatStore
	Messages *MessageStore
	Requests *RequestStore
	Notices  *NoticeStore
}

// Open takes the store from tables that Tables and that of the outbox are among. Admin
// reports who administers the service besides those whose role says so.
func Open(db *keyspec.DB, admin func(*communities.User) bool) *Store {
	r := Reader{db, admin}
	return &Store{&PeopleStore{r}, &TownStore{r}, &ChatStore{r}, &MessageStore{r}, &RequestStore{r}, &NoticeStore{r}}
}

// Reader reads what several parts of the store need.
type Reader struct {
	db    *keyspec.DB
	admin func(*communities.User) bool
}

// user is a stored user with the role that counts.
func (r Reader) user(i *userItem) *communities.User {
	u := i.user()
	if u.Lives() && u.Role != communities.Admin && r.admin(u) {
		u.Role, u.Permissions = communities.Admin, communities.Admin.Permissions()
	}
	return u
}

// Facts reads things in one call, as they are now.
func (r Reader) Facts(ctx context.Context, w communities.Wanted) (*communities.Facts, error) {
	b := r.db.NewBatch()
	someUsers := fetch(b, users, w.Users, userKey)
	someNames := fetch(b, usernames, w.Usernames, func(n string) keyspec.Key { return usernames.Key(n) })
	someEmails := fetch(b, emails, w.Emails, func(n string) keyspec.Key { return emails.Key(n) })
	someCommunities := fetch(b, communityRow, w.Communities, communityKey)
	someTitles := fetch(b, communityNames, w.CommunityNames, func(n string) keyspec.Key { return communityNames.Key(n, n) })
	someInhabitants := fetch(b, communityMembers, w.CommunityMembers, communityMemberKey)
	groups, privates := byType(w.Chats, func(c communities.ChatRef) communities.ChatType { return c.Type })
	someGroups := fetch(b, groupChats, groups, func(c communities.ChatRef) keyspec.Key { return groupChatKey(c.ID) })
	somePrivates := fetch(b, privateChats, privates, func(c communities.ChatRef) keyspec.Key { return privateChatKey(c.ID) })
	inGroups, inPrivates := byType(w.Members, func(m communities.MemberRef) communities.ChatType { return m.Chat.Type })
	someMembers := fetch(b, groupMembers, inGroups, func(m communities.MemberRef) keyspec.Key { return groupMemberKey(m.Chat.ID, m.UserID) })
	somePartners := fetch(b, privateMembers, inPrivates, func(m communities.MemberRef) keyspec.Key { return privateMemberKey(m.Chat.ID, m.UserID) })
	ofGroups, ofPrivates := byType(w.Messages, func(m communities.MessageRef) communities.ChatType { return m.Chat.Type })
	someMessages := fetch(b, groupMessages, ofGroups, messageKey)
	someLetters := fetch(b, privateMessages, ofPrivates, messageKey)
	someRequests := fetch(b, userRequests, w.Requests, userRequestKey)
	someGuards := fetch(b, guards, w.Guards, guardKey)
	someNotices := fetch(b, notices, w.Notices, noticesKey)
	someUnread := fetch(b, unread, w.Notifications, unreadKey)
	someRead := fetch(b, read, w.Notifications, readKey)
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	f := &communities.Facts{
		Users:            map[communities.UserID]*communities.User{},
		Usernames:        found(someNames, w.Usernames, func(i *userGuardItem) communities.UserID { return i.UserID }),
		Emails:           found(someEmails, w.Emails, func(i *userGuardItem) communities.UserID { return i.UserID }),
		Communities:      found(someCommunities, w.Communities, (*communityItem).community),
		CommunityNames:   found(someTitles, w.CommunityNames, func(i *communityNameItem) communities.CommunityID { return i.CommunityID }),
		CommunityMembers: found(someInhabitants, w.CommunityMembers, (*communityMemberItem).member),
		Chats:            found(someGroups, groups, (*groupChatItem).chat),
		Members:          found(someMembers, inGroups, (*groupMemberItem).member),
		Messages:         found(someMessages, ofGroups, func(i *messageItem) *communities.Message { return i.message(communities.Group) }),
		Requests:         found(someRequests, w.Requests, (*requestItem).request),
		Guards:           found(someGuards, w.Guards, (*guardItem).guard),
		Notices:          found(someNotices, w.Notices, func(i *noticesItem) communities.Notices { return communities.Notices{LastAt: i.LastAt.Time()} }),
		Notifications:    found(someUnread, w.Notifications, (*notificationItem).notification),
	}
	for i, id := range w.Users {
		if item := someUsers.At(i); item != nil {
			f.Users[id] = r.user(item)
		}
	}
	add(f.Chats, found(somePrivates, privates, (*privateChatItem).chat))
	add(f.Members, found(somePartners, inPrivates, (*privateMemberItem).member))
	add(f.Messages, found(someLetters, ofPrivates, func(i *messageItem) *communities.Message { return i.message(communities.Private) }))
	add(f.Notifications, found(someRead, w.Notifications, (*notificationItem).notification))
	for ref, request := range f.Requests {
		if request.ChatID != ref.ChatID {
			delete(f.Requests, ref) // the reference is made up
		}
	}
	return f, nil
}

func fetch[T, K any](b *keyspec.Batch, e *keyspec.Entity[T], ids []K, key func(K) keyspec.Key) keyspec.Fetched[T] {
	return e.FetchEach(b, len(ids), func(i int) keyspec.Key { return key(ids[i]) })
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

// found makes nouns of the items that are there.
func found[T any, K comparable, N any](f keyspec.Fetched[T], ids []K, noun func(*T) N) map[K]N {
	m := make(map[K]N, len(ids))
	for i, id := range ids {
		if item := f.At(i); item != nil {
			m[id] = noun(item)
		}
	}
	return m
}

func add[K comparable, N any](to, from map[K]N) {
	for k, n := range from {
		to[k] = n
	}
}

// outcome turns conditions that did not hold into ErrChanged, on which whoever decided
// decides anew.
func outcome(err error) error {
	var c *keyspec.Conflict
	if errors.As(err, &c) {
		return communities.ErrChanged
	}
	return err
}

// listError refuses cursors that are not of a list.
func listError(err error) error {
	if errors.Is(err, keyspec.ErrCursor) {
		err = page.ErrToken
	}
	return page.Refused(err)
}

const schemaHead = `<!-- Generated from the declarations in this package: go test ./systems/communities/store -run Schema -update -->

# Tables

The names of the tables carry the prefix of their deployment. Attributes are text unless
they say otherwise; those that end in At are times in UTC with three digits of a second,
but for ExpiresAt, which is in seconds. What stands in braces but is no attribute is stored
in keys alone, as the folded names of places are.

`

// WriteSchema prints the design of the tables, as it follows from the declarations.
func WriteSchema(w io.Writer) error {
	if _, err := io.WriteString(w, schemaHead); err != nil {
		return err
	}
	for i, t := range Tables {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		if err := t.Print(w); err != nil {
			return err
		}
	}
	return nil
}
