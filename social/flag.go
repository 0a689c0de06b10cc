package social

import (
	"context"
	"fmt"
	"time"

	"stoa/internal/kit/refusal"
)

// FlagKind is what a flag is on. Its values are stored.
type FlagKind string

const (
	FlagOnPost        FlagKind = "post"
	FlagOnComment     FlagKind = "comment"
	FlagOnChat        FlagKind = "chat"
	FlagOnChatMessage FlagKind = "chatMessage"
)

// FlagKinds are all there are.
var FlagKinds = []FlagKind{FlagOnPost, FlagOnComment, FlagOnChat, FlagOnChatMessage}

// flaggedAs are the names of kinds in refusals.
var flaggedAs = map[FlagKind]string{FlagOnPost: "Post", FlagOnComment: "Comment", FlagOnChat: "Chat", FlagOnChatMessage: "ChatMessage"}

// Flag is a user's report of something to the moderators. There is no taking it back.
type Flag struct {
	Kind FlagKind
	// ItemID is the id of what is flagged.
	ItemID    string
	UserID    UserID
	CreatedAt time.Time
}

// FlagClearer clears flags away.
type FlagClearer interface {
	// Clear removes all flags on something that is about to go, and that nobody can flag
	// any more.
	Clear(ctx context.Context, kind FlagKind, id string) error
}

// String is what is flagged, as refusals name it.
func (f Flag) String() string { return fmt.Sprintf("%s `%s`", f.Kind, f.ItemID) }

// Dated returns the flag as it is made at a time. The clocks of other processes may be ahead
// of this one's, but no flag comes before what it is on.
func (f Flag) Dated(now, since time.Time) Flag {
	f.CreatedAt = latest(now, since)
	return f
}

// again refuses a second flag by the same user.
func (f Flag) again() error {
	return refusal.Invalidf("%s `%s` has already been flagged by user `%s`", flaggedAs[f.Kind], f.ItemID, f.UserID)
}

// byFriend refuses a flag between users who block one another, and of what is one's own.
func (f Flag) byFriend(owner *SeenUser) error {
	owner.read.need(BlockedTie, "owner of what is flagged")
	switch {
	case owner.rel.BlockedBy:
		return refusal.Forbiddenf("User has been blocked by owner of %s", f)
	case owner.rel.Blocks:
		return refusal.Forbiddenf("User has blocked owner of %s", f)
	case owner.rel.self:
		return refusal.Invalidf("User cant flag their own %s", f)
	default:
		return nil
	}
}

// openTo reports whether a user lets the viewer flag what is theirs, blocks aside: private
// users let followers. They are no followers of themselves.
func (s *SeenUser) openTo() bool { return s.user.Privacy != Private || s.rel.Follows == Following }

// moderates reports whether a flag of the user on a post or a comment is decisive.
func (u *User) moderates() bool { return u.Username == RealUsername || u.Username == "ian" }

// crowdViewers is how many viewers of a post are no crowd yet.
const crowdViewers = 5

// crowd reports whether the flags on a post, or on a comment on it, are those of a crowd:
// more than a tenth of its viewers.
func crowd(flags, viewers int) bool { return viewers > crowdViewers && 10*flags > viewers }

// Flag is the viewer's flag of the post, not dated yet.
func (f PostFacts) Flag() Flag {
	return Flag{Kind: FlagOnPost, ItemID: string(f.Post.PostID), UserID: f.Viewer}
}

// CheckFlag refuses a flag of the post by its viewer, who sees its owner as given. In which
// status the post is does not matter.
func (f PostFacts) CheckFlag(owner *SeenUser) error {
	f.Read.need(FlagMark, "post")
	if !owner.openTo() {
		return refusal.Invalidf("User does not have access to %s", f.Flag())
	}
	if err := f.Flag().byFriend(owner); err != nil {
		return err
	}
	if f.Marks.Flagged {
		return f.Flag().again()
	}
	return nil
}

