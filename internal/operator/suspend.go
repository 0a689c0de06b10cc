package operator

import (
	"context"
	"maps"
	"time"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/stamp"
)

// Suspender is implemented by People of systems in which a suspension means more than that no
// token of the person is accepted.
type Suspender interface {
	// Suspended makes a person's standing in the system what a suspension demands. It may be
	// called again, and does nothing for people whom the system does not know.
	Suspended(ctx context.Context, s *desk.Suspension) error
	// Reinstated ends that.
	Reinstated(ctx context.Context, e desk.PersonReinstated) error
}

// SignerOut is implemented by People of systems with sessions of their own.
type SignerOut interface {
	// TokenVersion returns the lowest version of a person's tokens that is valid; 0 for people
	// whom the system does not know.
	TokenVersion(ctx context.Context, id UserID) (int, error)
	// SignOut revokes the tokens of a person whose version is lower than least.
	SignOut(ctx context.Context, id UserID, least int) error
}

// Suspending is how a person is suspended.
type Suspending struct {
	Reason string
	// Until is nil if only an operator or a moderator reinstates the person.
	Until       *time.Time
	BanContacts bool
	// Rule is the id of the house rule that was broken, or "".
	Rule string
}

// maxSuspension is how far in the future a suspension may end by itself.
const maxSuspension = 100 * 365 * 24 * time.Hour

func (s *Service) checkSuspending(how Suspending, now time.Time) error {
	if err := checkText("reason", how.Reason); err != nil {
		return err
	}
	if how.Until == nil {
		return nil
	}
	switch {
	case !how.Until.After(now):
		return badInput("until", "`until` must be in the future: it is %s now", stamp.MilliOf(now))
	case how.Until.Sub(now) > maxSuspension:
		return badInput("until", "`until` is too far in the future: leave it out to suspend without an end")
	}
	return nil
}

// SuspendPerson suspends a person in all systems, or changes their suspension.
func (s *Service) SuspendPerson(ctx context.Context, id UserID, how Suspending) (*Person, error) {
	a, err := s.Actor(ctx)
	if err != nil {
		return nil, err
	}
	now := s.Now()
	if err := s.checkSuspending(how, now); err != nil {
		return nil, err
	}
	if err := s.CheckRule(how.Rule); err != nil {
		return nil, err
	}
	_, ids, err := s.subject(ctx, a, id, "suspend")
	if err != nil {
		return nil, err
	}
	err = decision.Do(ctx, s.Frame, func(attempt *decision.Attempt) error {
		steps, err := s.suspensionSteps(ctx, ids, func(id UserID, before *desk.Suspension) (desk.Suspension, error) {
			after := desk.Suspension{
				UserID: id, Reason: how.Reason, By: a.UserID, ByRole: a.Role, Since: now, BanContacts: how.BanContacts, Rule: how.Rule,
			}
			if how.Until != nil {
				after.Until = how.Until.UTC().Truncate(time.Microsecond)
			}
			if before.Holds() {
				after.Former = before.Former
				return after.At(now), nil
			}
			former, err := s.standing(ctx, id, before)
			after.Former = former
			return after.At(now), err
		})
		if err != nil {
			return err
		}
		before := fields(nil)
		if steps[0].Before.Holds() {
			before = suspensionFields(*steps[0].Before)
		}
		line := s.line(a, act{
			action: "suspendPerson", person: id, note: how.Reason, before: before, after: suspensionFields(steps[0].After),
		})
		events := attempt.Emit(desk.Judgement{
			Person: id, At: now, What: desk.AccountSuspended, By: desk.RemovedByModerator, Rule: how.Rule, RuleTitle: s.RuleTitle(how.Rule),
			Text: how.Reason, Until: steps[0].After.Until,
		})
		for _, id := range ids {
			events = append(events, attempt.Emit(desk.PersonSuspended{UserID: id})...)
		}
		return s.Store.Suspend(ctx, steps, line, events...)
	})
	if err != nil {
		return nil, err
	}
	return s.mustFind(ctx, id) // their status has changed
}

