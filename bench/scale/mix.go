package main

import (
	"fmt"
	"math"
	"slices"
)

// A network is described by its number of accounts and these assumptions, which are those of an
// ordinary social network: most people read.
const (
	// daily is the share of accounts that are used on a day, and peak how much more happens in the
	// busiest hour than on average.
	daily = 0.3
	peak  = 3.0
	// online is the share of accounts with an open connection in the busiest hour: half an hour a
	// day for each active one.
	online = daily * 0.5 / 24 * peak

	// posts is the number of posts of an active account a day.
	posts = 0.25
)

// uses are what an active account does on a day, by the names of docs/costs.md. The post itself is
// counted without followers.
var uses = []struct {
	operation string
	times     float64
}{
	{"self with counters", 8}, {"feed page of 20", 20}, {"profile with 20 posts", 3}, {"post with 20 comments", 6}, {"profile of another", 3},
	{"cards", 4}, {"list of chats", 5}, {"chat with 20 messages", 5}, {"search for users", 1}, {"stories of the followed", 4}, {"trending posts", 1},
	{"text post, no followers", posts}, {"comment", 1}, {"like", 6}, {"dislike", 0.3}, {"first view of a post", 25}, {"second view of a post", 5},
	{"message to one", 10}, {"views of a chat", 5}, {"follow of a user with 30 posts", 0.3}, {"unfollow", 0.1}, {"deleting a post", 0.02},
	{"profile details", 0.02},
}

// Prices of DynamoDB on demand in us-east-1, in dollars, as of November 2024.
const (
	perMillionWrites = 0.625
	perMillionReads  = 0.125
	perGBMonth       = 0.25
	pricesOf         = "November 2024"
)

// Limits of a partition of DynamoDB.
const (
	partitionWrites = 1000 // units a second
	partitionReads  = 3000
	partitionGB     = 10
)

// What a process can do: a machine with four processors, half of which the busiest hour uses, and
// what an operation costs on average (docs/benchmarks.md: 0.1 to 0.5 s for 1,000), doubled for
// signing and parsing the calls of a store that is not embedded.
const (
	processCPU   = 4 * 0.5
	operationCPU = 2 * 0.5 / 1000
)

// What rows take up, in bytes with their index entries and DynamoDB's hundred for each.
const (
	postBytes    = 2500
	entryBytes   = 700
	likeBytes    = 1200
	commentBytes = 1000
	viewBytes    = 900
	messageBytes = 700
	followBytes  = 900
	accountBytes = 4000
)

// busBytes is the size of a message on the bus with its envelope.
const busBytes = 400

// network is what a number of accounts need.
type network struct {
	accounts float64
	graph    graph
	// perSecond is the average of what is consumed in a second.
	perSecond cost
	// operations, posts and entries are averages for a second, too.
	operations, posts, entries float64
	// gigabytes are what is stored after a year.
	gigabytes float64
	// messages are published on the bus a second, and heard what subscribers receive.
	messages, heard float64
}

// sizes are the numbers of accounts.
var sizes = []float64{1e4, 1e6, 1e8, 1e9}

// networkOf multiplies costs with the mix, for a --fan-out-limit.
func networkOf(costs map[string]cost, accounts, limit float64) (n network, err error) {
	n.accounts, n.graph = accounts, graphOf(accounts, limit)
	active := accounts * daily / (24 * 3600) // days of active accounts in a second
	for _, u := range uses {
		c, ok := costs[u.operation]
		if !ok {
			return n, fmt.Errorf("docs/costs.md has no operation %q", u.operation)
		}
		n.perSecond = n.perSecond.plus(c.times(active * u.times))
		n.operations += active * u.times
	}
	n.posts = active * posts
	n.entries = n.posts * n.graph.copied
	n.perSecond = n.perSecond.plus(followerCost(costs).times(n.entries)).plus(cost{0, n.pageReads(), 0})

	const year = 365 * 24 * 3600
	n.gigabytes = (year*(n.posts*postBytes+n.entries*entryBytes+active*(timesOf("like")*likeBytes+timesOf("comment")*commentBytes+
		timesOf("first view of a post")*viewBytes+timesOf("message to one")*messageBytes)) +
		accounts*(accountBytes+n.graph.mean*followBytes)) / 1e9
	// Followers hear of posts, authors of likes and comments, and both sides of messages. Of a large
	// account, one message tells all.
	n.messages = n.entries + n.posts + active*(2*timesOf("like")+2*timesOf("comment")+2*timesOf("message to one")+timesOf("follow of a user with 30 posts"))
	n.heard = (n.posts*n.graph.mean + n.messages - n.entries) * online
	return n, nil
}

// followerCost is what a follower of the author adds to the cost of a post: the tenth part of what
// ten add.
func followerCost(costs map[string]cost) cost {
	ten, none := costs["text post, ten followers"], costs["text post, no followers"]
	const rowsOfACall = 25
	return cost{1.0 / rowsOfACall, (ten.reads - none.reads) / 10, (ten.writes - none.writes) / 10}
}

// pageReads returns the units that reading the profiles of large accounts takes in a second: a page
// of a feed reads that of each one that the viewer follows.
func (n network) pageReads() float64 { return n.graph.largeFollowed * n.does("feed page of 20") }

func timesOf(operation string) float64 {
	i := slices.IndexFunc(uses, func(u struct {
		operation string
		times     float64
	}) bool {
		return u.operation == operation
	})
	return uses[i].times
}

const month = 30 * 24 * 3600

// bill returns dollars a month.
func (n network) bill() (reads, writes, storage float64) {
	return n.perSecond.reads * month / 1e6 * perMillionReads, n.perSecond.writes * month / 1e6 * perMillionWrites, n.gigabytes * perGBMonth
}

// partitions returns the number that the tables need at least.
func (n network) partitions() float64 {
	return math.Ceil(max(n.gigabytes/partitionGB, peak*n.perSecond.writes/partitionWrites, peak*n.perSecond.reads/partitionReads))
}

// processes returns the number in the busiest hour: at least two, so that one can fail, and one
// for each share of the operations and of the deliveries.
func (n network) processes() float64 {
	return max(2, math.Ceil(peak*max(n.operations*operationCPU/processCPU, n.entries/(capacity/2))))
}
