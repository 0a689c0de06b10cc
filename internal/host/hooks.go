package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"sync"
	"time"

	"stoa/internal/desk"
	"stoa/internal/kit/lease"
	"stoa/internal/kit/stamp"
	"stoa/internal/kit/tasks"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/internal/webhook"
)

// Notices are the types of the notices that webhooks can receive. docs/webhooks.md has
// their schemas.
var Notices = []string{
	"case.opened", "case.decided", "person.created", "person.suspended", "person.reinstated", "person.erased",
	"post.published", "post.removed", "comment.added", "comment.removed", "message.reported",
}

// Notice is a notice to webhooks.
type Notice struct {
	// Subject is what it is about: notices about one subject are sent in order.
	Subject string
	// Data is the part that differs by type.
	Data map[string]any
}

// Announce sends events to webhooks, as notices of a type. The function notice returns false
// for events that need none. An event is received only if a webhook wants the type.
func Announce[E outbox.Event](h *Host, kind string, notice func(ctx context.Context, e E) (Notice, bool, error), when ...func(E) bool) {
	if !h.hooks.want(kind) {
		return
	}
	outbox.On(h.Outbox, func(ctx context.Context, e E, _ outbox.Tell) error {
		n, ok, err := notice(ctx, e)
		if err != nil || !ok {
			return err
		}
		return h.hooks.add(ctx, kind, n)
	}, when...)
}

// NoticeDue says that a notice has to be sent to a webhook. It is stored with the notice.
type NoticeDue struct {
	Hook, Subject, ID string
}

// noticeDue is its name.
const noticeDue = "webhook.due"

// EventName implements outbox.Event.
func (NoticeDue) EventName() string { return noticeDue }

// OrderingKey implements outbox.Event.
func (e NoticeDue) OrderingKey() string { return "webhook/" + e.Hook + "/" + e.Subject }

const (
	// hookPatience is how long a notice is attempted before it is parked.
	hookPatience = 72 * time.Hour
	// hookRest is how long a webhook is left alone after it has failed: an attempt may take
	// seconds, and others wait for their turn.
	hookRest = 2 * time.Second
	// hookLanes is the number of subjects of a webhook that are told at a time, by all
	// processes. Subjects are divided among them.
	hookLanes = 16
)

// hooks tells webhooks what has happened.
type hooks struct {
	host    *Host
	all     []webhook.Hook
	deliver func(ctx context.Context, h webhook.Hook, id string, at time.Time, body []byte) error
	leases  *lease.Client
	begun   tasks.Group
	// lanes serialize what is told, by webhook.
	lanes map[string]*[hookLanes]sync.Mutex

	mu sync.Mutex
	// resting has the webhooks that have failed lately, and why.
	resting map[string]rest
}

type rest struct {
	since time.Time
	why   error
}

func newHooks(h *Host, c Config, leases *lease.Client) *hooks {
	all := c.Webhooks
	k := &hooks{host: h, all: all, deliver: c.Send, leases: leases, lanes: map[string]*[hookLanes]sync.Mutex{}, resting: map[string]rest{}}
	if k.deliver == nil {
		k.deliver = webhook.NewSender(c.PrivateWebhooks).Send
	}
	for _, hook := range all {
		k.lanes[hook.ID()] = &[hookLanes]sync.Mutex{}
	}
	// Notices may be left of webhooks that are no longer configured.
	outbox.On(h.Outbox, func(ctx context.Context, e NoticeDue, _ outbox.Tell) error { return k.tell(ctx, e) })
	h.Outbox.Patience(noticeDue, hookPatience)
	return k
}

func (k *hooks) want(kind string) bool {
	return slices.ContainsFunc(k.all, func(h webhook.Hook) bool { return h.Wants(kind) })
}

// add stores a notice for each webhook that wants it. It is called by the receiver of the
// event, whose id and time the notice takes: repeated calls add nothing.
func (k *hooks) add(ctx context.Context, kind string, n Notice) error {
	cause, ok := outbox.Current(ctx)
	if !ok {
		return errors.New("a notice without an event")
	}
	body, err := json.Marshal(map[string]any{"type": kind, "timestamp": cause.Since.UTC().Format(stamp.Milli), "data": n.Data})
	if err != nil {
		return fmt.Errorf("notice %s: %w", kind, err)
	}
	for _, hook := range k.all {
		if !hook.Wants(kind) {
			continue
		}
		e := NoticeDue{Hook: hook.ID(), Subject: n.Subject, ID: kind + "." + cause.ID}
		r := outbox.NewRecord(ctx, e, k.host.NewID(), k.host.Now())
		r.Shard = k.host.Outbox.Shard(r.ID)
		added, err := k.host.Ops.Outbox.AddNotice(ctx, desk.Notice{Hook: e.Hook, Subject: e.Subject, At: cause.At, ID: e.ID, Body: string(body)}, r)
		if err != nil {
			return err
		}
		if added { // neither a mutation nor another webhook waits for this one
			k.begun.Go(func() { k.host.Outbox.Committed(context.Background(), r) })
		}
	}
	return nil
}

