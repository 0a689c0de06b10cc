package identity_test

import (
	"testing"

	"stoa/internal/identity"
)

func newStore(*testing.T) identity.Store { return newMemory() }
