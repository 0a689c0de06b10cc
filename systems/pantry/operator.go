package pantry

import "context"

// Operators knows the operators of the service.
type Operators interface {
	IsOperator(ctx context.Context, id UserID) (bool, error)
}

// CheckOperator refuses viewers other than operators, who need not be users.
func CheckOperator(ctx context.Context, o Operators, viewer UserID) error {
	if viewer == "" {
		return ErrUnauthenticated
	}
	is, err := o.IsOperator(ctx, viewer)
	if err == nil && !is {
		err = ErrNotOperator
	}
	return err
}
