package store

import (
	"fmt"
	"strconv"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/stamp"
	"stoa/social"
)

// A dater is stored in the partition of their profile and indexed by gender and place: a
// band of one degree of latitude, and a column in it. Daters with an extended reach are
// also indexed by gender alone.
var daters = keyspec.Define[daterItem](Main, keyspec.Row{
	Key: keyspec.K("user/{userId}", "dating"),
	On: keyspec.Indexes{
		A1: keyspec.K("dating/{gender}/{band}", "{column}/{userId}"),
		A2: keyspec.K("datingFar/{gender}", "{userId}").When("reach", reachFar),
	},
})

// reachFar marks daters whose reach exceeds the regular maximum.
const reachFar = "FAR"

type daterItem struct {
	social.Dater
	// Left daters have neither band nor reach and are therefore in no index.
	Reach  string `dynamo:"reach"`
	Band   string `dynamo:"band,keyonly"`
	Column string `dynamo:"column,keyonly"`
}

// A match is stored in the partition of its user. A1 lists matches by status: potential
// ones by the other user's number of approvals, others by time. A2 lists the approvals of a
// user.
var matches = keyspec.Define[matchItem](Main, keyspec.Row{
	Key: keyspec.K("user/{userId}", "match/{matchUserId}"),
	On: keyspec.Indexes{
		A1: keyspec.K("match/{userId}", "{status}/{place}"),
		A2: keyspec.K("matchOf/{matchUserId}", "{place}").When("status", string(social.ApprovedMatch)),
	},
})

type matchItem struct {
	social.Match
	// Place is a fixed-width number for potential matches, and MovedAt for others.
	Place string `dynamo:"place,keyonly"`
}

func (i *daterItem) dater() *social.Dater { return &i.Dater }

func daterItemOf(d *social.Dater) daterItem {
	item := daterItem{Dater: *d}
	if !d.Left {
		item.Band, item.Column = d.Location.Cell()
		if d.IsFar() {
			item.Reach = reachFar
		}
	}
	return item
}

// match returns the match. A malformed place, which is never written, is ignored.
func (i *matchItem) match() *social.Match {
	m := i.Match
	if m.Status == social.PotentialMatch {
		m.ApprovalCount, _ = strconv.Atoi(i.Place)
	} else {
		m.MovedAt, _ = time.Parse(stamp.Micro, i.Place)
	}
	return &m
}

func matchItemOf(m *social.Match) matchItem {
	if m.Status == social.PotentialMatch {
		return matchItem{*m, fmt.Sprintf("%010d", m.ApprovalCount)}
	}
	return matchItem{*m, stamp.MicroOf(m.MovedAt)}
}