var errBusy = errors.New("another process tells the webhook about this")

// tell tells a webhook all that waits about a subject, in order, and leaves the rest when one
// fails.
func (k *hooks) tell(ctx context.Context, e NoticeDue) error {
	hook, known := k.hook(e.Hook)
	if known {
		if err := k.rests(e.Hook); err != nil {
			return err
		}
		lane := laneOf(e.Subject)
		mu := &k.lanes[e.Hook][lane]
		mu.Lock()
		defer mu.Unlock()
		if err := k.rests(e.Hook); err != nil { // it has failed for the one that this one waited for
			return err
		}
		held, release, ok, err := k.leases.Hold(ctx, fmt.Sprintf("webhook/%s/%d", e.Hook, lane))
		if err != nil {
			return err
		}
		if !ok {
			return errBusy
		}
		defer release() // or it expires
		ctx = held
	}
	waiting, err := k.host.Ops.Outbox.Notices(ctx, e.Hook, e.Subject)
	if err != nil {
		return err
	}
	for _, n := range waiting {
		if known && !n.ParkedAt.IsZero() && n.ID != e.ID {
			continue
		}
		if known {
			if err := k.send(ctx, hook, n, n.ID == e.ID); err != nil {
				return err
			}
		}
		if err := k.host.Ops.Outbox.EndNotice(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// send sends a notice. One of its own event that has waited for too long is parked.
func (k *hooks) send(ctx context.Context, hook webhook.Hook, n desk.Notice, own bool) error {
	now := k.host.Now()
	err := k.deliver(ctx, hook, n.ID, now, []byte(n.Body))
	k.note(hook.ID(), err)
	if err != nil && own && n.ParkedAt.IsZero() && now.Sub(n.At) >= hookPatience {
		err = errors.Join(err, k.host.Ops.Outbox.ParkNotice(ctx, n, now))
	}
	return err
}

func (k *hooks) hook(id string) (webhook.Hook, bool) {
	for _, h := range k.all {
		if h.ID() == id {
			return h, true
		}
	}
	return webhook.Hook{}, false
}

func (k *hooks) rests(hook string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if r, ok := k.resting[hook]; ok && time.Since(r.since) < hookRest {
		return r.why
	}
	return nil
}

func (k *hooks) note(hook string, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if delete(k.resting, hook); err != nil {
		k.resting[hook] = rest{time.Now(), err}
	}
}

func laneOf(subject string) int {
	h := fnv.New32a()
	h.Write([]byte(subject))
	return int(h.Sum32() % hookLanes)
}

// announceCases tells webhooks of cases, and of messages that are reported.
func (h *Host) announceCases() {
	told := func(ctx context.Context, e desk.CaseMoved) (Notice, bool, error) {
		n := Notice{Subject: e.Item.ID(), Data: map[string]any{
			"id": e.Item.ID(), "system": e.Item.System, "kind": e.Item.Kind, "itemId": e.Item.ItemID, "revision": e.Revision,
		}}
		if e.Status == desk.Decided {
			n.Data["verdict"], n.Data["gone"] = nullIfEmpty(string(e.Verdict)), e.Gone
		} else {
			n.Data["reportCount"] = e.ReportCount
		}
		return n, true, nil
	}
	opened := func(e desk.CaseMoved) bool { return e.Status == desk.Open }
	Announce(h, "case.opened", told, opened)
	Announce(h, "case.decided", told, func(e desk.CaseMoved) bool { return e.Status == desk.Decided })
	Announce(h, "message.reported", told, func(e desk.CaseMoved) bool {
		return opened(e) && e.Item.Kind == desk.Message && e.ReportCount > 0 && !e.Appealed
	})
}

// announcePeople tells webhooks of what those who run the service decide about people. Systems
// tell of what happens to people otherwise.
func (h *Host) announcePeople() {
	person := func(id viewer.UserID) (Notice, bool, error) {
		return Notice{Subject: string(id), Data: map[string]any{"userId": id}}, true, nil
	}
	Announce(h, "person.suspended", func(_ context.Context, e desk.PersonSuspended) (Notice, bool, error) { return person(e.UserID) })
	Announce(h, "person.reinstated", func(_ context.Context, e desk.PersonReinstated) (Notice, bool, error) { return person(e.UserID) })
	Announce(h, "person.erased", func(_ context.Context, e desk.PersonErased) (Notice, bool, error) { return person(e.UserID) })
}

func nullIfEmpty(text string) any {
	if text == "" {
		return nil
	}
	return text
}
