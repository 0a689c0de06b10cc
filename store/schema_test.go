package store

import (
	"testing"

	"stoa/internal/kit/designtest"
)

func TestSchemaIsFresh(t *testing.T) { designtest.SchemaIsFresh(t, "store", WriteSchema) }
