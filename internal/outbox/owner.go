package outbox

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// Member is a process that owns shards. Its row is its right to them: whoever takes them over
// deletes it.
type Member struct {
	// ID is used by one process once.
	ID string
	// Holder is the name of the process. No two running processes share one, so a member of
	// the same name is a previous run of this process.
	Holder string
	// Beat changes as long as the process lives.
	Beat int64
	// Version is that of the program. StartedAt and SeenAt are when the process started and
	// last changed Beat, by its own clock. Those of older versions are zero.
	Version           string
	StartedAt, SeenAt time.Time
}

// Roster lists the members and the shards that they own.
type Roster struct {
	Members []Member
	// Version changes with Owners, which has the member that owns each shard, or "".
	Version int64
	Owners  []string
}

// ErrNotOwner means that another process has taken over the shards of this one.
var ErrNotOwner = errors.New("another process delivers the events of this one")

const (
	// beatEvery is how often a process shows that it lives, and looks at the others.
	beatEvery = 2 * time.Second
	// deadAfter is how many looks in a row must find the same beat of a process before it is
	// taken for dead. Each process counts its own looks: no clocks are compared.
	deadAfter = 3
)

// ownership is the part of a process in the division of shards. A process that does not run
// has none.
type ownership struct {
	store     Store
	holder    string
	version   string
	startedAt time.Time
	now       func() time.Time

	mu   sync.Mutex
	self Member
	// owned are the shards of this process, in order.
	owned []int
	// others are the other members as last seen.
	others map[string]*seenMember
	// strayed is set when a member has left or died that had no shards, and whose events are
	// therefore in those of others.
	strayed bool
	// life is done when the shards of this life are lost.
	life  context.Context
	leave context.CancelFunc
}

type seenMember struct {
	beat   int64
	silent int
	// owner is set if it had shards.
	owner bool
	// ahead are the latest differences of its clock, less the time until the beat was seen.
	ahead []time.Duration
}

// maxAhead is the number of differences that are kept.
const maxAhead = 15

// note remembers how far the clock of a member is ahead, given its latest beat.
func (s *seenMember) note(m Member, now time.Time) {
	if m.SeenAt.IsZero() {
		return
	}
	if len(s.ahead) == maxAhead {
		s.ahead = slices.Delete(s.ahead, 0, 1)
	}
	s.ahead = append(s.ahead, m.SeenAt.Sub(now))
}

// clockDifferences returns how far the clocks of other members are ahead, by id. A beat is seen
// up to beatEvery after it was written, so the largest of several differences is the best.
func (o *ownership) clockDifferences() map[string]time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	all := map[string]time.Duration{}
	for id, s := range o.others {
		if len(s.ahead) > 0 {
			all[id] = slices.Max(s.ahead)
		}
	}
	return all
}

// fence returns the member that writes are conditional on, or "" if this process is none.
func (o *ownership) fence() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.self.ID
}

// shard returns the queue for a new event.
func (o *ownership) shard(id string) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	written := o.owned
	for len(written) > 0 && written[0] < formerShards {
		written = written[1:] // versions before read them too
	}
	if len(written) == 0 {
		return anyShard(id)
	}
	return written[hash(id)%uint32(len(written))]
}

// owns reports whether a shard is one of this process.
func (o *ownership) owns(shard int) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	_, found := slices.BinarySearch(o.owned, shard)
	return found
}

// shards returns the shards of this process.
func (o *ownership) shards() []int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.owned)
}

// tick shows that this process lives, and takes or gives back shards so that the living have
// equally many. It returns the shards taken, and ErrNotOwner if all were lost since.
func (o *ownership) tick(ctx context.Context, idle func(shard int) bool) (taken []int, err error) {
	if err := o.beat(ctx); err != nil {
		return nil, err
	}
	roster, err := o.store.Roster(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the owners of shards: %w", err)
	}
	dead, living := o.judge(roster)
	next := slices.Grow(slices.Clone(roster.Owners), Shards)
	for len(next) < Shards {
		next = append(next, "")
	}
	mine := 0
	for shard, owner := range next {
		switch {
		case owner == o.self.ID:
			mine++
		case !living[owner]:
			next[shard] = ""
		}
	}
	fair := (Shards + len(living) - 1) / len(living)
	given := map[int]bool{}
	for shard, owner := range next {
		switch {
		case owner == "" && mine < fair:
			next[shard] = o.self.ID
			mine++
		case owner == o.self.ID && mine > fair && idle(shard):
			next[shard] = ""
			given[shard] = true
			mine--
		}
	}
	before := o.shards()
	if slices.Equal(next, roster.Owners) && len(dead) == 0 {
		return o.own(next, before), nil
	}
	o.set(slices.DeleteFunc(slices.Clone(before), func(shard int) bool { return given[shard] })) // nothing is added to what is given
	if assigned, err := o.store.Assign(ctx, o.self.ID, roster.Version, next, dead); err != nil || !assigned {
		// If it was assigned nevertheless, the next tick finds out.
		return nil, err
	}
	return o.own(next, before), nil
}

