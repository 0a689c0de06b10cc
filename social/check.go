package social

import "stoa/internal/desk"

// Checked returns the post that is about to be completed after its content check. before is nil
// for a new post.
func (p *Post) Checked(before *Post, found desk.Check) *Post {
	q := *p
	q.Unchecked = found.Failed && found.Allows()
	switch {
	case found.Allows():
	case found.Verdict == desk.CheckHold && (before == nil || !before.Shown()):
		q.Status, q.Held = PostProcessing, true
		if before != nil { // it is still to be done
			q.SetAsUserPhoto = before.SetAsUserPhoto
		}
	default:
		q.Status, q.RemovedBy, q.Held = PostArchived, RemovedByProgram, found.Verdict == desk.CheckHold
	}
	return &q
}

// Changed returns the facts after the content check has changed the post to p.
func (f PostFacts) Changed(p *Post) PostFacts {
	f.Post = p
	return f
}

// Checked returns the facts after a content check that allows the message.
func (f ChatMessageFacts) Checked(found desk.Check) ChatMessageFacts {
	m := *f.Message
	m.Unchecked = found.Failed
	f.Message = &m
	return f
}

// HiddenFrom reports whether a comment waits for a moderator's decision, and is shown to its author alone.
func (c *Comment) HiddenFrom(viewer UserID) bool { return c.Held && c.UserID != viewer }

// HiddenFrom reports the same of a message.
func (m *ChatMessage) HiddenFrom(viewer UserID) bool { return m.Held && m.UserID != viewer }

// Mentioned returns the users mentioned in the text.
func (p *Post) Mentioned() []UserID { return NewlyTagged(nil, p.TextTags) }

// CommentRefused: the content check removes a comment, which is held until then.
type CommentRefused struct {
	CommentID CommentID
	Author    UserID
}

func (CommentRefused) EventName() string     { return "comment.refused" }
func (e CommentRefused) OrderingKey() string { return string(e.Author) }

// ChatMessageRefused: the content check removes a message, which is held until then.
type ChatMessageRefused struct {
	ChatID    ChatID
	MessageID ChatMessageID
}

func (ChatMessageRefused) EventName() string     { return "chatMessage.refused" }
func (e ChatMessageRefused) OrderingKey() string { return string(e.ChatID) }
