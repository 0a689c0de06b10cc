package seed

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"stoa/internal/kit/fake"
	"stoa/internal/kit/slice"
	"stoa/social"
)

// person contains the details of a profile, and the address to sign in with.
type person struct {
	id       social.UserID
	username string
	fullName string
	bio      string
	private  bool
	popular  float64
}

func (p person) email() string { return p.username + "@example.com" }

// loginRank is the rank of the first person by popularity, from 0.
const loginRank = 8

// inventPeople returns count people with distinct usernames. Popularity follows a power
// law: the r-th most popular person has about 1/r^0.8 of the first one's.
func inventPeople(r *rand.Rand, count int, region string) []person {
	people := make([]person, count)
	used := make(map[string]bool, count)
	rank := r.Perm(count)
	for i := range people {
		given, family := fake.Pick(r, givenNames), fake.Pick(r, familyNames)
		people[i] = person{
			id:       social.UserID(region + ":" + fake.UUID(r)),
			username: freshUsername(r, given, family, used),
			fullName: given + " " + family,
			private:  r.IntN(7) == 0,
			popular:  fame(rank[i]),
		}
		if r.IntN(5) > 0 {
			people[i].bio = inventBio(r)
		}
	}
	// Newcomers sign in as the first person, who is known and private, so that others ask to
	// follow them.
	people[0].private, people[0].popular = true, fame(min(loginRank, count-1))
	return people
}

func freshUsername(r *rand.Rand, given, family string, used map[string]bool) string {
	base := strings.ToLower(given + fake.Pick(r, []string{".", "_", ""}) + family)
	name := base
	for used[name] {
		name = fmt.Sprintf("%s%d", base, 1+r.IntN(9999))
	}
	used[name] = true
	return name
}

func inventBio(r *rand.Rand) string {
	parts := r.Perm(len(bioParts))[:1+r.IntN(3)]
	words := slice.Map(parts, func(p int) string { return bioParts[p] })
	return strings.Join(words, " · ")
}
