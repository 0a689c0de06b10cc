package message

import (
	"context"
	"slices"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/outbox"
	"stoa/systems/communities"
)

func draft(m *communities.Message) desk.Draft {
	return desk.Draft{Item: m.CaseItem(), Author: m.AuthorID, Text: m.Content}
}

// said returns a new message as it is stored after its content check: held, and with its case,
// unless that allows it. What is to be removed is a tombstone from the beginning, and its case
// keeps the message.
func (s *Service) said(ctx context.Context, m *communities.Message, found desk.Check) (*communities.Message, *desk.CaseStep, error) {
	stored := *m
	stored.Unchecked = found.Allows() && found.Failed
	if found.Allows() {
		return &stored, nil, nil
	}
	stored.Held = true
	in, err := desk.CheckedIn(ctx, s.Cases, m.CaseItem(), m.AuthorID, s.Now(), found)
	if err != nil {
		return nil, nil, err
	}
	if found.Verdict == desk.CheckRemove {
		in = in.Removing(desk.RemovedByProgram, desk.Keeping(stored, m.Content), s.Now())
		return stored.Tombstone(), &in, nil
	}
	return &stored, &in, nil
}

// editHeld stores a held message with its new content, which stays held. Whoever decides its case
// has to look again.
func (s *Service) editHeld(ctx context.Context, a *decision.Attempt, r *room, m *communities.Message) error {
	in, err := desk.EditedIn(ctx, s.Cases, m.CaseItem())
	if err != nil {
		return err
	}
	e := r.happened(communities.MessageEdited, m.Moment)
	e.Held = true
	if in != nil {
		a.Tell(in.Message())
	}
	return s.Store.Edit(ctx, m, in, a.Emit(e)...)
}

// takeOut deletes a message whose edited content the check does not allow. Its case keeps it as
// edited.
func (s *Service) takeOut(ctx context.Context, a *decision.Attempt, r *room, m, edited *communities.Message, found desk.Check) error {
	in, err := desk.CheckedIn(ctx, s.Cases, m.CaseItem(), m.AuthorID, s.Now(), found)
	if err != nil {
		return err
	}
	in = in.Removing(desk.RemovedByProgram, desk.Keeping(edited, edited.Content), s.Now())
	return s.erase(ctx, a, r, m, m.AuthorID, &in, decision.Announce(a, in)...)
}

// show shows the members of its chat a message that was held or deleted. Members who have not
// read it have one more unread message. What they never saw is news to them.
func (s *Service) show(ctx context.Context, a *decision.Attempt, r *room, was, m *communities.Message, c desk.CaseStep, e []outbox.Record) error {
	shown := *m
	shown.Held = false
	back := communities.ChatHappened{
		Chat: r.ChatRef, Type: communities.MessageEdited, UserID: m.AuthorID, Message: m.Moment, AuthorID: m.AuthorID, Released: true,
	}
	if was.Held {
		back.Type, back.ChatName = communities.MessageCreated, r.Name
		facts, err := s.Store.Facts(ctx, communities.Wanted{Users: []communities.UserID{m.AuthorID}})
		if err != nil {
			return err
		}
		if author := facts.Users[m.AuthorID]; author != nil {
			back.UserName = author.Name
		}
	}
	unread, chat, err := s.unreadBy(ctx, r, m)
	if err != nil {
		return err
	}
	back.Uncounted = chat == nil
	w := communities.Returning{Was: was, Message: &shown, Chat: r.Chat, Unread: unread, Counted: chat != nil, Case: c.Restoring()}
	return s.Store.Return(ctx, w, slices.Concat(a.Emit(back), e)...)
}
