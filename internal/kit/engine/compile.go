package engine

import "stoa/internal/kit/engine/expr"

// plain is the program of a request without expressions.
var plain = func() *expr.Program {
	p, err := expr.Compile(&expr.Request{})
	if err != nil {
		panic(err) // it cannot be invalid
	}
	return p
}()

// compile parses the expressions of a request.
func compile(r *expr.Request) (*expr.Program, error) {
	if r.Condition == nil && r.Filter == nil && r.KeyCondition == nil && r.Projection == nil && r.Update == nil &&
		r.Names == nil && r.Values == nil {
		return plain, nil
	}
	return expr.Compile(r)
}
