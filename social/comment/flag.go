package comment

import (
	"context"
	"slices"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// Flag flags a comment. It returns the comment as it was and flagged, even if the flag
// causes its removal.
func (s *Service) Flag(ctx context.Context, c social.Caller, id social.CommentID, why string, d social.Detail) (*social.SeenComment, error) {
	if err := desk.CheckReason(why); err != nil {
		return nil, err
	}
	moderates, err := s.Moderators.IsModerator(ctx, c.UserID)
	if err != nil {
		return nil, err
	}
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*social.SeenComment, error) {
		f, on, found, err := s.find(ctx, c.UserID, id, d|social.FlagMark, d|social.ViewMark)
		if err != nil {
			return nil, err
		}
		missing := refusal.NotFoundf("Comment `%s` does not exist", id)
		if !found {
			return nil, missing
		}
		users, err := c.With(ctx, s.People, append(f.Users(), on.Users()...), d|social.BlockedTie)
		if err != nil {
			return nil, err
		}
		owner, author := on.Owner(users), users[f.Comment.UserID]
		if owner == nil || author == nil {
			return nil, missing
		}
		if err := f.CheckFlag(on, owner, author); err != nil {
			return nil, err
		}
		if former, left := f.FormerFlag(author); left {
			return nil, s.Flags.MakeRoom(ctx, former)
		}
		answer := f.AsFlagged().On(on).See(users)
		flag := f.Flag().Dated(c.User.NotBefore(s.Now()), f.Comment.CommentedAt)
		flag.Reason = why
		report, err := desk.ReportedIn(ctx, s.Cases, f.Comment.CaseItem(), f.Comment.UserID, flag.CreatedAt, 1)
		if err != nil {
			return nil, err
		}
		report = report.Unchecked(f.Comment.Unchecked)
		opened := decision.Announce(a, report)
		by := func(weight int) desk.RemovedBy { return f.Comment.Condemned(c.UserID, moderates, on.Post, weight) }
		weight, err := s.Flags.Weigh(ctx, social.Weighing{
			Kind: social.FlagOnComment, ID: string(id), By: c.UserID, Count: f.Comment.FlagCount,
			Suffices: func(weight int) bool { return by(weight) != "" },
		})
		if err != nil {
			return nil, err
		}
		if by(weight) == "" {
			return answer, s.Store.Flag(ctx, f.Comment, on.Post, flag, report, opened...)
		}
		report.Reports = []desk.Report{flag.Report()}
		return answer, s.forceOut(ctx, a, f.Comment, on, report, by(weight), opened...)
	})
}

// forceOut removes a comment on a post by moderation, and keeps it with its case.
func (s *Service) forceOut(
	ctx context.Context, a *decision.Attempt, c *social.Comment, on social.PostFacts, in desk.CaseStep, by desk.RemovedBy, e ...outbox.Record,
) error {
	r, err := s.removal(ctx, c, on)
	if err != nil {
		return err
	}
	in = in.Removing(by, desk.Keeping(c, c.Text), s.Now())
	r.Forced, r.Case = true, &in
	causes := a.Emit(r.Event(), social.ContentForciblyRemoved{UserID: c.UserID, Kind: social.ForcedComments})
	return s.Store.Remove(ctx, r, slices.Concat(causes, e)...)
}
