// Package fake has what the seeds of several systems generate people from. It is
// deterministic.
package fake

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/google/uuid"
)

// Source returns a random stream of a seed. Separate streams keep generated data of one
// kind the same when there is more of another.
func Source(seed, stream uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }

// UUID returns a version 4 UUID.
func UUID(random *rand.Rand) string {
	var raw [16]byte
	binary.BigEndian.PutUint64(raw[:8], random.Uint64())
	binary.BigEndian.PutUint64(raw[8:], random.Uint64())
	raw[6], raw[8] = raw[6]&0x0f|0x40, raw[8]&0x3f|0x80
	return uuid.UUID(raw).String()
}

// IDs returns a generator of ids.
func IDs(random *rand.Rand) func() string { return func() string { return UUID(random) } }

// Pick returns a random element.
func Pick[T any](random *rand.Rand, of []T) T { return of[random.IntN(len(of))] }

// FirstNames and LastNames are names of people, in lower case.
var (
	FirstNames = []string{
		"ada", "amir", "ben", "carla", "dana", "elif", "emil", "fay", "greta", "hugo", "ines", "jonas", "kiran", "lea", "mara", "nils",
		"olga", "pablo", "rosa", "samir", "tara", "ugo", "vera", "wen", "yara", "zoe",
	}
	LastNames = []string{
		"abel", "blum", "costa", "dietz", "evans", "fuchs", "gruber", "haddad", "ito", "jansen", "kaya", "lindt", "moreau", "novak",
		"okafor", "petit", "quinn", "rossi", "silva", "tanaka", "ulrich", "vargas", "weber", "young",
	}
)
