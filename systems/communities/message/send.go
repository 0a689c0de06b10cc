package message

import (
	"context"
	"errors"
	"slices"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/input"
	"stoa/internal/kit/viewer"
	"stoa/systems/communities"
)

// Send sends a message.
func (s *Service) Send(ctx context.Context, v viewer.Viewer, ref communities.ChatRef, d communities.Draft) (*communities.SeenMessage, error) {
	id, check := s.NewID(), desk.Checking{By: s.Checker}
	var r *room
	seen, err := decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*communities.SeenMessage, error) {
		var replyTo []string
		if d.ReplyTo != nil {
			replyTo = append(replyTo, *d.ReplyTo)
		}
		var err error
		if r, err = s.enter(ctx, v, ref, communities.WriteMessages, replyTo...); err != nil {
			return nil, err
		}
		content, err := communities.CheckContent(d.Content)
		if err := input.First(err, communities.CheckClientID(d.ClientID)); err != nil {
			return nil, err
		}
		m := &communities.Message{
			MessageRef: communities.MessageRef{Chat: ref, Moment: communities.Moment{At: r.Next(s.Now()), ID: id}},
			AuthorID:   v.UserID, Content: content,
		}
		if d.ClientID != nil {
			m.ClientID = *d.ClientID
		}
		if d.ReplyTo != nil {
			to := r.messages[*d.ReplyTo]
			if to == nil {
				return nil, communities.ErrNoMessage
			}
			m.ReplyTo = to.Moment
		}
		if err := s.answers(ctx, r); err != nil {
			return nil, err
		}
		found, err := check.Of(ctx, func() desk.Draft { return draft(m) })
		if err != nil {
			return nil, err
		}
		said, in, err := s.said(ctx, m, found)
		if err != nil {
			return nil, err
		}
		members, err := s.others(ctx, r)
		if err != nil {
			return nil, err
		}
		e := r.happened(communities.MessageCreated, m.Moment)
		e.UserName, e.ChatName, e.Held = r.viewer.Name, r.Name, said.Held
		if members == nil || !r.upToDate(members) {
			members, e.Uncounted = nil, true
		}
		records := a.Emit(e)
		if in != nil {
			records = slices.Concat(records, decision.Announce(a, *in))
		}
		return r.seen(m), s.Store.Send(ctx, communities.Sending{Message: said, Chat: r.Chat, Members: members, Case: in}, records...)
	})
	if sent := (communities.Sent{}); errors.As(err, &sent) {
		return s.again(ctx, r, sent.Moment)
	}
	return seen, err
}

// answers refuses messages to a private chat whose other user is gone or banned.
func (s *Service) answers(ctx context.Context, r *room) error {
	if r.Type != communities.Private {
		return nil
	}
	other := r.Other(r.viewer.ID)
	facts, err := s.Store.Facts(ctx, communities.Wanted{Users: []communities.UserID{other}})
	if err != nil {
		return err
	}
	if u := facts.Users[other]; !u.Lives() || u.Banned {
		return communities.ErrNoUser
	}
	return nil
}

// again returns the message sent by an earlier call with the same client id.
func (s *Service) again(ctx context.Context, r *room, first communities.Moment) (*communities.SeenMessage, error) {
	ref := communities.MessageRef{Chat: r.ChatRef, Moment: first}
	facts, err := s.Store.Facts(ctx, communities.Wanted{Messages: []communities.MessageRef{ref}})
	if err != nil {
		return nil, err
	}
	if facts.Messages[ref] == nil {
		return nil, communities.ErrNoMessage
	}
	return r.seen(facts.Messages[ref]), nil
}
