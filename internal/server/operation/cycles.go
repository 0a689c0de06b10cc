package operation

import (
	"fmt"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// checkCycles refuses a document with a fragment that spreads itself. Validation does too,
// but only after it has followed all cycles.
func checkCycles(document *ast.QueryDocument, fragments map[string]*ast.FragmentDefinition) *gqlerror.Error {
	p := &fragmentPath{fragments: fragments, place: map[string]int{}}
	for _, f := range document.Fragments {
		if err := p.enter(f); err != nil {
			return err
		}
	}
	return nil
}

// fragmentPath is a path of fragments, each spread by the previous one.
type fragmentPath struct {
	fragments map[string]*ast.FragmentDefinition
	names     []string
	// place is the position of a fragment in names, from 1, and left for one that leads to
	// no cycle.
	place map[string]int
}

const left = -1

func (p *fragmentPath) enter(f *ast.FragmentDefinition) *gqlerror.Error {
	if p.place[f.Name] == left {
		return nil
	}
	p.names = append(p.names, f.Name)
	p.place[f.Name] = len(p.names)
	err := p.follow(f.SelectionSet)
	p.names, p.place[f.Name] = p.names[:len(p.names)-1], left
	return err
}

func (p *fragmentPath) follow(set ast.SelectionSet) (err *gqlerror.Error) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			err = p.follow(s.SelectionSet)
		case *ast.InlineFragment:
			err = p.follow(s.SelectionSet)
		case *ast.FragmentSpread:
			if place := p.place[s.Name]; place > 0 {
				err = p.cycle(s, p.names[place:])
			} else if f := p.fragments[s.Name]; f != nil {
				err = p.enter(f)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// cycle returns the error that validation has for a spread of a fragment within itself, by
// way of others.
func (p *fragmentPath) cycle(spread *ast.FragmentSpread, via []string) *gqlerror.Error {
	message := fmt.Sprintf("Cannot spread fragment %q within itself", spread.Name)
	if len(via) > 0 {
		message += ` via "` + strings.Join(via, `", "`) + `"`
	}
	at := gqlerror.Location{Line: spread.Position.Line, Column: spread.Position.Column}
	return validationError(ruleKinds["NoFragmentCycles"], message+".", at)
}
