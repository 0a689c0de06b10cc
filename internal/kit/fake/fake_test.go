package fake_test

import (
	"testing"

	"github.com/google/uuid"

	"stoa/internal/kit/fake"
)

func TestTheSameSeedInventsTheSame(t *testing.T) {
	one, same, other := fake.IDs(fake.Source(1, 1)), fake.IDs(fake.Source(1, 1)), fake.IDs(fake.Source(1, 2))
	seen := map[string]bool{}
	for range 100 {
		id := one()
		if parsed, err := uuid.Parse(id); err != nil || parsed.Version() != 4 || parsed.Variant() != uuid.RFC4122 {
			t.Fatalf("%s is no UUID of version 4: %v", id, err)
		}
		if same() != id || other() == id || seen[id] {
			t.Fatalf("%s is not what its seed and stream stand for", id)
		}
		seen[id] = true
	}
	random := fake.Source(1, 3)
	for range 100 {
		if n := fake.Pick(random, []int{1, 2}); n != 1 && n != 2 {
			t.Fatalf("picked %d", n)
		}
	}
}
