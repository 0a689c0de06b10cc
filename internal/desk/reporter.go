package desk

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
)

// Reporter is how the reports of somebody have been decided lately.
type Reporter struct {
	UserID UserID `dynamo:"userId,keyonly"`
	// Revision increases with every change.
	Revision int `dynamo:"revision"`
	// Judged are the latest reports of which something was decided, oldest first.
	Judged []JudgedReport `dynamo:"judged"`
}

// JudgedReport is a report that moderators followed, or not.
type JudgedReport struct {
	// Item is a digest of the item's case, since the case may be about a person.
	Item string `dynamo:"item"`
	// Kept is set if what was reported is kept.
	Kept bool `dynamo:"kept"`
}

const (
	// FullWeight is what a report weighs, unless moderators mostly decide against those who
	// report: weights are in tenths.
	FullWeight = 10
	// leastWeight is what a report weighs at least.
	leastWeight = 1
	// leastJudged is the number of decided reports from which they count.
	leastJudged = 5
	// mostJudged is how many of the latest ones count.
	mostJudged = 50
)

// Weight returns what a report weighs, in tenths: the share of decided reports that led to a
// removal if most of them did not, and at least a tenth. r is nil for somebody of whom nothing
// has been decided.
func (r *Reporter) Weight() int {
	if r == nil || len(r.Judged) < leastJudged {
		return FullWeight
	}
	removed := 0
	for _, j := range r.Judged {
		if !j.Kept {
			removed++
		}
	}
	if 2*removed >= len(r.Judged) {
		return FullWeight
	}
	return max(leastWeight, FullWeight*removed/len(r.Judged))
}

// With returns the reporter after a decision about an item that they reported, and whether it
// changes anything. An item counts once, by its latest decision.
func (r Reporter) With(i Item, v Verdict) (_ Reporter, changed bool) {
	sum := sha256.Sum256([]byte(i.ID()))
	judged := JudgedReport{Item: hex.EncodeToString(sum[:8]), Kept: v == Keep}
	at := slices.IndexFunc(r.Judged, func(j JudgedReport) bool { return j.Item == judged.Item })
	if at >= 0 && r.Judged[at] == judged {
		return r, false
	}
	r.Judged = slices.Clone(r.Judged)
	if at >= 0 {
		r.Judged[at] = judged
	} else {
		r.Judged = append(r.Judged, judged)
	}
	r.Judged = r.Judged[max(0, len(r.Judged)-mostJudged):]
	r.Revision++
	return r, true
}

// DecisionOn returns what was decided about a report: the last decision since it, or the first to
// keep the item after which there were others. It returns nil if nothing was.
func (c *Case) DecisionOn(r Report) (about *Decision) {
	for i := range c.Decisions {
		d := &c.Decisions[i]
		if d.When.Before(r.When) {
			continue
		}
		if about = d; d.Verdict == Keep && d.When.Before(c.LastReportedAt) {
			break
		}
	}
	return about
}
