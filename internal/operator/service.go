package operator

import (
	"context"
	"time"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/trace"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
)

// Store stores what the API writes by itself. Each write includes a line of the audit log.
type Store interface {
	// Grant stores a grant, and fails with a Conflict if there is one of that user.
	Grant(ctx context.Context, g Grant, l AuditLine) error
	// Revoke removes the grant of a user, and fails with a Conflict if there is none.
	Revoke(ctx context.Context, id UserID, l AuditLine) error
	// Granted returns the grant of a user, or nil.
	Granted(ctx context.Context, id UserID) (*Grant, error)
	// Note writes a line about something that changes nothing in the store.
	Note(ctx context.Context, l AuditLine) error
	// Audit returns lines of an actor, about a subject, or both, newest first.
	Audit(ctx context.Context, actor UserID, subject string, q page.Query) (page.Page[*AuditLine], error)

	// Case returns the case of an item, or nil.
	Case(ctx context.Context, i desk.Item) (*Case, error)
	CaseStore
	PeopleStore

	// Reports returns the reports of an item that are no longer with the item itself.
	Reports(ctx context.Context, i desk.Item, q page.Query) (page.Page[desk.Report], error)

	UpkeepStore
}

// Service implements the API. All fields are required unless noted otherwise.
type Service struct {
	Store Store
	Roles Roles
	// Systems are the systems served.
	Systems []System
	// Identities are the accounts that people sign in with.
	Identities Identities
	Process    Process
	Bus        outbox.Bus
	// Pseudonym returns what stands for a person in the audit log.
	Pseudonym func(id UserID) string
	// PublicURL is the URL of the service for clients, without a trailing slash.
	PublicURL string
	// House returns the rules of the service; nil if there are none.
	House func() HouseRules
	// Deadline is how long a case may be open; 0 stands for a day.
	Deadline time.Duration
	decision.Frame
}

// Admit refuses viewers without a role.
func (s *Service) Admit(ctx context.Context) error {
	_, err := s.lookUp(ctx)
	return err
}

type commandKey struct{}

// AsCommand returns the context of a command that a user of the machine runs, who may do what
// operators may.
func AsCommand(ctx context.Context, user string) context.Context {
	return context.WithValue(ctx, commandKey{}, Actor{UserID: UserID("command:" + user), Role: Operator, command: true})
}

func (s *Service) lookUp(ctx context.Context) (Actor, error) {
	if a, is := ctx.Value(commandKey{}).(Actor); is {
		return a, nil
	}
	v := viewer.From(ctx)
	role, err := s.Roles.RoleOf(ctx, v.UserID)
	switch {
	case err != nil:
		return Actor{}, err
	case role == "":
		return Actor{}, ErrNotOperator
	}
	return Actor{UserID: v.UserID, Role: role, Address: v.Address, RequestID: trace.RequestID(ctx)}, nil
}

// Actor returns who makes a request, and refuses those without a role.
func (s *Service) Actor(ctx context.Context) (Actor, error) { return s.lookUp(ctx) }

// operator is Actor for what moderators may not do.
func (s *Service) operator(ctx context.Context) (Actor, error) {
	a, err := s.lookUp(ctx)
	if err == nil {
		err = a.checkOperator()
	}
	return a, err
}

// Me is who asks, and what they may do.
type Me struct {
	UserID  UserID
	Role    Role
	Systems []string
}

// Me returns who asks.
func (s *Service) Me(ctx context.Context) (*Me, error) {
	a, err := s.Actor(ctx)
	if err != nil {
		return nil, err
	}
	m := &Me{UserID: a.UserID, Role: a.Role, Systems: []string{}}
	for _, system := range s.Systems {
		m.Systems = append(m.Systems, system.Name)
	}
	return m, nil
}

// Audit returns lines of the audit log, newest first; an actor or subject of "" stands for
// all.
func (s *Service) Audit(ctx context.Context, actor UserID, subject string, args page.Args) (page.Page[*AuditLine], error) {
	a, err := s.operator(ctx)
	if err != nil {
		return page.Page[*AuditLine]{}, err
	}
	l, err := page.ListOf(args, "operator.audit", a.UserID, string(actor), subject)
	if err != nil {
		return page.Page[*AuditLine]{}, err
	}
	list := func(of string, q page.Query) (page.Page[*AuditLine], error) { return s.Store.Audit(ctx, actor, of, q) }
	of := subject
	switch {
	case subject == "" && actor == "":
		p, err := list("", l.Query)
		return page.Seal(l, p, err)
	case subject == "":
		of = string(actor)
		list = func(of string, q page.Query) (page.Page[*AuditLine], error) {
			return s.Store.Audit(ctx, UserID(of), "", q)
		}
	}
	// People are under their pseudonyms, except in lines of earlier versions.
	names := map[string]string{"pseudonym": s.Pseudonym(UserID(of)), "plain": of}
	read := func(cursor string) (page.Page[*AuditLine], error) {
		name, after, next := page.Lists([]string{"pseudonym", "plain"}, cursor)
		p, err := list(names[name], page.Query{First: l.Query.First, After: after})
		p.Next = next(p.Next)
		return p, err
	}
	p, err := read(l.Query.After)
	if err == nil && len(p.Items) == 0 && p.Next != "" {
		p, err = read(p.Next)
	}
	return page.Seal(l, p, err)
}

