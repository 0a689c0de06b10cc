package seed

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"time"

	"stoa/internal/kit/invented"
	"stoa/social"
)

// epoch is when the last thing but stories happens in every invented network. It is
// fixed, or the same seed would give another network tomorrow.
var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

const (
	// history is how long before epoch the first person may have signed up.
	history = 365 * 24 * time.Hour
	// meanFollows is how many others a person follows on average, if there are so many.
	meanFollows = 16
	// meanPosts is how many posts a person has on average.
	meanPosts = 4
)

// network knows who there is and who follows whom. The rest, which is larger, is
// made from it person by person and never held as a whole.
type network struct {
	seed     uint64
	people   []person
	follows  [][]follow // by follower
	readers  [][]int32  // by followed person: who follows them, accepted
	requests []int      // by followed person: how many wait for an answer
}

// follow is one person's follow of another.
type follow struct {
	to     int32
	status social.FollowStatus
}

// invent makes the network of seed. Two networks of different sizes have nothing in
// common, whatever their seeds.
func invent(seed uint64, users int, region string) *network {
	r := rand.New(rand.NewPCG(seed, uint64(users)))
	n := &network{seed: seed, people: inventPeople(r, users, region)}
	n.follows = make([][]follow, users)
	n.readers = make([][]int32, users)
	n.requests = make([]int, users)
	reach := cumulativeFame(n.people)
	for i := range n.people {
		for _, to := range n.choose(r, i, reach) {
			f := follow{to: to, status: social.Following}
			if n.people[to].private {
				f.status = invented.Pick(r, []social.FollowStatus{social.FollowRequested, social.FollowDenied, social.Following, social.Following, social.Following})
			}
			n.follows[i] = append(n.follows[i], f)
			switch f.status {
			case social.Following:
				n.readers[to] = append(n.readers[to], int32(i))
			case social.FollowRequested:
				n.requests[to]++
			}
		}
	}
	return n
}

// random returns the source of one kind of thing that belongs to person i. Each has a
// source of its own, so they can be made in any order and twice.
func (n *network) random(i int, kind uint64) *rand.Rand {
	return rand.New(rand.NewPCG(n.seed^kind, uint64(len(n.people))<<32|uint64(i)))
}

const (
	ofFollows uint64 = (iota + 1) << 60
	ofPosts
	ofPictures
	ofAlbums
	ofStories
	ofStoryPictures
)

// followed returns the follows of person i.
func (n *network) followed(i int) []social.Follow {
	r := n.random(i, ofFollows)
	follows := make([]social.Follow, len(n.follows[i]))
	for k, f := range n.follows[i] {
		since := n.signedUpAt(max(i, int(f.to)))
		follows[k] = social.Follow{
			FollowerUserID: n.people[i].id, FollowedUserID: n.people[f.to].id, Status: f.status,
			FollowedAt: since.Add(time.Duration(r.Int64N(int64(epoch.Sub(since))))).Truncate(time.Microsecond),
		}
	}
	return follows
}

// signedUpAt spreads sign-ups over the first half of the history.
func (n *network) signedUpAt(i int) time.Time {
	return epoch.Add(-history).Add(history / 2 * time.Duration(i) / time.Duration(len(n.people))).Truncate(time.Microsecond)
}

// choose picks whom person i follows, the popular more often than others. The first
// person follows many, so that a newcomer signs in to a full feed.
func (n *network) choose(r *rand.Rand, i int, reach []float64) []int32 {
	want := heavyTailed(r, meanFollows)
	if i == 0 {
		want = 2 * meanFollows
	}
	want = min(want, (len(n.people)-1)*2/3)
	chosen := map[int32]bool{int32(i): true}
	var list []int32
	// Popular people come up again and again, so a person who wants most of a small
	// network gives up after a while.
	for tries := 0; len(list) < want && tries < 20*want; tries++ {
		to := int32(sort.SearchFloat64s(reach, r.Float64()*reach[len(reach)-1]))
		if !chosen[to] {
			chosen[to] = true
			list = append(list, to)
		}
	}
	slices.Sort(list)
	return list
}

func cumulativeFame(people []person) []float64 {
	sums := make([]float64, len(people))
	var sum float64
	for i, p := range people {
		sum += p.popular
		sums[i] = sum
	}
	return sums
}

func fame(rank int) float64 { return math.Pow(float64(rank+1), -0.8) }

// heavyTailed draws a number with the given mean: mostly small ones and now and then
// one of many times the mean, at most twenty times.
func heavyTailed(r *rand.Rand, mean int) int {
	const sigma = 1.0
	drawn := math.Exp(r.NormFloat64()*sigma - sigma*sigma/2)
	return int(math.Round(min(drawn, 20) * float64(mean)))
}
