package apptest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"stoa/internal/kit/faultdb"
)

// Act is one step of a history: a mutation, or something that clients cannot request.
type Act struct {
	By, Do string
	Args   []Arg
	// Fault is a fault of one of the act's store calls.
	Fault faultdb.Fault
}

// Arg is an argument of an act: a string, a bool, a list of strings or an Enum.
type Arg struct {
	Name  string
	Value any
}

// Enum is a string written without quotes.
type Enum string

// Has reports whether an argument is given.
func (a Act) Has(name string) bool {
	return slices.ContainsFunc(a.Args, func(g Arg) bool { return g.Name == name })
}

// Value returns the value of an argument, or nil if it is not given.
func (a Act) Value(name string) any {
	for _, g := range a.Args {
		if g.Name == name {
			return g.Value
		}
	}
	return nil
}

// Text returns the value of a text or enum argument; empty if not given.
func (a Act) Text(name string) string {
	switch v := a.Value(name).(type) {
	case Enum:
		return string(v)
	case string:
		return v
	default:
		return ""
	}
}

// Words returns the distinct words given; nil if none are.
func (a Act) Words(name string) []string {
	words, given := a.Value(name).([]string)
	if !given {
		return nil
	}
	distinct := []string{}
	for _, w := range words {
		if !slices.Contains(distinct, w) {
			distinct = append(distinct, w)
		}
	}
	return distinct
}

// Choices copies those switches in names that are given to chosen.
func (a Act) Choices(chosen map[string]bool, names []string) {
	for _, name := range names {
		if on, ok := a.Value(name).(bool); ok {
			chosen[name] = on
		}
	}
}

// String returns the act as a mutation without a selection.
func (a Act) String() string {
	var args []string
	for _, g := range a.Args {
		literal := fmt.Sprint(g.Value)
		if _, isEnum := g.Value.(Enum); !isEnum {
			quoted, err := json.Marshal(g.Value)
			if err != nil {
				panic(err)
			}
			literal = string(quoted)
		}
		args = append(args, g.Name+": "+literal)
	}
	if len(args) == 0 {
		return a.Do
	}
	return a.Do + "(" + strings.Join(args, ", ") + ")"
}

// Kind is a kind of act. Weight is its relative frequency.
type Kind struct {
	Weight int
	Draw   func(d *Draw) Act
}

// Draw generates random acts.
type Draw struct {
	*rand.Rand
	// Past lists the acts generated so far, whatever their outcome.
	Past  []Act
	kinds []Kind
}

// NewDraw returns a Draw of some kinds of acts, which is deterministic for a seed.
func NewDraw(seed uint64, kinds []Kind) *Draw {
	return &Draw{Rand: rand.New(rand.NewPCG(seed, 1)), kinds: kinds}
}

// Next returns a new act.
func (d *Draw) Next() Act {
	total := 0
	for _, k := range d.kinds {
		total += k.Weight
	}
	n := d.IntN(total)
	for _, k := range d.kinds {
		if n -= k.Weight; n < 0 {
			a := k.Draw(d)
			d.Past = append(d.Past, a)
			return a
		}
	}
	panic("unreachable")
}

// One returns one of some texts.
func (d *Draw) One(of []string) string { return of[d.IntN(len(of))] }

// Earlier returns a past act of one of some kinds, and usually finds one. It is for acts
// that answer, revert or remove an earlier one.
func (d *Draw) Earlier(kinds ...string) (a Act, found bool) {
	var past []Act
	for _, a := range d.Past {
		if slices.Contains(kinds, a.Do) {
			past = append(past, a)
		}
	}
	if len(past) == 0 || d.IntN(5) == 0 {
		return Act{}, false
	}
	return past[d.IntN(len(past))], true
}

// Some returns the first of args and about a quarter of the others.
func (d *Draw) Some(first int, args ...Arg) []Arg {
	kept := slices.Clone(args[:first])
	for _, g := range args[first:] {
		if d.IntN(4) == 0 {
			kept = append(kept, g)
		}
	}
	return kept
}

// Choice returns a switch with a random value.
func (d *Draw) Choice(name string) Arg { return Arg{name, d.IntN(2) == 0} }