// System is one of the systems of a service, as far as the API knows it.
type System struct {
	Name string
	// People is nil for a system without people, Content for one without anything to report.
	People  People
	Content Content
}

// Process is what the API shows of the process that serves it.
type Process interface {
	Jobs(ctx context.Context) ([]*Job, error)
	// RunJob runs a job now; found is false if there is none of that name.
	RunJob(ctx context.Context, name string) (found bool, err error)
	Health(ctx context.Context) (*Health, error)
	Settings() []*Setting
	Upkeep
}

// Job is a periodic job.
type Job struct {
	Name, Schedule string
	// StartedAt and EndedAt are those of the last run, if any.
	StartedAt, EndedAt *time.Time
	// Failure is why it failed; nil if it did not.
	Failure *string
	// HeldBy is the process that runs it now.
	HeldBy *string
}

// Health is how a process is.
type Health struct {
	Version   string
	StartedAt time.Time
	// Uptime is in seconds.
	Uptime int
	Store  string
	// Problem is why the service is not ready; nil if it is.
	Problem *string
	// Disk is nil without an embedded store on disk.
	Disk *Disk
	// Memory is in bytes.
	Memory                 int64
	Sockets, Subscriptions int
	Undelivered            []*UndeliveredEvent

	OperationsPerMinute, ErrorsPerMinute float64
	// EventLag is the age of the oldest undelivered event, in seconds.
	EventLag   float64
	DeadEvents []*DeadEvent
	Processes  []*ProcessInfo
	Mail       *MailQueue
	// NewestBackup is when the newest complete backup was started; nil if there is none.
	NewestBackup *time.Time
}

// Disk is the space of a disk, in bytes.
type Disk struct{ Free, Total int64 }

// UndeliveredEvent is an event that waits for its delivery.
type UndeliveredEvent struct {
	ID, Name, About string
	At              time.Time
	// LastError is why the last attempt of this process failed, and Attempts how many did.
	LastError *string
	Attempts  int
}

// Setting is a setting in force.
type Setting struct{ Name, Value, Source, Meaning string }

// Jobs returns the periodic jobs.
func (s *Service) Jobs(ctx context.Context) ([]*Job, error) {
	if _, err := s.operator(ctx); err != nil {
		return nil, err
	}
	return s.Process.Jobs(ctx)
}

// RunJob runs a job now.
func (s *Service) RunJob(ctx context.Context, name string) (*Job, error) {
	a, err := s.operator(ctx)
	if err != nil {
		return nil, err
	}
	jobs, err := s.Process.Jobs(ctx)
	if err != nil {
		return nil, err
	}
	missing := refusal.NotFoundf("Job `%s` does not exist", name)
	if find(jobs, name) == nil {
		return nil, missing
	}
	// The line comes first: a run that fails, or ends with the process, has happened too.
	if err := s.Store.Note(ctx, s.line(a, act{action: "runJob", subject: name})); err != nil {
		return nil, err
	}
	if found, err := s.Process.RunJob(ctx, name); err != nil {
		return nil, err
	} else if !found {
		return nil, missing
	}
	if jobs, err = s.Process.Jobs(ctx); err != nil {
		return nil, err
	}
	return find(jobs, name), nil
}

func find(jobs []*Job, name string) *Job {
	for _, j := range jobs {
		if j.Name == name {
			return j
		}
	}
	return nil
}

// Health returns how this process is.
func (s *Service) Health(ctx context.Context) (*Health, error) {
	if _, err := s.operator(ctx); err != nil {
		return nil, err
	}
	return s.Process.Health(ctx)
}

// Settings returns the settings of this process.
func (s *Service) Settings(ctx context.Context) ([]*Setting, error) {
	if _, err := s.operator(ctx); err != nil {
		return nil, err
	}
	return s.Process.Settings(), nil
}
