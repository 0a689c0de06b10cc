package engine

import (
	"slices"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// DynamoDB creates, changes and removes tables in the background, which takes seconds. The
// engine has done so when a request returns. With a state delay, it reports the
// intermediate states for a while, so that tests detect code that does not wait for them.
// These states are not stored: they end when the engine is reopened.

// WithStateDelay keeps tables CREATING, UPDATING or DELETING for delay, measured by the
// engine's clock, and refuses what DynamoDB refuses in these states. An index that is added
// or removed is CREATING or DELETING for as long.
func WithStateDelay(delay time.Duration) Option {
	return func(o *options) { o.stateDelay = delay }
}

// appearances holds the tables whose apparent state differs from the real one. The zero
// value has none.
type appearances struct {
	delay time.Duration
	now   func() time.Time

	mu sync.Mutex
	of map[string]appearance // by table
}

// appearance is the apparent state of a table until a time.
type appearance struct {
	status types.TableStatus
	until  time.Time
	// added is the index that an update has added.
	added string
	// goneIndex and goneTable describe what has already been removed: an index, or the
	// table itself.
	goneIndex *types.GlobalSecondaryIndexDescription
	goneTable *types.TableDescription
}

// begin sets the apparent state of a table.
func (s *appearances) begin(name string, a appearance) {
	if s.delay == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of == nil {
		s.of = map[string]appearance{}
	}
	a.until = s.now().Add(s.delay)
	s.of[name] = a
}

// get returns the apparent state of a table, zero if it is the real one.
func (s *appearances) get(name string) appearance {
	if s.delay == 0 {
		return appearance{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	a, ok := s.of[name]
	if ok && !s.now().Before(a.until) {
		delete(s.of, name)
		return appearance{}
	}
	return a
}

// deleting returns the names of the tables that have been deleted but are still shown.
func (s *appearances) deleting() []string {
	if s.delay == 0 {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for name, a := range s.of {
		if a.goneTable != nil && s.now().Before(a.until) {
			names = append(names, name)
		}
	}
	return names
}

// checkIdle returns an error if a table is apparently being created or changed.
func (s *appearances) checkIdle(name string) error {
	doing, busy := map[types.TableStatus]string{
		types.TableStatusCreating: "created", types.TableStatusUpdating: "updated", types.TableStatusDeleting: "deleted",
	}[s.get(name).status]
	if !busy {
		return nil
	}
	return &types.ResourceInUseException{
		Message: aws.String("Attempt to change a resource which is still in use: Table is being " + doing + ": " + name),
	}
}

// show changes the description of a table to its apparent state.
func (a appearance) show(d *types.TableDescription) {
	if a.status == "" {
		return
	}
	d.TableStatus = a.status
	for i := range d.GlobalSecondaryIndexes {
		x := &d.GlobalSecondaryIndexes[i]
		switch {
		case a.status == types.TableStatusCreating:
			x.IndexStatus = types.IndexStatusCreating
		case *x.IndexName == a.added:
			x.IndexStatus, x.Backfilling = types.IndexStatusCreating, aws.Bool(true)
		}
	}
	if a.goneIndex != nil {
		d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes, *a.goneIndex)
	}
}

// describeRemoved returns the description of an index that is apparently being removed.
func (e *Engine) describeRemoved(t *table, name string) *types.GlobalSecondaryIndexDescription {
	all := e.describe(t).GlobalSecondaryIndexes
	i := slices.IndexFunc(all, func(x types.GlobalSecondaryIndexDescription) bool { return *x.IndexName == name })
	all[i].IndexStatus = types.IndexStatusDeleting
	return &all[i]
}

// readable returns the index of t called name, which must be complete, also apparently.
func (e *Engine) readable(t *table, name string) (*index, error) {
	if a := e.appearances.get(t.Name); a.added != "" && a.added == name {
		return nil, errBackfilling(name)
	}
	return t.index(name)
}

func errBackfilling(index string) error {
	return invalid("Cannot read from backfilling global secondary index: %s", index)
}
