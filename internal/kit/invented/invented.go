// Package invented has what the seeds of several systems make people of. The same number
// invents the same.
package invented

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/google/uuid"
)

// Source is a stream of chance that a seed stands for. Streams keep what is invented of one
// kind the same when there is more of another.
func Source(seed, stream uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }

// UUID makes a version 4 UUID.
func UUID(random *rand.Rand) string {
	var raw [16]byte
	binary.BigEndian.PutUint64(raw[:8], random.Uint64())
	binary.BigEndian.PutUint64(raw[8:], random.Uint64())
	raw[6], raw[8] = raw[6]&0x0f|0x40, raw[8]&0x3f|0x80
	return uuid.UUID(raw).String()
}

// IDs makes the ids of what is invented.
func IDs(random *rand.Rand) func() string { return func() string { return UUID(random) } }

// Pick is one of some.
func Pick[T any](random *rand.Rand, of []T) T { return of[random.IntN(len(of))] }

// FirstNames and LastNames are what people are called, in lower case.
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
