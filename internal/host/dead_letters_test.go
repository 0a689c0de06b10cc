package host

import (
	"context"
	"errors"
	"testing"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/outbox"
)

func TestDeadLettersAreCounted(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var broken error
	pages, reads := 3, 0
	d := &deadLetters{now: func() time.Time { return now }, list: func(_ context.Context, q page.Query) (p page.Page[outbox.DeadLetter], err error) {
		reads++
		p.Items = make([]outbox.DeadLetter, q.First)
		if len(q.After) < pages-1 {
			p.Next = q.After + "x"
		}
		return p, broken
	}}
	for _, step := range []struct {
		pages  int
		pass   time.Duration
		broken error
		want   float64
		reads  int
	}{
		{3, 0, nil, 300, 3},
		{2, countEvery - 1, nil, 300, 0}, // not again so soon
		{2, 1, errors.New("no store"), 300, 1},
		{2, 0, nil, 200, 2},
		{1000, countEvery, nil, mostLetters, 10},
	} {
		pages, broken, reads = step.pages, step.broken, 0
		now = now.Add(step.pass)
		if got := d.value(); got != step.want || reads != step.reads {
			t.Errorf("%+v: counted %v with %d reads", step, got, reads)
		}
	}
}
