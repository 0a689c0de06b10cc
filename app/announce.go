package app

import (
	"context"

	"stoa/internal/host"
	"stoa/internal/outbox"
	"stoa/social"
)

// announce tells webhooks what happens in the social system.
func announce(h *host.Host) {
	person := func(id social.UserID) host.Notice {
		return host.Notice{Subject: string(id), Data: map[string]any{"userId": id}}
	}
	tell(h, "person.created", func(e social.UserCreated) host.Notice { return person(e.UserID) })
	tell(h, "person.erased", func(e social.UserRemoved) host.Notice { return person(e.UserID) })
	moved := func(e social.UserStatusChanged) host.Notice { return person(e.UserID) }
	tell(h, "person.suspended", moved, func(e social.UserStatusChanged) bool { return e.To == social.UserDisabled })
	tell(h, "person.reinstated", moved, func(e social.UserStatusChanged) bool {
		return e.From == social.UserDisabled && e.To == social.UserActive
	})

	post := func(e social.PostStatusChanged) host.Notice {
		return host.Notice{Subject: string(e.PostID), Data: map[string]any{"postId": e.PostID, "userId": e.UserID, "postType": e.Type, "postStatus": e.To}}
	}
	tell(h, "post.published", post, social.PostStatusChanged.First)
	tell(h, "post.removed", post, func(e social.PostStatusChanged) bool {
		return e.Showed() && e.From == social.PostCompleted && (e.To == social.PostArchived || e.To == social.PostDeleting)
	})
	tell(h, "comment.added", func(e social.CommentAdded) host.Notice {
		return host.Notice{Subject: string(e.CommentID), Data: map[string]any{"commentId": e.CommentID, "postId": e.PostID, "userId": e.Author}}
	})
	tell(h, "comment.removed", func(e social.CommentDeleted) host.Notice {
		return host.Notice{Subject: string(e.CommentID), Data: map[string]any{"commentId": e.CommentID, "postId": e.PostID, "userId": e.Author}}
	})
}

func tell[E outbox.Event](h *host.Host, kind string, notice func(e E) host.Notice, when ...func(E) bool) {
	host.Announce(h, kind, func(_ context.Context, e E) (host.Notice, bool, error) { return notice(e), true, nil }, when...)
}
