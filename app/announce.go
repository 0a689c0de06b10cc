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
	// The host announces what those who run the service do about people.
	tell(h, "person.erased", func(e social.UserRemoved) host.Notice { return person(e.UserID) }, func(e social.UserRemoved) bool { return !e.Erased })
	disabled := func(ctx context.Context, e social.UserStatusChanged) (host.Notice, bool, error) {
		of, err := h.Ops.Operators.Suspension(ctx, e.UserID)
		return person(e.UserID), !of.Holds(), err
	}
	host.Announce(h, "person.suspended", disabled, func(e social.UserStatusChanged) bool { return e.To == social.UserDisabled })

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
