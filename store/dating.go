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
	UserID              social.UserID       `dynamo:"userId"`
	Age                 int                 `dynamo:"age"`
	Gender              social.UserGender   `dynamo:"gender"`
	Height              int                 `dynamo:"height"`
	Location            social.Location     `dynamo:"location"`
	MatchAgeRange       social.Range        `dynamo:"matchAgeRange"`
	MatchGenders        []social.UserGender `dynamo:"matchGenders"`
	MatchHeightRange    social.Range        `dynamo:"matchHeightRange"`
	MatchLocationRadius int                 `dynamo:"matchLocationRadius"`
	ApprovalCount       int                 `dynamo:"approvalCount"`
	Version             int                 `dynamo:"version"`
	Settled             int                 `dynamo:"settled"`
	// Left daters have neither band nor reach and are therefore in no index.
	Left   bool   `dynamo:"left"`
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
	UserID             social.UserID      `dynamo:"userId"`
	MatchUserID        social.UserID      `dynamo:"matchUserId"`
	Status             social.MatchStatus `dynamo:"status"`
	CreatedAt          time.Time          `dynamo:"createdAt"`
	BlockChatExpiredAt time.Time          `dynamo:"blockChatExpiredAt"`
	// Place is a fixed-width number for potential matches, and a Stamp for others.
	Place string `dynamo:"place,keyonly"`
}

func (i *daterItem) dater() *social.Dater {
	return &social.Dater{
		UserID:              i.UserID,
		Age:                 i.Age,
		Gender:              i.Gender,
		Height:              i.Height,
		Location:            social.Location(i.Location),
		MatchAgeRange:       social.Range(i.MatchAgeRange),
		MatchGenders:        i.MatchGenders,
		MatchHeightRange:    social.Range(i.MatchHeightRange),
		MatchLocationRadius: i.MatchLocationRadius,
		ApprovalCount:       i.ApprovalCount,
		Version:             i.Version,
		Settled:             i.Settled,
		Left:                i.Left,
	}
}

func daterItemOf(d *social.Dater) daterItem {
	item := daterItem{
		UserID:              d.UserID,
		Age:                 d.Age,
		Gender:              d.Gender,
		Height:              d.Height,
		Location:            social.Location(d.Location),
		MatchAgeRange:       social.Range(d.MatchAgeRange),
		MatchGenders:        d.MatchGenders,
		MatchHeightRange:    social.Range(d.MatchHeightRange),
		MatchLocationRadius: d.MatchLocationRadius,
		ApprovalCount:       d.ApprovalCount,
		Version:             d.Version,
		Settled:             d.Settled,
		Left:                d.Left,
	}
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
	m := &social.Match{
		UserID:             i.UserID,
		MatchUserID:        i.MatchUserID,
		Status:             i.Status,
		CreatedAt:          i.CreatedAt,
		BlockChatExpiredAt: i.BlockChatExpiredAt,
	}
	if i.Status == social.PotentialMatch {
		m.ApprovalCount, _ = strconv.Atoi(i.Place)
		return m
	}
	m.MovedAt, _ = time.Parse(stamp.Micro, i.Place)
	return m
}

func matchItemOf(m *social.Match) matchItem {
	item := matchItem{
		UserID:             m.UserID,
		MatchUserID:        m.MatchUserID,
		Status:             m.Status,
		CreatedAt:          m.CreatedAt,
		BlockChatExpiredAt: m.BlockChatExpiredAt,
		Place:              stamp.MicroOf(m.MovedAt),
	}
	if m.Status == social.PotentialMatch {
		item.Place = fmt.Sprintf("%010d", m.ApprovalCount)
	}
	return item
}
