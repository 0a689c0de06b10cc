package store

import (
	"context"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
)

// Dating stores daters and their matches.
type Dating struct{ db *keyspec.DB }

// SetStatus stores the dating status of a user, and e. It fails with Conflict if the
// profile no longer exists, its status has changed, or it lacks something that dating
// requires.
func (s *Dating) SetStatus(ctx context.Context, from, to *social.User, e ...outbox.Record) error {
	tx := s.db.NewTx()
	before := profileOf(from)
	on := profiles.Change(tx, before, profileOf(to)).If(sameProfile, before.SignedUpAt)
	unchanged(on, "datingStatus", before.DatingStatus)
	if to.Dates() {
		for _, needed := range []string{"fullName", "displayName", "photoPostId", "gender", "location", "height", "matchAgeRange", "matchGenders",
			"matchHeightRange"} {
			on.If("attribute_exists(" + needed + ")")
		}
		on.If("age = ?", *to.Age)
		unchanged(on, "userDisableDatingDate", before.UserDisableDatingDate)
	}
	return stored.Outcome(ops.Commit(ctx, tx, e...))
}

// Renew stores the day on which a user's dating is switched off. It fails with Conflict if
// it already is.
func (s *Dating) Renew(ctx context.Context, user social.UserID, day string) error {
	tx := s.db.NewTx()
	profiles.Update(tx, profileKey(user)).Set("datingEndsOn", day).If("datingStatus = ?", social.DatingEnabled)
	return stored.Outcome(tx.Run(ctx))
}

// Ending returns the users whose dating is due to be switched off by a day, from A3. An
// empty day returns all users who date.
func (s *Dating) Ending(ctx context.Context, day string, q page.Query) (page.Page[social.UserID], error) {
	ending := profiles.Begins(A3)
	if day != "" {
		ending = ending.To(day)
	}
	return stored.List(ctx, s.db, ending, q, false, func(i *profileItem) social.UserID { return i.UserID })
}

// Dater returns a user's profile and dater record. Each is nil if it does not exist.
func (s *Dating) Dater(ctx context.Context, user social.UserID) (*social.User, *social.Dater, error) {
	b := s.db.NewBatch()
	profile, dater := profiles.Fetch(b, profileKey(user)), daters.Fetch(b, daterKey(user))
	if err := b.Run(ctx); err != nil {
		return nil, nil, err
	}
	var u *social.User
	if item := profile.At(0); item != nil {
		u = item.user()
	}
	return u, daterAt(dater, 0), nil
}

// SetDater stores a dater; before is nil for a new one. It fails with Conflict if the dater
// has changed.
func (s *Dating) SetDater(ctx context.Context, before, after *social.Dater) error {
	tx := s.db.NewTx()
	if before == nil {
		daters.Create(tx, daterItemOf(after))
	} else {
		daters.Change(tx, daterItemOf(before), daterItemOf(after)).If("version = ?", before.Version)
	}
	return stored.Outcome(tx.Run(ctx))
}

// Settled records that a user's matches are up to date with the dater d, or removes d if it
// has left dating. It does nothing if the dater has changed.
func (s *Dating) Settled(ctx context.Context, d *social.Dater) error {
	tx := s.db.NewTx()
	if d.Left {
		daters.Delete(tx, daterKey(d.UserID)).If("version = ?", d.Version)
	} else {
		daters.Update(tx, daterKey(d.UserID)).If("version = ?", d.Version).Set("settled", d.Version)
	}
	return refusal.IgnoreConflict(stored.Outcome(tx.Run(ctx)))
}

// Daters returns those of the users who are daters.
func (s *Dating) Daters(ctx context.Context, users []social.UserID) (map[social.UserID]*social.Dater, error) {
	return stored.Load(ctx, s.db, daters, users, daterKey, (*daterItem).dater)
}

// Near returns the daters of a gender in a strip, from A1.
func (s *Dating) Near(ctx context.Context, gender social.UserGender, in social.Strip, q page.Query) (page.Page[*social.Dater], error) {
	near := daters.Begins(A1, string(gender), in.Band).From(in.From).To(in.Next)
	return stored.List(ctx, s.db, near, q, false, (*daterItem).dater)
}

// Far returns the daters of a gender with an extended reach, from A2.
func (s *Dating) Far(ctx context.Context, gender social.UserGender, q page.Query) (page.Page[*social.Dater], error) {
	return stored.List(ctx, s.db, daters.Begins(A2, string(gender)), q, false, (*daterItem).dater)
}

func daterKey(user social.UserID) keyspec.Key { return daters.Key(string(user)) }

func daterAt(found keyspec.Fetched[daterItem], i int) *social.Dater {
	if item := found.At(i); item != nil {
		return item.dater()
	}
	return nil
}
