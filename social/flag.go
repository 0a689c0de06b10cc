package social

import (
	"context"
	"fmt"
	"time"

	"stoa/internal/desk"
	"stoa/internal/kit/refusal"
)

// FlagKind is the kind of content that a flag refers to. Its values are stored.
type FlagKind string

const (
	FlagOnPost        FlagKind = "post"
	FlagOnComment     FlagKind = "comment"
	FlagOnChat        FlagKind = "chat"
	FlagOnChatMessage FlagKind = "chatMessage"
)

// FlagKinds lists all kinds.
var FlagKinds = []FlagKind{FlagOnPost, FlagOnComment, FlagOnChat, FlagOnChatMessage}

// flaggedAs has the names of kinds in error messages.
var flaggedAs = map[FlagKind]string{FlagOnPost: "Post", FlagOnComment: "Comment", FlagOnChat: "Chat", FlagOnChatMessage: "ChatMessage"}

// Flag is a user's report of content to the moderators. It cannot be withdrawn.
type Flag struct {
	Kind FlagKind `dynamo:"-"`
	// ItemID identifies the flagged content.
	ItemID    string    `dynamo:"-"`
	UserID    UserID    `dynamo:"userId,keyonly"`
	CreatedAt time.Time `dynamo:"createdAt"`
	// Reason is what the user wrote; it may be empty.
	Reason string `dynamo:"reason"`
}

// Report returns the flag as moderators see it.
func (f Flag) Report() desk.Report {
	return desk.Report{By: f.UserID, When: f.CreatedAt, Why: f.Reason}
}

// SystemName is the name of the system in cases.
const SystemName = "social"

// Cases knows the cases of reported content.
type Cases = desk.Cases

// caseKinds are the kinds of content in cases.
var caseKinds = map[FlagKind]desk.ContentKind{
	FlagOnPost: desk.Post, FlagOnComment: desk.Comment, FlagOnChat: desk.Room, FlagOnChatMessage: desk.Message,
}

// CaseItem returns flagged content as the item of a case.
func (k FlagKind) CaseItem(id string) desk.Item {
	return desk.Item{System: SystemName, Kind: caseKinds[k], ItemID: id}
}

// CaseItem returns the post as the item of a case.
func (p *Post) CaseItem() desk.Item { return FlagOnPost.CaseItem(string(p.PostID)) }

// CaseItem returns the comment as the item of a case.
func (c *Comment) CaseItem() desk.Item { return FlagOnComment.CaseItem(string(c.CommentID)) }

// CaseItem returns the chat as the item of a case.
func (c *Chat) CaseItem() desk.Item { return FlagOnChat.CaseItem(string(c.ChatID)) }

// CaseItem returns the message as the item of a case.
func (m *ChatMessage) CaseItem() desk.Item { return FlagOnChatMessage.CaseItem(string(m.MessageID)) }

// Weighing asks for the weight of the flags on something.
type Weighing struct {
	Kind FlagKind
	ID   string
	// By is who places another flag, and Count the number of those before it.
	By    UserID
	Count int
	// Suffices reports whether a weight has the effect of a crowd.
	Suffices func(weight int) bool
}

// Full returns the weight of the flags if all count in full.
func (w Weighing) Full() int { return desk.FullWeight * (w.Count + 1) }

// Flags weighs flags, and takes them off content.
type Flags interface {
	// Weigh returns the weight of flags, in tenths of a flag.
	Weigh(ctx context.Context, w Weighing) (weight int, err error)
	// MakeRoom removes a flag that a former profile has left, for one of the present profile. It fails
	// with Conflict once it has: what was decided on the flag is decided again.
	MakeRoom(ctx context.Context, former Flag) error
	FlagClearer
}

// FlagClearer takes flags off content.
type FlagClearer interface {
	// Clear removes all flags on things that are being deleted and can no longer be flagged,
	// keeps them with their cases, and decides those.
	Clear(ctx context.Context, kind FlagKind, all ...FlaggedItem) error
	// Cleared returns the flags to take off something in the transaction of a decision. If
	// there are too many, it moves some to the case before.
	Cleared(ctx context.Context, kind FlagKind, id string) ([]Flag, error)
	// Drop moves the flags on something that was removed to its case.
	Drop(ctx context.Context, kind FlagKind, id string) error
}

// FlaggedItem is something with the number of flags on it.
type FlaggedItem struct {
	ID    string
	Count int
}

// FlaggedItem returns the comment with the number of flags on it.
func (c *Comment) FlaggedItem() FlaggedItem { return FlaggedItem{string(c.CommentID), c.FlagCount} }

