package ops_test

import (
	"testing"
	"time"

	"stoa/internal/job"
)

func TestTheLastRunIsKept(t *testing.T) {
	s, _ := open(t)
	if run, err := s.Jobs.Last(t.Context(), "tidy"); run != (job.Run{}) || err != nil {
		t.Errorf("a job that never ran: %+v, %v", run, err)
	}
	for _, want := range []job.Run{
		{StartedAt: noon},
		{StartedAt: noon, EndedAt: noon.Add(time.Minute), Failure: "broken"},
		{StartedAt: noon.Add(time.Hour), EndedAt: noon.Add(2 * time.Hour)},
	} {
		if err := s.Jobs.Save(t.Context(), "tidy", want); err != nil {
			t.Fatal(err)
		}
		if run, err := s.Jobs.Last(t.Context(), "tidy"); run != want || err != nil {
			t.Errorf("stored %+v, %v; want %+v", run, err, want)
		}
	}
}
