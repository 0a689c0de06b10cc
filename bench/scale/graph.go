package main

import "math"

// Numbers of followers follow a power law: the share of accounts with at least f followers is
// (least/f)^(exponent-1), up to a fifth of all accounts.
const (
	exponent = 2.1
	least    = 15.0
	largest  = 0.2
	// limit is the default of --fan-out-limit: posts of larger accounts are not copied.
	limit = 5000.0
)

// graph is who follows whom, on average.
type graph struct {
	// most is the number of followers of the largest account, and mean the average.
	most, mean float64
	// copied is the average number of entries of a post in feeds, all what it would be without a
	// limit, and largePosts the share of posts that are not copied.
	copied, all, largePosts float64
	// largeFollowed is the average number of large accounts that somebody follows.
	largeFollowed float64
}

// activity is how much more an account posts than one with the fewest followers.
func activity(followers float64) float64 { return math.Pow(followers/least, 0.25) }

// graphOf integrates over the distribution. Accounts from a limit on are large.
func graphOf(accounts, limit float64) graph {
	g := graph{most: max(accounts*largest, 2*least)}
	const steps = 20_000
	var weight, posts, copied, all, large, followedLarge, followers float64
	ratio := math.Log(g.most / least)
	for i := range steps {
		low, high := least*math.Exp(ratio*float64(i)/steps), least*math.Exp(ratio*float64(i+1)/steps)
		share := math.Pow(least/low, exponent-1) - math.Pow(least/high, exponent-1)
		f := math.Sqrt(low * high)
		weight += share
		followers += share * f
		p := share * activity(f)
		posts += p
		all += p * f
		if f < limit {
			copied += p * f
		} else {
			large += p
			followedLarge += share * f
		}
	}
	g.mean = followers / weight
	g.copied, g.all, g.largePosts, g.largeFollowed = copied/posts, all/posts, large/posts, followedLarge/weight
	return g
}

// followersOf returns the number of followers of the author of a post, for a random number from 0
// to 1: authors with many followers post more.
func (g graph) followersOf(random float64) float64 {
	const e = exponent - 0.25
	return least * math.Pow(1-random*(1-math.Pow(least/g.most, e-1)), -1/(e-1))
}
