package host

import (
	"context"
	"errors"
	"net/http"
	"runtime/metrics"
	"slices"
	"time"

	"stoa/internal/identity"
	"stoa/internal/job"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/operator"
	"stoa/internal/operator/graph"
	"stoa/internal/operator/resolvers"
)

// The endpoint of the operator API.
const (
	deskName = "operator"
	deskPath = "/operator/graphql"
	// deskRecheck is the interval at which the roles of subscribers are looked up.
	deskRecheck = time.Second
)

// EndAudit is the name of the job that removes old lines of the audit log.
const EndAudit = "operator.end-audit"

// auditRetention is how long lines of the audit log are kept by default.
const auditRetention = 2 * 365 * 24 * time.Hour

// Desk is the API of operators and moderators, and what this process shows in it.
type Desk struct {
	Service *operator.Service
	host    *Host
	// began is when the process began.
	began time.Time

	// Shown returns the settings in force, Connections the number of open sockets and of
	// subscriptions, and Disk the disk of an embedded store, or nil. Each may be nil, and is
	// set before anything is served.
	Shown       func() []*operator.Setting
	Connections func() (sockets, subscriptions int)
	Disk        func() (*operator.Disk, error)

	upkeep
	// Recheck checks the credentials of open sockets at once; it may be nil.
	Recheck func()
}

// openDesk joins the operator API to the systems. It is off while nobody can have a role.
func (h *Host) openDesk() {
	d := &Desk{host: h, began: h.Now()}
	s := &operator.Service{Store: h.Ops.Operators, Roles: h, Identities: identities{h},
		Process: d, Bus: h.Bus, PublicURL: h.Config.Issuer.PublicURL, Pseudonym: h.pseudonym, House: h.rules, Deadline: h.CaseDeadline, Frame: h.Frame}
	for _, j := range h.Joined {
		s.Systems = append(s.Systems, operator.System{Name: j.Name, People: j.People, Content: j.Content})
	}
	d.Service, h.Desk = s, d
	d.open()
	d.watchBackups(h.Registry)
	h.announceCases()
	h.announcePeople()
	h.openPeople()
	d.openCases()
	h.Jobs.Jobs = append(h.Jobs.Jobs, job.Job{Name: EndAudit, Every: 24 * time.Hour, Run: h.endAudit})
	r := &resolvers.Resolver{Service: s}
	h.Joined = append(h.Joined, Joined{Name: deskName, Path: deskPath, Face: Face{
		Schema: graph.Executable(r), OperationContext: r.WithLoaders, Admit: s.Admit, Introspection: true, Recheck: deskRecheck,
		Scalars: graph.Scalars,
		Off:     h.deskOff,
		Mounts:  map[string]http.Handler{backupPath: http.HandlerFunc(d.streamBackup)},
	}})
}

// Open reports whether anybody can have a role; otherwise the API is not served.
func (d *Desk) Open() bool { return !d.host.deskOff() }

// deskOff reports whether nobody can have a role, which settings that are read again may
// change.
func (h *Host) deskOff() bool {
	dev := h.External == nil && h.Config.Issuer.Mode == identity.Dev
	named := h.Named()
	return !dev && len(named.Operators) == 0 && len(named.Moderators) == 0
}

// endAudit removes the lines of the audit log that are older than the retention.
func (h *Host) endAudit(ctx context.Context, now time.Time) error {
	retention := h.AuditRetention
	if retention == 0 {
		retention = auditRetention
	}
	for {
		ended, err := h.Ops.Operators.Ended(ctx, now.Add(-retention))
		if err != nil || ended < page.Max {
			return err
		}
	}
}

// Jobs returns the periodic jobs with their last runs.
func (d *Desk) Jobs(ctx context.Context) ([]*operator.Job, error) {
	all := []*operator.Job{}
	for _, j := range d.host.Jobs.Jobs {
		last, err := d.host.Jobs.Store.Last(ctx, j.Name)
		if err != nil {
			return nil, err
		}
		lease, err := d.host.Ops.Leases.Load(ctx, job.LeaseName(j.Name))
		if err != nil {
			return nil, err
		}
		shown := &operator.Job{
			Name: j.Name, Schedule: j.Schedule(),
			StartedAt: optional.IfSet(last.StartedAt), EndedAt: optional.IfSet(last.EndedAt), Failure: optional.IfSet(last.Failure),
		}
		if d.host.Now().Before(lease.Expires) {
			shown.HeldBy = optional.IfSet(lease.Holder)
		}
		all = append(all, shown)
	}
	return all, nil
}

// jobWait is how long a request that runs a job waits for its end: less than the maximum duration
// of a request.
const jobWait = 20 * time.Second

// RunJob runs a job now, and returns when it has ended, or when it has run for jobWait and goes on
// in the background. It also goes on if ctx is done.
func (d *Desk) RunJob(ctx context.Context, name string) (found bool, err error) {
	if !slices.ContainsFunc(d.host.Jobs.Jobs, func(j job.Job) bool { return j.Name == name }) {
		return false, nil
	}
	wait, cancel := context.WithTimeout(ctx, jobWait)
	defer cancel()
	ended := make(chan error)
	d.work.Go(func() {
		err := d.host.Jobs.RunNow(d.working, name)
		select {
		case ended <- err:
		case <-wait.Done():
			if err != nil {
				d.host.Log.Error("job failed", "job", name, "error", err)
			}
		}
	})
	select {
	case err = <-ended:
	case <-wait.Done():
		return true, ctx.Err()
	}
	if errors.Is(err, job.ErrRunning) {
		err = refusal.New(refusal.Taken, "", "The job is already running: wait until it has ended")
	}
	return true, err
}

// Health returns the state of this process.
func (d *Desk) Health(ctx context.Context) (*operator.Health, error) {
	now := d.host.Now()
	health := &operator.Health{
		Version: d.host.Version, Store: d.host.Config.Store, StartedAt: d.began, Uptime: int(now.Sub(d.began).Seconds()), Memory: memoryInUse(),
		Undelivered: []*operator.UndeliveredEvent{},
	}
	if err := d.host.Ready(ctx); err != nil {
		health.Problem = optional.IfSet(err.Error())
	}
	if d.Connections != nil {
		health.Sockets, health.Subscriptions = d.Connections()
	}
	if d.Disk != nil {
		disk, err := d.Disk()
		if err != nil {
			return nil, err
		}
		health.Disk = disk
	}
	return health, d.addDetails(ctx, health, now)
}

// memoryInUse returns the bytes that the program has obtained and not given back.
func memoryInUse() int64 {
	all := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(all)
	return int64(all[0].Value.Uint64() - all[1].Value.Uint64())
}

// Settings returns the settings in force.
func (d *Desk) Settings() []*operator.Setting {
	if d.Shown == nil {
		return []*operator.Setting{}
	}
	return d.Shown()
}
