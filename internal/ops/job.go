package ops

import (
	"context"

	"stoa/internal/job"
	"stoa/internal/kit/keyspec"
)

// The last run of each job, by any process.
var jobs = keyspec.Define[jobItem](Table, keyspec.Row{
	Key: keyspec.K("job/{name}", "-"),
})

type jobItem struct {
	Name string `dynamo:"name,keyonly"`
	job.Run
}

// Jobs stores the last run of each job.
type Jobs struct{ db *keyspec.DB }

// Last returns the last run of a job, or the zero Run.
func (s *Jobs) Last(ctx context.Context, name string) (job.Run, error) {
	item, err := jobs.Get(ctx, s.db, jobs.Key(name))
	if item == nil || err != nil {
		return job.Run{}, err
	}
	return item.Run, nil
}

// Save replaces the last run of a job.
func (s *Jobs) Save(ctx context.Context, name string, r job.Run) error {
	tx := s.db.NewTx()
	jobs.Put(tx, jobItem{name, r})
	return tx.Run(ctx)
}
