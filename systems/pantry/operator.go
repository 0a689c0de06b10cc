package pantry

import "context"

// Operators knows the operators of the service.
type Operators interface {
	IsOperator(ctx context.Context, id UserID) (bool, error)
}

// Operator is a viewer who is an operator. Only AsOperator returns operators.
type Operator struct{ id UserID }

// AsOperator returns the viewer as an operator, who need not be a user, and refuses others.
func AsOperator(ctx context.Context, o Operators, viewer UserID) (Operator, error) {
	if viewer == "" {
		return Operator{}, ErrUnauthenticated
	}
	is, err := o.IsOperator(ctx, viewer)
	switch {
	case err != nil:
		return Operator{}, err
	case !is:
		return Operator{}, ErrNotOperator
	}
	return Operator{viewer}, nil
}
