package keyspec

import (
	"errors"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/raw"
)

// Conflict is the error of a transaction whose conditions did not hold, so that nothing was
// written: the state it was decided on has changed.
type Conflict struct{ refused []refusal }

// refusal is an action whose condition did not hold, with the stored item.
type refusal struct {
	action *action
	stored map[string]types.AttributeValue
}

func (c *Conflict) Error() string {
	names := make([]string, len(c.refused))
	for i, r := range c.refused {
		names[i] = r.action.key.String()
	}
	return "keyspec: a condition does not hold on " + strings.Join(names, ", ")
}

// Refused reports whether err is a Conflict in which a condition of the action did not
// hold. The server reports all refusals of a transaction, not just the first.
func Refused(err error, a Action) bool {
	_, ok := refusalOf(err, a)
	return ok
}

// Stored returns the stored item for a refused action, or nil if there was none or the
// action was not refused.
func (e *Entity[T]) Stored(err error, a Action) (*T, error) {
	r, ok := refusalOf(err, a)
	if !ok || len(r.stored) == 0 {
		return nil, nil
	}
	v, err := e.Read(r.stored)
	if err != nil {
		return nil, err
	}
	return &v, nil
}

func refusalOf(err error, a Action) (refusal, bool) {
	if err == nil {
		return refusal{}, false
	}
	var c *Conflict
	if errors.As(err, &c) {
		for _, r := range c.refused {
			if r.action == a.core() {
				return r, true
			}
		}
	}
	return refusal{}, false
}

// refusals returns the actions whose conditions did not hold, or nil for other errors.
func refusals(err error, actions []*action) *Conflict {
	if alone := new(types.ConditionalCheckFailedException); errors.As(err, &alone) && len(actions) == 1 {
		return &Conflict{[]refusal{{actions[0], alone.Item}}}
	}
	var canceled *types.TransactionCanceledException
	if !errors.As(err, &canceled) {
		return nil
	}
	var c Conflict
	for i, reason := range canceled.CancellationReasons {
		if aws.ToString(reason.Code) == "ConditionalCheckFailed" && i < len(actions) {
			c.refused = append(c.refused, refusal{actions[i], reason.Item})
		}
	}
	if c.refused == nil {
		return nil
	}
	return &c
}

// Drift is a counter shift that was omitted because the counter would have become negative
// or its item does not exist. It shows that a counter is wrong.
type Drift struct {
	Table     string
	PK, SK    string
	Attribute string
	By        int
}

// soften removes the counter shifts that were refused. It returns false if some refusal has
// another cause.
func (c *Conflict) soften() ([]Drift, bool) {
	var dropped []Drift
	for _, r := range c.refused {
		impossible := r.impossible()
		if len(impossible) == 0 {
			return nil, false
		}
		for _, s := range impossible {
			r.action.shift(s.Name, -s.By)
			k := r.action.key
			dropped = append(dropped, Drift{k.row.table.Name, k.pk, k.sk, s.Name, int(s.By)})
		}
	}
	return dropped, true
}

// impossible returns the shifts that cannot be applied to the stored item.
func (r refusal) impossible() []raw.Shift {
	a := r.action
	if a.kind != update {
		return nil
	}
	var cannot []raw.Shift
	for _, s := range a.shifts {
		switch {
		case len(r.stored) > 0 && s.By < 0 && int64(counted(r.stored[s.Name])) < -s.By:
			cannot = append(cannot, s)
		case len(r.stored) == 0 && len(a.sets)+len(a.within)+len(a.tests) == 0 && !a.exists:
			cannot = append(cannot, s)
		}
	}
	return cannot
}

// counted returns the value of a stored counter, which is zero if absent.
func counted(av types.AttributeValue) int {
	n, ok := av.(*types.AttributeValueMemberN)
	if !ok {
		return 0
	}
	count, err := strconv.Atoi(n.Value)
	if err != nil {
		return 0
	}
	return count
}