// Flagged returns the facts as they are after the viewer's flag.
func (f PostFacts) Flagged() PostFacts {
	p := *f.Post
	p.FlagCount++
	f.Post, f.Marks.Flagged = &p, true
	return f
}

// Condemned reports whether a further flag, by flagger, has the post archived, which may be
// archived already.
func (p *Post) Condemned(flagger *User) bool {
	return flagger.moderates() || crowd(p.FlagCount+1, p.ViewedByCount)
}

// Flag is the viewer's flag of the comment, not dated yet.
func (f CommentFacts) Flag() Flag {
	return Flag{Kind: FlagOnComment, ItemID: string(f.Comment.CommentID), UserID: f.Viewer}
}

// CheckFlag refuses a flag of the comment by its viewer, who sees the owner of its post and
// its author as given. A comment is as open to flags as its post, also for whom the owner of
// the post blocks: only blocks of the author count.
func (f CommentFacts) CheckFlag(owner, author *SeenUser) error {
	f.Read.need(FlagMark, "comment")
	if !owner.IsSelf() && !owner.openTo() {
		return refusal.Invalidf("User does not have access to %s", f.Flag())
	}
	if err := f.Flag().byFriend(author); err != nil {
		return err
	}
	if f.Flagged {
		return f.Flag().again()
	}
	return nil
}

// AsFlagged returns the facts as they are after the viewer's flag.
func (f CommentFacts) AsFlagged() CommentFacts {
	f.Flagged = true
	return f
}

// Condemned reports whether a further flag, by flagger, removes the comment from its post p.
func (c *Comment) Condemned(flagger *User, p *Post) bool {
	return flagger.UserID == p.PostedByUserID || flagger.moderates() || crowd(c.FlagCount+1, p.ViewedByCount)
}

// Flag is the viewer's flag of the chat, not dated yet.
func (f ChatFacts) Flag() Flag {
	return Flag{Kind: FlagOnChat, ItemID: string(f.Chat.ChatID), UserID: f.Viewer}
}

// CheckFlag refuses a flag of the chat, which exists, by its viewer.
func (f ChatFacts) CheckFlag() error {
	f.Read.need(FlagMark, "chat")
	switch {
	case !f.Open():
		return refusal.NotFoundf("User is not part of %s", f.Flag())
	case f.Flagged:
		return f.Flag().again()
	default:
		return nil
	}
}

// AsFlagged returns the facts as they are after the viewer's flag.
func (f ChatFacts) AsFlagged() ChatFacts {
	f.Flagged = true
	return f
}

// Condemned reports whether so many flags end the chat, or one of its messages: they are
// those of more than a tenth of its members.
func (c *Chat) Condemned(flags int) bool { return 10*flags > c.UserCount }

// Flag is the viewer's flag of the message, not dated yet.
func (f ChatMessageFacts) Flag() Flag {
	return Flag{Kind: FlagOnChatMessage, ItemID: string(f.Message.MessageID), UserID: f.Viewer}
}

// CheckFlag refuses a flag of the message by its viewer, who knows its chat as given and sees
// its author as given, nil when they are gone.
func (f ChatMessageFacts) CheckFlag(in ChatFacts, author *SeenUser) error {
	f.Read.need(FlagMark, "chat message")
	if f.Message.UserID == "" {
		return refusal.Invalidf("Cannot flag system chat message")
	}
	if !in.Open() {
		return refusal.NotFoundf("User is not part of chat of message `%s`", f.Message.MessageID)
	}
	if author != nil {
		if err := f.Flag().byFriend(author); err != nil {
			return err
		}
	}
	if f.Flagged {
		return f.Flag().again()
	}
	return nil
}

// AsFlagged returns the facts as they are after the viewer's flag.
func (f ChatMessageFacts) AsFlagged() ChatMessageFacts {
	f.Flagged = true
	return f
}
