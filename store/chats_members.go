package store

import (
	"context"

	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// memberships are changes of memberships in one transaction. Counters are updated on the
// profile that the user joined with. A membership may outlive that profile until the
// clean-up; it then has no counters to update.
type memberships struct {
	// gone holds the users found to have another profile, or none.
	gone map[social.UserID]bool
	// counted holds the conditions that profiles with updated counters are the ones that
	// users joined with.
	counted map[social.UserID]keyspec.Action
}

// sameMember is the condition that a membership is the one that was read: a user may have left with a
// former profile, and joined again.
const sameMember = "joinedAt = ?"

// moveMembers runs a transaction that changes memberships. If users turn out to have lost
// their profiles, it retries without their counters.
func (s *Chats) moveMembers(ctx context.Context, change func(tx *keyspec.Tx, of *memberships)) error {
	of := &memberships{gone: map[social.UserID]bool{}}
	for {
		tx := s.db.NewTx()
		of.counted = map[social.UserID]keyspec.Action{}
		change(tx, of)
		err := tx.Run(ctx)
		again := false
		for user, profile := range of.counted {
			if keyspec.Refused(err, profile) {
				of.gone[user], again = true, true
			}
		}
		if !again {
			return err
		}
	}
}

// move stores a change of a membership and its counters. A remaining member must still have
// unviewed messages, or none, as before: counters depend on that.
func (of *memberships) move(tx *keyspec.Tx, move social.ChatMove) {
	before, after := move.Before, move.After
	chatUserCounts.Moved(tx, before, after)
	switch {
	case before == nil:
		memberCounts.Moved(tx, nil, after)
		chatMembers.Create(tx, *after)
		profiles.Check(tx, profileKey(after.UserID)).If(hadProfile, after.JoinedAt).
			If("attribute_not_exists(userStatus) OR userStatus = ?", social.UserActive)
		if after.PlacedByChat {
			largeMembers.Put(tx, largeMemberItem{after.UserID, after.ChatID})
			profiles.Update(tx, profileKey(after.UserID)).Set("inLargeChats", true)
		}
	case after == nil:
		of.remove(tx, before, move.Gone)
	default:
		if hasUnviewed(before) != hasUnviewed(after) {
			of.count(tx, before, after)
		}
		on := chatMembers.Update(tx, memberKey(before.ChatID, before.UserID)).If(sameMember, before.JoinedAt).If(unviewedAsBefore(before), 0)
		if after.PlacedByChat && !before.PlacedByChat {
			on.Set("placedByChat", true)
			of.place(tx, after)
		}
		if !before.LastMessageActivityAt.Equal(after.LastMessageActivityAt) {
			on.Set("lastMessageActivityAt", after.LastMessageActivityAt)
		}
		if !before.JournalAt.Equal(after.JournalAt) {
			on.If("attribute_not_exists(journalAt) OR journalAt = ?", before.JournalAt).Set("journalAt", after.JournalAt)
		}
		more := after.MessagesUnviewedCount - before.MessagesUnviewedCount
		if viewed := !before.ViewedAt.Equal(after.ViewedAt); viewed || more > 0 {
			on.If("attribute_not_exists(viewedAt) OR viewedAt = ?", before.ViewedAt)
			if viewed {
				on.Set("viewedAt", after.ViewedAt)
			}
		}
		switch {
		case more > 0:
			on.Shift("messagesUnviewedCount", more)
		case more < 0: // the remaining number must be exact, or the chat would stay counted
			on.If("messagesUnviewedCount = ?", before.MessagesUnviewedCount).Set("messagesUnviewedCount", after.MessagesUnviewedCount)
		}
	}
}

// remove removes a membership and its counters, unless the user's profile is gone.
func (of *memberships) remove(tx *keyspec.Tx, m *social.ChatMember, gone bool) {
	if !gone {
		of.count(tx, m, nil)
	}
	on := chatMembers.Delete(tx, memberKey(m.ChatID, m.UserID)).If(sameMember, m.JoinedAt).If(unviewedAsBefore(m), 0)
	if m.PlacedByChat {
		largeMembers.Delete(tx, largeMemberKey(m))
	} else {
		on.If("attribute_not_exists(placedByChat)")
	}
}

// place adds a chat to the large groups of a member, unless the user's profile is gone.
func (of *memberships) place(tx *keyspec.Tx, m *social.ChatMember) {
	if of.gone[m.UserID] {
		return
	}
	largeMembers.Put(tx, largeMemberItem{m.UserID, m.ChatID})
	of.counted[m.UserID] = profiles.Update(tx, profileKey(m.UserID)).If(hadProfile, m.JoinedAt).Set("inLargeChats", true)
}

// count updates the counters in a member's profile.
func (of *memberships) count(tx *keyspec.Tx, before, after *social.ChatMember) {
	if of.gone[before.UserID] {
		return
	}
	memberCounts.Moved(tx, before, after)
	of.counted[before.UserID] = profiles.Check(tx, profileKey(before.UserID)).If(hadProfile, before.JoinedAt)
}

// unviewedAsBefore returns the condition that a member has unviewed messages if and only if
// they had some before.
func unviewedAsBefore(before *social.ChatMember) string {
	if hasUnviewed(before) {
		return "messagesUnviewedCount > ?"
	}
	return "attribute_not_exists(messagesUnviewedCount) OR messagesUnviewedCount = ?"
}
