package seed

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"time"

	"stoa/internal/kit/fake"
	"stoa/social"
)

// epoch is the latest time in a generated network, except for stories. It is fixed so that
// a seed always results in the same network.
var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

const (
	// history is the time before epoch over which people sign up.
	history = 365 * 24 * time.Hour
	// meanFollows is the mean number of follows per person, if there are enough people.
	meanFollows = 16
	// meanPosts is the mean number of posts per person.
	meanPosts = 4
)

// network contains the people and their follows. The rest, which is larger, is derived from
// it person by person and never held in memory as a whole.
type network struct {
	seed     uint64
	people   []person
	follows  [][]follow // by follower
	readers  [][]int32  // accepted followers, by followed person
	requests []int      // number of pending requests, by followed person
}

// follow is one person's follow of another.
type follow struct {
	to     int32
	status social.FollowStatus
}

// invent returns the network of seed. Networks of different sizes have nothing in common,
// even with the same seed.
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
				f.status = fake.Pick(r, []social.FollowStatus{
					social.FollowRequested, social.FollowDenied, social.Following, social.Following, social.Following,
				})
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

// random returns the random source for one kind of thing of person i. Separate sources
// allow generating them in any order and more than once.
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
	ofViews
	ofChats
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

// choose returns the people that person i follows, popular ones more often than others. The
// first person follows many, so that newcomers sign in to a full feed.
func (n *network) choose(r *rand.Rand, i int, reach []float64) []int32 {
	want := heavyTailed(r, meanFollows)
	if i == 0 {
		want = 2 * meanFollows
	}
	want = min(want, (len(n.people)-1)*2/3)
	chosen := map[int32]bool{int32(i): true}
	var list []int32
	// Popular people are drawn repeatedly, so a person who wants most of a small network
	// gives up after some tries.
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

// heavyTailed returns a random number with the given mean: mostly small ones and
// occasionally a large one, at most twenty times the mean.
func heavyTailed(r *rand.Rand, mean int) int {
	const sigma = 1.0
	drawn := math.Exp(r.NormFloat64()*sigma - sigma*sigma/2)
	return int(math.Round(min(drawn, 20) * float64(mean)))
}