// subject returns a person about whom an actor decides, with all ids under which they are
// known, the given one first. It refuses the actor and operators.
func (s *Service) subject(ctx context.Context, a Actor, id UserID, verb string) (*Person, []UserID, error) {
	p, err := s.mustFind(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	ids, err := s.idsOf(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	for _, id := range ids {
		if id == a.UserID {
			return nil, nil, forbidden("Nobody may %s themselves", verb)
		}
		role, err := s.Roles.RoleOf(ctx, id)
		if err != nil {
			return nil, nil, err
		}
		if role == Operator {
			return nil, nil, forbidden("Person `%s` is an operator, whom nobody may %s: take the role away first, in the settings", id, verb)
		}
	}
	return p, ids, nil
}

// idsOf returns all ids under which a person is known, the given one first.
func (s *Service) idsOf(ctx context.Context, id UserID) ([]UserID, error) {
	ids := []UserID{id}
	for _, system := range s.Systems {
		if l, ok := system.People.(Linker); ok {
			more, err := l.Linked(ctx, id)
			if err != nil {
				return nil, err
			}
			ids = append(ids, more...)
		}
	}
	return ids, nil
}

// standing returns the statuses of a person by system; if their last suspension has ended, as they
// are once that has been delivered.
func (s *Service) standing(ctx context.Context, id UserID, ended *desk.Suspension) (map[string]string, error) {
	known, err := s.Persons(ctx, []UserID{id})
	if err != nil || known[id] == nil {
		return nil, err
	}
	all := map[string]string{}
	for i, profile := range known[id].profiles {
		system, status := known[id].Systems[i], profile.Status
		if ended != nil && status == disabled && !profile.DisabledAt.After(ended.ChangedAt) {
			status = ended.Former[system]
		}
		if status != "" {
			all[system] = status
		}
	}
	return all, nil
}

func suspensionFields(of desk.Suspension) fields {
	f := fields{"status": "SUSPENDED", "banContacts": of.BanContacts}
	if !of.Until.IsZero() {
		f["until"] = stamp.MilliOf(of.Until)
	}
	if of.Rule != "" {
		f["rule"] = of.Rule
	}
	return f
}

// suspensionSteps decides steps about the suspensions of ids.
func (s *Service) suspensionSteps(
	ctx context.Context, ids []UserID, after func(id UserID, before *desk.Suspension) (desk.Suspension, error),
) (steps []desk.SuspensionStep, err error) {
	for _, id := range ids {
		before, err := s.Store.Suspension(ctx, id)
		if err != nil {
			return nil, err
		}
		then, err := after(id, before)
		if err != nil {
			return nil, err
		}
		steps = append(steps, desk.SuspensionStep{Before: before, After: then})
	}
	return steps, nil
}

// disabled is the status of those whom a system keeps out by itself.
const disabled = "DISABLED"

// ReinstatePerson ends the suspension of a person, and that a system has disabled them.
func (s *Service) ReinstatePerson(ctx context.Context, id UserID, note string) (*Person, error) {
	a, err := s.Actor(ctx)
	if err != nil {
		return nil, err
	}
	if len(note) > maxNote {
		return nil, badInput("note", "A note has at most %d bytes", maxNote)
	}
	p, err := s.mustFind(ctx, id)
	if err != nil {
		return nil, err
	}
	ids, err := s.idsOf(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := s.endSuspension(ctx, a, ids, note, true, nil); err != nil {
		return nil, err
	}
	if again, err := s.person(ctx, id); again != nil || err != nil { // their status has changed
		return again, err
	}
	return p, nil
}

// SuspensionOver ends a suspension whose time has come. It is for a job.
func (s *Service) SuspensionOver(ctx context.Context, over *desk.Suspension) error {
	a := Actor{UserID: over.By, Role: over.ByRole}
	return s.endSuspension(ctx, a, []UserID{over.UserID}, "until has passed", false, over)
}

// endSuspension ends the suspensions of ids. If only is not nil, it must be the one that ends.
func (s *Service) endSuspension(ctx context.Context, a Actor, ids []UserID, note string, byHand bool, only *desk.Suspension) error {
	return decision.Do(ctx, s.Frame, func(attempt *decision.Attempt) error {
		now := s.Now()
		var steps []desk.SuspensionStep
		events := attempt.Emit()
		before := fields{}
		for _, id := range ids {
			held, err := s.Store.Suspension(ctx, id)
			if err != nil {
				return err
			}
			standing, err := s.standing(ctx, id, nil)
			if err != nil {
				return err
			}
			isDisabled := false
			for _, status := range standing {
				isDisabled = isDisabled || status == disabled
			}
			switch {
			case held.Holds() && (only == nil || held.ChangedAt.Equal(only.ChangedAt)):
				before = suspensionFields(*held)
				statuses := maps.Clone(held.Former)
				maps.DeleteFunc(statuses, func(_, status string) bool { return byHand && status == disabled })
				steps = append(steps, desk.SuspensionStep{Before: held, After: held.EndedAt(now, statuses)})
				events = append(events, attempt.Emit(desk.PersonReinstated{UserID: id, At: now, Former: held.Former, ByHand: byHand})...)
			case byHand && isDisabled:
				before["status"] = disabled
				events = append(events, attempt.Emit(desk.PersonReinstated{UserID: id, At: now, ByHand: true})...)
			}
		}
		if len(steps) == 0 && len(before) == 0 {
			return nil // nothing keeps the person out
		}
		line := s.line(a, act{action: "reinstatePerson", person: ids[0], note: note, before: before, after: fields{"status": "REINSTATED"}})
		return s.Store.Suspend(ctx, steps, line, events...)
	})
}

// SignOutPerson revokes all tokens of a person.
func (s *Service) SignOutPerson(ctx context.Context, id UserID) (*Person, error) {
	a, err := s.Actor(ctx)
	if err != nil {
		return nil, err
	}
	p, err := s.mustFind(ctx, id)
	if err != nil {
		return nil, err
	}
	if !s.Identities.Kept() {
		return nil, refusal.New(refusal.Precondition, "", "Accounts are kept by another identity provider: sign the person out there")
	}
	ids, err := s.idsOf(ctx, id)
	if err != nil {
		return nil, err
	}
	return p, decision.Do(ctx, s.Frame, func(attempt *decision.Attempt) error {
		events := attempt.Emit()
		for _, id := range ids {
			least, err := s.Identities.TokenVersions(ctx, id)
			if err != nil {
				return err
			}
			for system := range least {
				least[system]++
			}
			events = append(events, attempt.Emit(desk.SignedOut{UserID: id, Least: least})...)
		}
		return s.Store.SignOut(ctx, s.line(a, act{action: "signOutPerson", person: id}), events...)
	})
}
