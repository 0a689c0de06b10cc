package resolvers

import (
	"context"
	"sync"

	"stoa/internal/kit/batch"
	"stoa/internal/kit/viewer"
	"stoa/systems/communities"
)

// loaders gather what many items of a list name.
type loaders struct {
	resolver *Resolver
	ctx      context.Context
	make     sync.Once

	users       *batch.Loader[communities.UserID, *communities.SeenUser]
	communities *batch.Loader[communities.CommunityID, *communities.SeenCommunity]
	inside      *batch.Loader[communities.CommunityID, bool]
	chats       *batch.Loader[communities.ChatID, *communities.SeenGroup]
	pending     *batch.Loader[communities.ChatID, *communities.SeenRequest]
	messages    *batch.Loader[communities.MessageRef, *communities.Message]
}

type loadersKey struct{}

// WithLoaders returns a context for one operation. Its viewer must be in ctx.
func (r *Resolver) WithLoaders(ctx context.Context) context.Context {
	return context.WithValue(ctx, loadersKey{}, &loaders{resolver: r, ctx: ctx})
}

func (r *Resolver) loaders(ctx context.Context) *loaders {
	l := ctx.Value(loadersKey{}).(*loaders)
	l.make.Do(func() {
		v := viewer.From(l.ctx)
		l.users = batch.New(l.ctx, r.Gather, func(ctx context.Context, ids []communities.UserID) (map[communities.UserID]*communities.SeenUser, error) {
			return r.Accounts.Named(ctx, v, ids)
		})
		l.communities = batch.New(l.ctx, r.Gather, func(ctx context.Context, ids []communities.CommunityID) (map[communities.CommunityID]*communities.SeenCommunity, error) {
			return r.Towns.Known(ctx, v, ids)
		})
		l.inside = batch.New(l.ctx, r.Gather, func(ctx context.Context, ids []communities.CommunityID) (map[communities.CommunityID]bool, error) {
			return r.Towns.Inside(ctx, v, ids)
		})
		l.chats = batch.New(l.ctx, r.Gather, func(ctx context.Context, ids []communities.ChatID) (map[communities.ChatID]*communities.SeenGroup, error) {
			return r.Chats.Known(ctx, v, ids)
		})
		l.pending = batch.New(l.ctx, r.Gather, func(ctx context.Context, ids []communities.ChatID) (map[communities.ChatID]*communities.SeenRequest, error) {
			return r.Requests.PendingOf(ctx, v, ids)
		})
		l.messages = batch.New(l.ctx, r.Gather, r.Letters.Shown)
	})
	return l
}

// named shows a user, nil when they are gone.
func (r *Resolver) named(ctx context.Context, id communities.UserID) (*communities.SeenUser, error) {
	if id == "" {
		return nil, nil
	}
	return one(r.loaders(ctx).users, ctx, id)
}

// one loads what there may be.
func one[K comparable, V any](l *batch.Loader[K, V], ctx context.Context, key K) (V, error) {
	value, _, err := l.Load(ctx, key)
	return value, err
}

// reactions shows the reactions to a message of users who are there.
func (r *Resolver) reactions(ctx context.Context, m *communities.SeenMessage) ([]*communities.SeenReaction, error) {
	all := m.Ordered()
	users := make([]*communities.SeenUser, len(all))
	errs := make([]error, len(all))
	var wait sync.WaitGroup
	for i := range all { // at the same time, so that they are read together
		wait.Go(func() { users[i], errs[i] = r.named(ctx, all[i].UserID) })
	}
	wait.Wait()
	seen := []*communities.SeenReaction{}
	for i, reaction := range all {
		if errs[i] != nil {
			return nil, errs[i]
		}
		if users[i] != nil {
			seen = append(seen, &communities.SeenReaction{User: users[i], Type: reaction.Type, CreatedAt: reaction.At})
		}
	}
	return seen, nil
}
