package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// Broken reports violated invariants that keyspec's Verify cannot detect from keys and
// counters: each username, contact and direct chat must have a guard, each guard must have
// its item, followers of large accounts and members of large groups must be listed, views of hot posts must be counted, and
// nothing may be left of a removed profile. Concurrent writes and undelivered events may cause
// false reports.
func Broken(ctx context.Context, db *keyspec.DB, now time.Time) ([]keyspec.Flaw, error) {
	c := &census{
		users: map[social.UserID]*profileItem{}, names: map[string]usernameItem{},
		emails: map[string]social.UserID{}, phones: map[string]social.UserID{},
		direct: map[social.ChatPair]social.ChatID{}, pairs: map[social.ChatPair]social.ChatID{},
	}
	err := db.Walk(ctx,
		profiles.Each(func(i profileItem) { c.users[i.UserID] = &i }),
		userEmails.Each(func(i userEmailItem) { c.emails[i.Email] = i.UserID }),
		userPhones.Each(func(i userPhoneItem) { c.phones[i.PhoneNumber] = i.UserID }),
		chats.Each(func(i social.Chat) {
			if i.Type == social.ChatDirect {
				c.direct[i.Pair] = i.ChatID
			}
		}),
	)
	if err != nil {
		return nil, err
	}
	err = db.Walk(ctx,
		usernames.Each(func(i usernameItem) { c.names[i.LowerUsername] = i }),
		directChats.Each(func(i directChatItem) {
			c.pairs[social.ChatPair{First: i.UserID1, Second: i.UserID2}] = i.ChatID
		}),
	)
	if err != nil {
		return nil, err
	}
	if err := c.checkFormer(ctx, db, now); err != nil {
		return nil, err
	}
	if err := c.checkLarge(ctx, db); err != nil {
		return nil, err
	}
	if err := c.checkLargeChats(ctx, db); err != nil {
		return nil, err
	}
	if err := c.checkViews(ctx, db, now); err != nil {
		return nil, err
	}
	c.checkNames()
	c.checkContacts()
	c.checkDirectChats()
	slices.SortFunc(c.flaws, func(a, b keyspec.Flaw) int { return strings.Compare(a.Text, b.Text) })
	return c.flaws, nil
}

// census holds guarded items and their guards.
type census struct {
	users          map[social.UserID]*profileItem
	names          map[string]usernameItem
	emails, phones map[string]social.UserID
	// direct holds the direct chats of two users, pairs their guards.
	direct, pairs map[social.ChatPair]social.ChatID

	flaws []keyspec.Flaw
}

func (c *census) breaks(mend func(tx *keyspec.Tx), format string, args ...any) {
	c.flaws = append(c.flaws, keyspec.Flaw{Text: fmt.Sprintf(format, args...), Mend: mend})
}

// has adds to a transaction that a user still has a value of an attribute of their profile.
func has(tx *keyspec.Tx, id social.UserID, attribute, value string) {
	profiles.Check(tx, profiles.Key(string(id))).If(attribute+" = ?", value)
}

// lacks adds to a transaction that a user still does not have it.
func lacks(tx *keyspec.Tx, id social.UserID, attribute, value string) {
	profiles.Check(tx, profiles.Key(string(id))).If("attribute_not_exists("+attribute+") OR "+attribute+" <> ?", value)
}

// checkNames checks that each username is guarded, as spelled, for the one user who has it.
func (c *census) checkNames() {
	for id, u := range c.users {
		held, ok := c.names[social.FoldUsername(u.Username)]
		switch {
		case !ok:
			c.breaks(func(tx *keyspec.Tx) { has(tx, id, "username", u.Username); claim(tx, u.user()) },
				"user %s is called %q, which is not guarded", id, u.Username)
		case held.UserID != id:
			c.breaks(nil, "user %s is called %q, which is guarded for %s", id, u.Username, held.UserID)
		case held.Username != u.Username:
			c.breaks(func(tx *keyspec.Tx) { has(tx, id, "username", u.Username); claim(tx, u.user()) },
				"user %s is called %q and guarded as %q", id, u.Username, held.Username)
		}
	}
	for name, held := range c.names {
		if u := c.users[held.UserID]; u == nil || social.FoldUsername(u.Username) != name {
			c.breaks(func(tx *keyspec.Tx) {
				lacks(tx, held.UserID, "username", held.Username)
				usernames.Delete(tx, usernames.Key(name)).If("userId = ? AND username = ?", held.UserID, held.Username)
			},
				"the username %q is guarded for %s, who does not have it", held.Username, held.UserID)
		}
	}
}

// checkContacts checks that each user is found by each of their contacts.
func (c *census) checkContacts() {
	for id, u := range c.users {
		if _, ok := c.emails[u.Email]; u.Email != "" && !ok {
			c.breaks(func(tx *keyspec.Tx) {
				has(tx, id, "email", u.Email)
				userEmails.Create(tx, userEmailItem{Email: u.Email, UserID: id})
			},
				"user %s is not found by the e-mail address %q", id, u.Email)
		}
		if _, ok := c.phones[u.PhoneNumber]; u.PhoneNumber != "" && !ok {
			c.breaks(func(tx *keyspec.Tx) {
				has(tx, id, "phoneNumber", u.PhoneNumber)
				userPhones.Create(tx, userPhoneItem{PhoneNumber: u.PhoneNumber, UserID: id})
			},
				"user %s is not found by the phone number %q", id, u.PhoneNumber)
		}
	}
	for email, id := range c.emails {
		if u := c.users[id]; u == nil || u.Email != email {
			c.breaks(func(tx *keyspec.Tx) {
				lacks(tx, id, "email", email)
				userEmails.Delete(tx, userEmails.Key(email)).If("userId = ?", id)
			},
				"user %s is found by the e-mail address %q, which is not theirs", id, email)
		}
	}
	for phone, id := range c.phones {
		if u := c.users[id]; u == nil || u.PhoneNumber != phone {
			c.breaks(func(tx *keyspec.Tx) {
				lacks(tx, id, "phoneNumber", phone)
				userPhones.Delete(tx, userPhones.Key(phone)).If("userId = ?", id)
			},
				"user %s is found by the phone number %q, which is not theirs", id, phone)
		}
	}
}

// checkDirectChats checks that two users have at most one direct chat.
func (c *census) checkDirectChats() {
	for pair, chat := range c.direct {
		switch guarded, ok := c.pairs[pair]; {
		case !ok:
			c.breaks(func(tx *keyspec.Tx) {
				chats.Check(tx, chats.Key(string(chat))).Exists()
				directChats.Create(tx, directChatItem{UserID1: pair.First, UserID2: pair.Second, ChatID: chat})
			}, "chat %s of %s and %s is not guarded", chat, pair.First, pair.Second)
		case guarded != chat:
			c.breaks(nil, "chat %s is of %s and %s, whose guard is for %s", chat, pair.First, pair.Second, guarded)
		}
	}
	for pair, chat := range c.pairs {
		if _, ok := c.direct[pair]; !ok {
			c.breaks(func(tx *keyspec.Tx) {
				chats.Check(tx, chats.Key(string(chat))).Absent()
				directChats.Delete(tx, directKey(pair)).If("chatId = ?", chat)
			},
				"%s and %s are guarded for chat %s, which they do not have", pair.First, pair.Second, chat)
		}
	}
}
