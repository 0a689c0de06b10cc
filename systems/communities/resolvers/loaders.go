package resolvers

import (
	"context"
	"sync"

	"stoa/internal/kit/batch"
	"stoa/internal/kit/resolve"
	"stoa/systems/communities"
)

// loaders batch reads for many items of a list.
type loaders struct {
	users       *batch.Loader[communities.UserID, *communities.SeenUser]
	communities *batch.Loader[communities.CommunityID, *communities.SeenCommunity]
	inside      *batch.Loader[communities.CommunityID, bool]
	chats       *batch.Loader[communities.ChatID, *communities.SeenGroup]
	pending     *batch.Loader[communities.ChatID, *communities.SeenRequest]
	replied     *batch.Loader[*communities.SeenMessage, *communities.SeenMessage]
	texts       *batch.Loader[*communities.SeenNotification, string]
}

// WithLoaders returns a context for one operation. ctx must contain its viewer.
func (r *Resolver) WithLoaders(ctx context.Context) context.Context {
	return batch.With(ctx, func(ctx context.Context) *loaders {
		return &loaders{
			users:       resolve.Shown(ctx, r.Gather, r.Accounts.Named),
			communities: resolve.Shown(ctx, r.Gather, r.Communities.Known),
			inside:      resolve.Shown(ctx, r.Gather, r.Communities.Inside),
			chats:       resolve.Shown(ctx, r.Gather, r.Chats.Known),
			pending:     resolve.Shown(ctx, r.Gather, r.Requests.PendingOf),
			replied:     batch.New(ctx, r.Gather, r.Messages.RepliedTo),
			texts:       resolve.Shown(ctx, r.Gather, r.Notices.Texts),
		}
	})
}

func load(ctx context.Context) *loaders { return batch.From[loaders](ctx) }

// named returns a user, or nil if they are gone.
func (r *Resolver) named(ctx context.Context, id communities.UserID) (*communities.SeenUser, error) {
	if id == "" {
		return nil, nil
	}
	return load(ctx).users.One(ctx, id)
}

// reactions returns the reactions to a message by users who exist.
func (r *Resolver) reactions(ctx context.Context, m *communities.SeenMessage) ([]*communities.SeenReaction, error) {
	ids := m.Reactors()
	users := make([]*communities.SeenUser, len(ids))
	errs := make([]error, len(ids))
	var wait sync.WaitGroup
	for i := range ids { // concurrently, so that they are read in one batch
		wait.Go(func() { users[i], errs[i] = r.named(ctx, ids[i]) })
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return m.Reacted(users), nil
}
