package store

import (
	"context"
	"slices"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/stored"
	"stoa/social"
)

// Flags lists and removes flags. They are stored by the decisions that they are part of.
type Flags struct{ db *keyspec.DB }

// maxFlagsRemoved is the maximum number of flags that a transaction can remove in addition
// to checking the flagged item.
const maxFlagsRemoved = 99

// Of returns the flags of an item in no particular order, with a consistent read.
func (s *Flags) Of(ctx context.Context, kind social.FlagKind, id string, q page.Query) (page.Page[social.Flag], error) {
	return flagRowsOf[kind].of(ctx, s.db, id, q)
}

// ByUser returns a user's flags of one kind in no particular order, from K1.
func (s *Flags) ByUser(ctx context.Context, kind social.FlagKind, user social.UserID, q page.Query) (page.Page[social.Flag], error) {
	return flagRowsOf[kind].byUser(ctx, s.db, user, q)
}

// Remove removes a flag and updates its counters, if it and the flagged item still exist.
func (s *Flags) Remove(ctx context.Context, flag social.Flag) error {
	tx := s.db.NewTx()
	flagRowsOf[flag.Kind].remove(tx, flag)
	err := stored.Outcome(tx.Run(ctx))
	if refusal.KindOf(err) == refusal.Conflict {
		return s.RemoveLeftovers(ctx, []social.Flag{flag})
	}
	return err
}

// RemoveLeftovers removes flags of one kind from an item that no longer exists, without
// updating counters. It keeps those of a newer item with the same id.
func (s *Flags) RemoveLeftovers(ctx context.Context, of []social.Flag) error {
	for chunk := range slices.Chunk(of, maxFlagsRemoved) {
		if err := s.removeLeftovers(ctx, chunk); err != nil {
			return err
		}
	}
	return nil
}

// removeLeftovers falls back to single flags if some are not leftovers.
func (s *Flags) removeLeftovers(ctx context.Context, of []social.Flag) error {
	last, rows := of[0].CreatedAt, flagRowsOf[of[0].Kind]
	tx := s.db.NewTx()
	for _, flag := range of {
		rows.drop(tx, flag)
		if flag.CreatedAt.After(last) {
			last = flag.CreatedAt
		}
	}
	gone := rows.gone(tx, of[0].ItemID, last)
	err := tx.Run(ctx)
	if !keyspec.Refused(err, gone) {
		return err
	}
	if len(of) > 1 {
		for single := range slices.Chunk(of, 1) {
			if err := s.removeLeftovers(ctx, single); err != nil {
				return err
			}
		}
	}
	return nil
}

// flagRows are the operations on flags of one kind.
type flagRows struct {
	// add stores a new flag and updates its counters. since is when the flagged item was
	// created: an older flag is a leftover of an earlier item with the same id.
	add func(tx *keyspec.Tx, flag social.Flag, since time.Time)
	// remove removes a flag and updates its counters; the flagged item must exist. drop
	// removes only the row.
	remove, drop func(tx *keyspec.Tx, flag social.Flag)
	// gone checks that an item created by a given time no longer exists.
	gone   func(tx *keyspec.Tx, id string, at time.Time) keyspec.Action
	of     func(ctx context.Context, db *keyspec.DB, id string, q page.Query) (page.Page[social.Flag], error)
	byUser func(ctx context.Context, db *keyspec.DB, user social.UserID, q page.Query) (page.Page[social.Flag], error)
}

