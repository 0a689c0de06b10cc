package archive

import "time"

// Load is the state of a load.
type Load struct {
	Status LoadStatus
	Error  string
	// By identifies the loader. Any other loader of the post must stop.
	By string
}

// LoadStatus is the state of a load of records or images.
type LoadStatus string

const (
	Ready     LoadStatus = "READY"
	ToLoad    LoadStatus = "TO_LOAD"
	Loading   LoadStatus = "LOADING"
	LoadError LoadStatus = "ERROR"
)

// WorkerReport is a report by a worker.
type WorkerReport string

const (
	Started   WorkerReport = "STARTED"
	Completed WorkerReport = "COMPLETED"
	Failed    WorkerReport = "FAILED"
)

// request requests a load; left is set if something is left to load.
func (p *Post) request(l *Load, left bool) error {
	if err := p.Changeable(string(ToLoad)); err != nil {
		return err
	}
	if l.Status == Loading {
		return badTransition(l.Status, ToLoad)
	}
	*l = Load{Status: ToLoad}
	if !left {
		l.Status = Ready
	}
	return nil
}

// ReportRecords applies a report by a loader of records.
func (p Post) ReportRecords(r WorkerReport, message, by string, now time.Time) (*Post, error) {
	return p.reported(&p.Records, r, message, by, now)
}

// ReportImages applies a report by a loader of images.
func (p Post) ReportImages(r WorkerReport, message, by string, now time.Time) (*Post, error) {
	return p.reported(&p.Images, r, message, by, now)
}

func (p *Post) reported(l *Load, r WorkerReport, message, by string, now time.Time) (*Post, error) {
	if p.Deleting {
		return nil, ErrDeleting
	}
	to := map[WorkerReport]LoadStatus{Started: Loading, Completed: Ready, Failed: LoadError}[r]
	if l.Status == to {
		return p, nil
	}
	if r == Started && l.Status != ToLoad && l.Status != LoadError || r != Started && l.Status != Loading {
		return nil, badTransition(l.Status, to)
	}
	if r != Started && l.By != by && !p.stuck(now) {
		return nil, ErrTakenOver
	}
	*l = Load{Status: to}
	switch r {
	case Started:
		l.By = by
	case Failed:
		l.Error = cut(message, maxError)
	}
	p.Touch(now)
	return p, nil
}

// Import moves the post to the state in which a request of a user replaces its records. A
// worker may do that during a load of its own. A load that was started long ago counts as
// dead.
func (p Post) Import(by string, user UserID, now time.Time) (*Post, error) {
	if err := p.Changeable(string(Loading)); err != nil {
		return nil, err
	}
	if s := p.Records.Status; s == ToLoad || s == Loading && p.Records.By != string(user) && !p.stuck(now) {
		return nil, badTransition(s, Loading)
	}
	p.Records = Load{Status: Loading, By: by}
	p.Touch(now)
	return &p, nil
}

// stuck reports whether the post has been unchanged for so long that its loads count as
// dead.
func (p *Post) stuck(now time.Time) bool { return now.Sub(p.LastUpdateTime) > StuckAfter }