// own notes the shards of this process according to the owners, and returns those that it did
// not have before.
func (o *ownership) own(owners []string, before []int) (taken []int) {
	var owned []int
	for shard, owner := range owners {
		if owner != o.self.ID {
			continue
		}
		owned = append(owned, shard)
		if _, had := slices.BinarySearch(before, shard); !had {
			taken = append(taken, shard)
		}
	}
	o.set(owned)
	return taken
}

func (o *ownership) set(owned []int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.owned = owned
}

// beat joins the members, or changes the row of this one.
func (o *ownership) beat(ctx context.Context) error {
	next := o.self
	next.Beat++
	next.Version, next.StartedAt, next.SeenAt = o.version, o.startedAt, o.now().UTC()
	if next.ID == "" {
		next.ID, next.Holder = o.holder+"."+rand.Text(), o.holder
	}
	there, err := o.store.Beat(ctx, next, o.self.ID == "")
	if err != nil {
		return fmt.Errorf("renew the right to deliver events: %w", err)
	}
	if !there {
		return ErrNotOwner
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.self.ID == "" {
		o.life, o.leave = context.WithCancel(context.Background())
	}
	o.self = next
	return nil
}

// judge returns the members that are dead and the ids of the living.
func (o *ownership) judge(r Roster) (dead []Member, living map[string]bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.now()
	living = map[string]bool{o.self.ID: true}
	there, owners := map[string]bool{}, map[string]bool{}
	for _, owner := range r.Owners {
		owners[owner] = true
	}
	for _, m := range r.Members {
		if m.ID == o.self.ID {
			continue
		}
		there[m.ID] = true
		seen := o.others[m.ID]
		switch {
		case seen == nil:
			seen = &seenMember{beat: m.Beat}
			o.others[m.ID] = seen
		case seen.beat != m.Beat:
			seen.beat, seen.silent = m.Beat, 0
			seen.note(m, now)
		default:
			seen.silent++
		}
		seen.owner = owners[m.ID]
		if seen.silent >= deadAfter || m.Holder == o.holder {
			dead = append(dead, m)
			o.strayed = o.strayed || !seen.owner
		} else {
			living[m.ID] = true
		}
	}
	maps.DeleteFunc(o.others, func(id string, seen *seenMember) bool {
		o.strayed = o.strayed || !there[id] && !seen.owner
		return !there[id]
	})
	return dead, living
}

// hasStrayed reports whether a member without shards has left or died since it was last asked.
func (o *ownership) hasStrayed() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	strayed := o.strayed
	o.strayed = false
	return strayed
}

// lose ends this life of the process, whose shards are another's now.
func (o *ownership) lose() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.self, o.owned = Member{}, nil
	if o.leave != nil {
		o.leave()
	}
}

// until returns a context that is done when ctx is, or when the shards are lost.
func (o *ownership) until(ctx context.Context) (context.Context, context.CancelFunc) {
	o.mu.Lock()
	life := o.life
	o.mu.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	if life == nil {
		return ctx, cancel
	}
	stop := context.AfterFunc(life, cancel)
	return ctx, func() { stop(); cancel() }
}

// held returns a channel that is closed when the shards are lost; nil if there are none yet.
func (o *ownership) held() <-chan struct{} {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.life == nil {
		return nil
	}
	return o.life.Done()
}

// rightOf returns the member that writes about something are conditional on: what this process was
// when that came to it, even if it has lost it since and has joined again. If it was none, it is
// what it is now.
func (d *Dispatcher) rightOf(member string) string { return cmp.Or(member, d.owner.fence()) }

// resign gives all shards back.
func (o *ownership) resign(ctx context.Context) error {
	o.mu.Lock()
	self := o.self
	o.mu.Unlock()
	if self.ID == "" {
		return nil
	}
	roster, err := o.store.Roster(ctx)
	if err != nil {
		return err
	}
	next := slices.Clone(roster.Owners)
	for shard, owner := range next {
		if owner == self.ID {
			next[shard] = ""
		}
	}
	_, err = o.store.Assign(ctx, self.ID, roster.Version, next, []Member{self}) // if not, others find it dead
	o.lose()
	return err
}