// flagRowsOf maps each kind to its operations.
var flagRowsOf = map[social.FlagKind]flagRows{
	social.FlagOnPost: rowsOfFlags(postFlags, postFlagCounts,
		func(f social.Flag) postFlagItem { return postFlagItem{social.PostID(f.ItemID), flagItem{f}} },
		func(i *postFlagItem) social.Flag { return i.flag(social.FlagOnPost, string(i.PostID)) },
		flagged(posts, "postId", "postedAt")),
	social.FlagOnComment: rowsOfFlags(commentFlags, commentFlagCounts,
		func(f social.Flag) commentFlagItem { return commentFlagItem{social.CommentID(f.ItemID), flagItem{f}} },
		func(i *commentFlagItem) social.Flag { return i.flag(social.FlagOnComment, string(i.CommentID)) },
		flagged(comments, "commentId", "commentedAt")),
	social.FlagOnChat: rowsOfFlags(chatFlags, chatFlagCounts,
		func(f social.Flag) chatFlagItem { return chatFlagItem{social.ChatID(f.ItemID), flagItem{f}} },
		func(i *chatFlagItem) social.Flag { return i.flag(social.FlagOnChat, string(i.ChatID)) },
		flagged(chats, "chatId", "createdAt")),
	social.FlagOnChatMessage: rowsOfFlags(chatMessageFlags, chatMessageFlagCounts,
		func(f social.Flag) chatMessageFlagItem {
			return chatMessageFlagItem{social.ChatMessageID(f.ItemID), flagItem{f}}
		},
		func(i *chatMessageFlagItem) social.Flag { return i.flag(social.FlagOnChatMessage, string(i.MessageID)) },
		flagged(chatMessages, "messageId", "createdAt")),
}

// flaggable checks the existence of a flagged item.
type flaggable struct {
	// there checks that the item flagged at a given time exists, gone that it does not.
	there, gone func(tx *keyspec.Tx, id string, at time.Time) keyspec.Action
}

// flagged returns the checks for rows with an attribute id, which exist since the time in
// the attribute since.
func flagged[T any](rows *keyspec.Entity[T], id, since string) flaggable {
	check := func(condition string) func(tx *keyspec.Tx, item string, at time.Time) keyspec.Action {
		return func(tx *keyspec.Tx, item string, at time.Time) keyspec.Action {
			return rows.Check(tx, rows.Key(item)).If(condition, at)
		}
	}
	return flaggable{
		there: check(since + " <= ?"),
		gone:  check("attribute_not_exists(" + id + ") OR " + since + " > ?"),
	}
}

func rowsOfFlags[T any](rows *keyspec.Entity[T], counts keyspec.Counted[T], itemOf func(social.Flag) T, flagOf func(*T) social.Flag, on flaggable) flagRows {
	return flagRows{
		add: func(tx *keyspec.Tx, flag social.Flag, since time.Time) {
			item := itemOf(flag)
			rows.Put(tx, item).If("attribute_not_exists(createdAt) OR createdAt < ?", since)
			profiles.Check(tx, profileKey(flag.UserID)).If(hadProfile, flag.CreatedAt)
			counts.Moved(tx, nil, &item)
		},
		remove: func(tx *keyspec.Tx, flag social.Flag) {
			item, at := itemOf(flag), flag.CreatedAt
			rows.Delete(tx, rows.KeyOf(&item)).If("createdAt = ?", at)
			counts.Moved(tx, &item, nil)
			on.there(tx, flag.ItemID, at)
		},
		drop: func(tx *keyspec.Tx, flag social.Flag) {
			item := itemOf(flag)
			rows.Delete(tx, rows.KeyOf(&item))
		},
		gone: on.gone,
		of: func(ctx context.Context, db *keyspec.DB, id string, q page.Query) (page.Page[social.Flag], error) {
			return stored.List(ctx, db, rows.Begins(keyspec.Primary, id), q, false, flagOf)
		},
		byUser: func(ctx context.Context, db *keyspec.DB, user social.UserID, q page.Query) (page.Page[social.Flag], error) {
			return stored.ListKeys(ctx, db, rows, rows.Begins(K1, string(user)), q, flagOf)
		},
	}
}

// flag returns the flag, whose kind and item are those of its row.
func (i *flagItem) flag(kind social.FlagKind, id string) social.Flag {
	f := i.Flag
	f.Kind, f.ItemID = kind, id
	return f
}

func (i flagItem) at() time.Time { return i.CreatedAt }

// flaggedSince is flagsSince, and returns when the item was flagged.
func flaggedSince[F interface{ at() time.Time }](flag *F, came time.Time) (flagged bool, at time.Time) {
	if !flagsSince(flag, came) {
		return false, time.Time{}
	}
	return true, (*flag).at()
}

// flagsSince reports whether a flag, which may be nil, belongs to the item created at the
// given time and not to an earlier item with the same id.
func flagsSince[F interface{ at() time.Time }](flag *F, came time.Time) bool {
	return flag != nil && !(*flag).at().Before(came)
}
