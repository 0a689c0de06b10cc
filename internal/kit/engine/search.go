package engine

import (
	"context"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/expr"
	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/engine/value"
)

// search is the common part of Query and Scan: a page read from a span of a table or index,
// filtered and projected.
type search struct {
	table    *table
	relation *relation
	index    *index // nil if the table itself is read
	program  *expr.Program
	start    Item // end of the previous page, nil for the first
	span     span
	limit    int // items to read, before filtering; 0 is no limit
	// partition is the common prefix of the keys of a query, nil for a scan; bounded is set
	// if the query has a condition on the sort key. segment describes the part of the
	// relation that a scan reads, if it is not all of it.
	partition []byte
	bounded   bool
	segment   string

	attributes types.Select
	consistent bool
	wantUnits  types.ReturnConsumedCapacity
}

func (s *search) countOnly() bool { return s.attributes == types.SelectCount }

// found is the page returned by a search.
type found struct {
	count   int32 // items that passed the filter
	scanned int32 // items read
	last    Item  // start of the next page, nil at the end
	units   *types.ConsumedCapacity
}

// target is the part of a request that determines what to read.
type target struct {
	table, index *string
	consistent   *bool
	limit        *int32
	attributes   types.Select
	units        types.ReturnConsumedCapacity
	start        Item
	request      *expr.Request
}

// check performs the checks that need neither expressions nor tables, and makes the values
// of the starting key canonical.
func (in *target) check() error {
	if err := in.request.CheckUse(); err != nil {
		return err
	}
	start, err := value.NormalizeItem(in.start)
	if err != nil {
		return startValueError(err)
	}
	in.start = start
	return nil
}

// newSearch determines what to read. The caller must set the span and check that the wanted
// attributes are available.
func (e *Engine) newSearch(in target, p *expr.Program) (*search, error) {
	t, err := e.table(in.table)
	if err != nil {
		return nil, err
	}
	s := &search{table: t, relation: &t.relation, program: p, start: in.start, limit: int(aws.ToInt32(in.limit)),
		attributes: in.attributes, consistent: aws.ToBool(in.consistent), wantUnits: in.units}
	if in.index == nil {
		return s, nil
	}
	if s.index, err = e.readable(t, *in.index); err != nil {
		return nil, err
	}
	s.relation = &s.index.relation
	if s.consistent {
		return nil, invalid("Consistent reads are not supported on global secondary indexes")
	}
	return s, nil
}

// checkWhole returns an error if whole items are requested from an index that contains only
// parts of them.
func (s *search) checkWhole() error {
	if s.attributes == types.SelectAllAttributes && s.index != nil && s.index.projected != nil {
		return invalid(invalidValues+"Select type ALL_ATTRIBUTES is not supported for global secondary index %s "+
			"because its projection type is not ALL", s.index.Name)
	}
	return nil
}

// checkSelect checks that Select, the projection and the index are compatible. An index
// projects and filters only its own attributes: nothing is read from the table.
func (s *search) checkSelect() error {
	if missing := s.index.lacks(s.program.FilterNames()); missing != "" {
		return invalid(invalidValues+"Secondary index %s does not project one or more filter attributes: [%s]", s.index.Name, missing)
	}
	projects := s.program.HasProjection()
	switch s.attributes {
	case types.SelectSpecificAttributes:
		if !projects {
			return invalid("Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES")
		}
	case types.SelectCount:
		if projects {
			return invalid("Cannot specify the ProjectionExpression when choosing to get only the Count")
		}
	case types.SelectAllAttributes, types.SelectAllProjectedAttributes:
		if projects {
			return invalid("Cannot specify the ProjectionExpression when choosing to get %s", s.attributes)
		}
		if s.index == nil && s.attributes == types.SelectAllProjectedAttributes {
			return invalid("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName")
		}
	}
	if missing := s.index.lacks(s.program.ProjectedNames()); missing != "" {
		return invalid(invalidValues+"Global secondary index %s does not project [%s]", s.index.Name, missing)
	}
	return nil
}

// lacks returns those of names that x does not project. x is nil for a table, which lacks
// nothing.
func (x *index) lacks(names []string) string {
	if x == nil || x.projected == nil {
		return ""
	}
	var missing []string
	for _, name := range names {
		if !x.projected[name] {
			missing = append(missing, name)
		}
	}
	return strings.Join(missing, ", ")
}

// run reads the page and shows its items, unless they are only counted. An iterator reads a
// snapshot of the store, so a page is consistent.
func (e *Engine) run(ctx context.Context, s *search, show Visitor) (*found, error) {
	f := &found{}
	size := 0
	shown := newProjector(s.program)
	_, err := e.walk(s.relation, s.table.names, s.span, s.limit, true, func(v itemcodec.View, last bool) error {
		size += v.Size()
		f.scanned++
		if last {
			f.last = s.relation.lastKey(v)
		}
		if s.program.HasFilter() && !s.program.Filter(v) {
			return ctx.Err()
		}
		f.count++
		if !s.countOnly() {
			if err := shown.present(v, show); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, e.noteDamage(s.table.Name, err)
	}
	f.units = s.consumed(size)
	return f, nil
}

func (s *search) consumed(size int) *types.ConsumedCapacity {
	u := units{}
	if n := readUnits(size, s.consistent); s.index == nil {
		u.table = n
	} else {
		u.add(s.index.Name, n)
	}
	return consumed(s.wantUnits, s.table, u, neither)
}
