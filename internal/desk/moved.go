package desk

// CaseMoved: a case was opened, also again, or decided, also by itself.
type CaseMoved struct {
	Item     Item
	Status   CaseStatus
	Revision int
	// ReportCount is that of an open case. Appealed is set if it is open because of an appeal.
	ReportCount int
	Appealed    bool `json:",omitempty"`
	// Verdict is that of a decision; empty if the item is gone.
	Verdict Verdict
	// Gone is set for an item that its author has deleted.
	Gone bool
}

// EventName implements outbox.Event.
func (CaseMoved) EventName() string { return "case.moved" }

// OrderingKey implements outbox.Event.
func (e CaseMoved) OrderingKey() string { return e.Item.ID() }

// Moved returns the event of a step, if it opens or decides a case.
func (s CaseStep) Moved() (e CaseMoved, ok bool) {
	c := s.After
	e = CaseMoved{Item: c.Item, Status: c.Status, Revision: c.Revision, Gone: c.Gone}
	switch {
	case s.Opened():
		e.ReportCount, e.Appealed = c.ReportCount, c.IsAppealed()
		return e, true
	case c.Status != Decided, s.Before != nil && s.Before.Revision == c.Revision:
		return e, false
	}
	if n := len(c.Decisions); n > 0 && !c.Gone {
		e.Verdict = c.Decisions[n-1].Verdict
	}
	return e, true
}
