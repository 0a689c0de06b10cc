package operator

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/desk"
)

// checkAppeal refuses to let somebody decide an appeal against their own decision, if there is
// another who can.
func (s *Service) checkAppeal(ctx context.Context, a Actor, c *Case) error {
	if !c.IsAppealed() || c.Appeal.DecidedBy != a.UserID {
		return nil
	}
	if others, err := s.Roles.Others(ctx, a.UserID); !others || err != nil {
		return err
	}
	return forbidden("Somebody else decides the appeal against your decision about case `%s`", c.ID())
}

// ReplyToAppeal writes to the author of a case's item about their appeal.
func (s *Service) ReplyToAppeal(ctx context.Context, id, text string) (*Case, error) {
	a, err := s.Actor(ctx)
	if err != nil {
		return nil, err
	}
	if err := desk.CheckAppealText(text); err != nil {
		return nil, err
	}
	return decision.Run(ctx, s.Frame, func(attempt *decision.Attempt) (*Case, error) {
		c, err := s.existing(ctx, id)
		if err != nil {
			return nil, err
		}
		step, err := c.Say(desk.AppealMessage{When: s.Now(), Text: text, By: a.UserID})
		if err != nil {
			return nil, err
		}
		line := s.caseLine(a, c, act{action: "replyToAppeal", note: text})
		step.Line = &line
		attempt.Tell(step.Message())
		told := desk.Judgement{
			CaseID: c.ID(), Item: c.Item, Person: c.AuthorID, At: s.Now(), What: desk.AppealAnswered, By: desk.RemovedByModerator, Text: text, Number: step.After.Talk,
		}
		return &step.After, s.Store.Decide(ctx, step, attempt.Emit(told)...)
	})
}