// FlaggedItem returns the message with the number of flags on it.
func (m *ChatMessage) FlaggedItem() FlaggedItem { return FlaggedItem{string(m.MessageID), m.FlagCount} }

// Reports returns flags as moderators see them.
func Reports(flags []Flag) []desk.Report {
	var all []desk.Report
	for _, f := range flags {
		all = append(all, f.Report())
	}
	return all
}

// String returns how error messages name the flagged content.
func (f Flag) String() string { return fmt.Sprintf("%s `%s`", f.Kind, f.ItemID) }

// Dated returns the flag with the given time, but no earlier than the content: clocks of
// other processes may be ahead.
func (f Flag) Dated(now, since time.Time) Flag {
	f.CreatedAt = latest(now, since)
	return f
}

// again returns the error for a second flag by the same user.
func (f Flag) again() error {
	return refusal.Invalidf("%s `%s` has already been flagged by user `%s`", flaggedAs[f.Kind], f.ItemID, f.UserID)
}

// byFriend refuses flags of one's own content and between users of whom one blocks the
// other.
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

// openTo reports whether the user's privacy lets the viewer flag their content: that of
// private users can be flagged by followers only.
func (s *SeenUser) openTo() bool { return s.user.Privacy != Private || s.rel.Follows == Following }

// crowdViewers is the number of viewers up to which flags have no effect.
const crowdViewers = 5

// crowd reports whether flags of a weight in tenths are those of enough viewers of a post, on it or
// on a comment on it: of more than a tenth of them.
func crowd(weight, viewers int) bool {
	return viewers > crowdViewers && 10*weight > desk.FullWeight*viewers
}

// Flag returns the viewer's flag on the post, without a time.
func (f PostFacts) Flag() Flag {
	return Flag{Kind: FlagOnPost, ItemID: string(f.Post.PostID), UserID: f.Viewer}
}

// CheckFlag refuses a flag that the viewer may not place on the post, whatever its status.
func (f PostFacts) CheckFlag(owner *SeenUser) error {
	f.Read.need(FlagMark, "post")
	if !owner.openTo() {
		return refusal.Invalidf("User does not have access to %s", f.Flag())
	}
	if err := f.Flag().byFriend(owner); err != nil {
		return err
	}
	if f.Marks.of(owner).Flagged {
		return f.Flag().again()
	}
	return nil
}

// FormerFlag returns the flag on the post of owner that was left by a former profile of the viewer
// and has yet to be removed, and whether there is one.
func (f PostFacts) FormerFlag(owner *SeenUser) (flag Flag, left bool) {
	flag = f.Flag()
	flag.CreatedAt = f.Marks.FlaggedAt
	return flag, f.Marks.Flagged && owner.left(f.Marks.FlaggedAt)
}

// Flagged returns the facts as they are after the viewer's flag.
func (f PostFacts) Flagged() PostFacts {
	p := *f.Post
	p.FlagCount++
	f.Post, f.Marks.Flagged, f.Marks.FlaggedAt = &p, true, time.Time{}
	return f
}

// Judged returns the post after another flag, which brings the weight of all flags to the given
// tenths. A moderator's flag archives the post, even if it was held, as does the last flag of a
// crowd if the post is completed. If the author had archived it, a moderator's flag prevents its
// restoration. Judged returns p itself if nothing changes.
func (p *Post) Judged(byModerator bool, weight int) *Post {
	by := RemovedBy("")
	switch {
	case byModerator:
		by = RemovedByModerator
	case p.Status == PostCompleted && !p.Kept() && crowd(weight, p.ViewedByCount):
		by = RemovedByReports
	}
	if by == "" || by == p.RemovedBy || !p.Shown() {
		return p
	}
	after := *p
	after.Status, after.RemovedBy, after.Held = PostArchived, by, false
	return &after
}

// CountsRemoved reports whether removing the post counts for its owner, as Keep takes back: it was
// not removed already, but perhaps archived by its author.
func (p *Post) CountsRemoved() bool {
	return p.Status == PostCompleted || p.Held || p.RemovedBy == RemovedByAuthor
}

// Kept reports whether a moderator decided to keep the post and its text is still what they
// saw: then no crowd removes it.
func (p *Post) Kept() bool { return !p.KeptAt.IsZero() && !p.TextEditedAt.After(p.KeptAt) }

