package store

import (
	"context"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stored"
	"stoa/systems/communities"
)

// Kinds of rows of others that may refer to a user.
const (
	tracesInUnread       = "unread"
	tracesInRead         = "read"
	tracesInUserRequests = "userRequests"
	tracesInChatRequests = "chatRequests"
)

// EraseTraces removes a former user from a page of the rows of others: notifications that they
// caused are deleted, and requests that they decided no longer say so. It reads all rows, since
// nothing lists these.
func (s *PeopleStore) EraseTraces(ctx context.Context, id communities.UserID, cursor string) (_ string, rows int, err error) {
	kind, after, next := page.Lists([]string{tracesInUnread, tracesInRead, tracesInUserRequests, tracesInChatRequests}, cursor)
	q := page.Query{First: page.Max, After: after}
	caused := func(n notificationItem) (*notificationItem, bool) { return nil, n.ActorID == id }
	decided := func(r requestItem) (*requestItem, bool) {
		is := r.DecidedBy == id
		if is {
			r.DecidedBy = ""
		}
		return &r, is
	}
	var more string
	switch kind {
	case tracesInUnread:
		more, rows, err = stored.Sweep(ctx, s.db, unread, q, caused)
	case tracesInRead:
		more, rows, err = stored.Sweep(ctx, s.db, read, q, caused)
	case tracesInUserRequests:
		more, rows, err = stored.Sweep(ctx, s.db, userRequests, q, decided)
	default:
		more, rows, err = stored.Sweep(ctx, s.db, chatRequests, q, decided)
	}
	return next(more), rows, err
}

// By returns messages in group chats by an author, deleted ones too. It reads all messages,
// since nothing lists those of an author, and pages may be empty.
func (s *MessageStore) By(ctx context.Context, author communities.UserID, q page.Query) (found page.Page[*communities.Message], err error) {
	items, next, err := groupMessages.Scan(ctx, s.db, keyspec.Page{Limit: q.First, After: q.After})
	for i := range items {
		if items[i].AuthorID == author {
			found.Items = append(found.Items, items[i].message(communities.Group))
		}
	}
	found.Next = next
	return found, stored.ListError(err)
}

// Disown removes the author from a deleted message.
func (s *MessageStore) Disown(ctx context.Context, m *communities.Message) error {
	tx := s.db.NewTx()
	messagesOf(m.Chat.Type).Update(tx, messageKey(m.MessageRef)).If("Deleted = ?", true).Remove("AuthorId", "ClientId")
	if m.ClientID != "" {
		item := clientIDItemOf(m)
		clientIDs.Delete(tx, clientIDs.KeyOf(&item))
	}
	return stored.Concurrent(tx.Run(ctx))
}

// ForgetPrivate deletes a private chat with all that belongs to it, some at a time. more is
// false if nothing is left.
func (s *ChatStore) ForgetPrivate(ctx context.Context, id communities.ChatID) (rows int, more bool, err error) {
	messages, err := stored.List(ctx, s.db, privateMessages.Begins(keyspec.Primary, string(id)), page.Query{First: forgotten}, false,
		func(i *messageItem) *communities.Message { return i.message(communities.Private) })
	if err != nil {
		return 0, false, err
	}
	b := s.db.NewBulk()
	s.forgetMessages(b, messages.Items)
	if messages.Next != "" {
		return len(messages.Items), true, b.Run(ctx)
	}
	members, err := stored.List(ctx, s.db, privateMembers.Begins(keyspec.Primary, string(id)), page.Query{First: forgotten}, false,
		(*privateMemberItem).member)
	if err != nil {
		return 0, false, err
	}
	privateChats.DeleteIn(b, privateChatKey(id))
	for _, m := range members.Items { // the chat is found by these
		privateMembers.DeleteIn(b, privateMemberKey(id, m.UserID))
	}
	return len(messages.Items) + len(members.Items), false, b.Run(ctx)
}
