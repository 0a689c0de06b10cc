package host

import (
	"context"
	"runtime/metrics"
	"slices"
	"strconv"
	"time"

	"stoa/internal/identity"
	"stoa/internal/job"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/page"
	"stoa/internal/operator"
	"stoa/internal/operator/graph"
	"stoa/internal/operator/resolvers"
	"stoa/internal/outbox"
)

// The endpoint of the operator API.
const (
	deskName = "operator"
	deskPath = "/operator/graphql"
	// deskRecheck is the interval at which the roles of subscribers are looked up.
	deskRecheck = time.Second
)

// EndAudit is the name of the job that ends lines of the audit log.
const EndAudit = "operator.end-audit"

// auditRetention is how long lines of the audit log are kept by default.
const auditRetention = 2 * 365 * 24 * time.Hour

// Desk is the API of those who run the service, and what this process shows there.
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
}

// openDesk joins the operator API to the systems. It is off unless somebody can have a role.
func (h *Host) openDesk() {
	d := &Desk{host: h, began: h.Now()}
	s := &operator.Service{Store: h.Ops.Operators, Roles: h, Accounts: h.Accounts, Process: d, Bus: h.Bus,
		House: h.rules, Deadline: h.CaseDeadline, Frame: h.Frame}
	for _, j := range h.Joined {
		s.Systems = append(s.Systems, operator.System{Name: j.Name, People: j.People, Content: j.Content})
	}
	d.Service, h.Desk = s, d
	d.openCases()
	h.Jobs.Jobs = append(h.Jobs.Jobs, job.Job{Name: EndAudit, Every: 24 * time.Hour, Run: h.endAudit})
	if len(h.Operators) == 0 && len(h.Moderators) == 0 && !(h.External == nil && h.Config.Issuer.Mode == identity.Dev) {
		return
	}
	r := &resolvers.Resolver{Service: s}
	h.Joined = append(h.Joined, Joined{Name: deskName, Path: deskPath, Face: Face{
		Schema: graph.Executable(r), OperationContext: r.WithLoaders, Admit: s.Admit, Introspection: true, Recheck: deskRecheck,
	}})
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

// RunJob runs a job now.
func (d *Desk) RunJob(ctx context.Context, name string) (found bool, err error) {
	for _, j := range d.host.Jobs.Jobs {
		if j.Name == name {
			return true, d.host.Jobs.RunNow(ctx, name)
		}
	}
	return false, nil
}

// maxUndelivered is the number of waiting events that are shown.
const maxUndelivered = 100

// Health returns how this process is.
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
	for shard := range outbox.Shards {
		if len(health.Undelivered) == maxUndelivered {
			break
		}
		waiting, err := d.host.Ops.Outbox.Pending(ctx, shard, page.Query{First: maxUndelivered - len(health.Undelivered)})
		if err != nil {
			return nil, err
		}
		for _, r := range waiting.Items {
			health.Undelivered = append(health.Undelivered, &operator.UndeliveredEvent{ID: strconv.Itoa(shard) + "/" + r.ID, Name: r.Name, About: r.Key, At: r.At})
		}
	}
	slices.SortFunc(health.Undelivered, func(a, b *operator.UndeliveredEvent) int { return a.At.Compare(b.At) })
	return health, nil
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