// Decided returns the post after a moderator's verdict, and by how much the count of removals
// of its owner changes. What its author archived stays so when it is kept.
func (p *Post) Decided(v desk.Verdict, at time.Time) (after *Post, forced int) {
	to := *p
	byModeration := p.Status == PostArchived && (p.RemovedBy == RemovedByReports || p.RemovedBy == RemovedByModerator || p.RemovedBy == RemovedByProgram)
	to.Held = false
	switch {
	case v == desk.Keep && p.Held:
		to.KeptAt, to.RemovedBy = at, ""
		return to.Completed(), 0
	case v == desk.Keep:
		to.KeptAt = at
		if byModeration {
			to.Status, to.RemovedBy = PostCompleted, ""
			return &to, -1
		}
	case p.Shown():
		to.KeptAt, to.Status, to.RemovedBy = time.Time{}, PostArchived, RemovedByModerator
		if p.CountsRemoved() {
			return &to, 1
		}
	}
	return &to, 0
}

// Flag returns the viewer's flag on the comment, without a time.
func (f CommentFacts) Flag() Flag {
	return Flag{Kind: FlagOnComment, ItemID: string(f.Comment.CommentID), UserID: f.Viewer}
}

// CheckFlag refuses a flag that the viewer may not place on the comment, which the answer to
// it shows. Whoever sees the post on may flag its comments, unless viewer and author block one
// another. An author who owns the post and blocks the viewer is refused as the author.
func (f CommentFacts) CheckFlag(on PostFacts, owner, author *SeenUser) error {
	f.Read.need(FlagMark, "comment")
	shut := on.Hidden() || !owner.openTo() || owner.Blocking() && owner.UserID() != author.UserID()
	if !owner.IsSelf() && shut {
		return refusal.Invalidf("User does not have access to %s", f.Flag())
	}
	if err := f.Flag().byFriend(author); err != nil {
		return err
	}
	if f.Flagged && !author.left(f.FlaggedAt) {
		return f.Flag().again()
	}
	return nil
}

// FormerFlag returns the flag on the comment of author that was left by a former profile of the
// viewer and has yet to be removed, and whether there is one.
func (f CommentFacts) FormerFlag(author *SeenUser) (flag Flag, left bool) {
	flag = f.Flag()
	flag.CreatedAt = f.FlaggedAt
	return flag, f.Flagged && author.left(f.FlaggedAt)
}

// AsFlagged returns the facts as they are after the viewer's flag.
func (f CommentFacts) AsFlagged() CommentFacts {
	f.Flagged, f.FlaggedAt = true, time.Time{}
	return f
}

// Condemned returns who removes the comment from its post p by adding a flag, which brings the
// weight of all flags to the given tenths: the owner of the post, a moderator, or the last of a
// crowd. It returns "" if nobody does, as when a moderator has decided to keep the comment.
func (c *Comment) Condemned(flagger UserID, moderates bool, p *Post, weight int) desk.RemovedBy {
	switch {
	case moderates:
		return desk.RemovedByModerator
	case flagger == p.PostedByUserID, !c.Kept() && crowd(weight, p.ViewedByCount):
		return desk.RemovedByReports
	default:
		return ""
	}
}

// Kept reports whether a moderator decided to keep the comment: then neither crowd nor words
// remove it.
func (c *Comment) Kept() bool { return !c.KeptAt.IsZero() }

// Kept reports whether a moderator decided to keep the chat: then no crowd deletes it.
func (c *Chat) Kept() bool { return !c.KeptAt.IsZero() }

// Kept reports whether a moderator decided to keep the message and its text is still what
// they saw: then neither crowd nor words remove it.
func (m *ChatMessage) Kept() bool { return !m.KeptAt.IsZero() && !m.LastEditedAt.After(m.KeptAt) }

// Flag returns the viewer's flag on the chat, without a time.
func (f ChatFacts) Flag() Flag {
	return Flag{Kind: FlagOnChat, ItemID: string(f.Chat.ChatID), UserID: f.Viewer}
}

// CheckFlag refuses a flag that the viewer may not place on the chat, which exists.
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

// Condemned reports whether flags of a weight in tenths delete the chat, or a message in it: those
// of more than a tenth of the members.
func (c *Chat) Condemned(weight int) bool { return 10*weight > desk.FullWeight*c.UserCount }

// Flag returns the viewer's flag on the message, without a time.
func (f ChatMessageFacts) Flag() Flag {
	return Flag{Kind: FlagOnChatMessage, ItemID: string(f.Message.MessageID), UserID: f.Viewer}
}

// CheckFlag refuses a flag that the viewer may not place on the message. The author is nil
// if they no longer exist.
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
