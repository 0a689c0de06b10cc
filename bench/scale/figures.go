package main

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// figures returns the tables of docs/scale.md.
func figures(costs map[string]cost) (string, error) {
	var b strings.Builder
	line := func(cells ...string) { fmt.Fprintln(&b, "| "+strings.Join(cells, " | ")+" |") }
	var all []network
	for _, n := range sizes {
		net, err := networkOf(costs, n, limit)
		if err != nil {
			return "", err
		}
		all = append(all, net)
	}
	table := func(title string, header []string, row func(n network) []string) {
		fmt.Fprintf(&b, "\n### %s\n\n", title)
		line(append([]string{"accounts"}, header...)...)
		line("---" + strings.Repeat(" | ---:", len(header)))
		for _, n := range all {
			line(append([]string{count(n.accounts)}, row(n)...)...)
		}
	}
	fmt.Fprintf(&b, "Average of a month, %.0f %% of the accounts active on a day; prices of DynamoDB on demand in us-east-1 of %s: $%.3f for a million write\n"+
		"units, $%.3f for a million read units, $%.2f for a GB and month. Storage is that of the first year's end.\n", daily*100, pricesOf,
		perMillionWrites, perMillionReads, perGBMonth)
	bill := []string{"read units/s", "write units/s", "GB", "reads, $", "writes, $", "storage, $", "a month, $", "per 1,000 accounts, $"}
	table("Bill", bill, func(n network) []string {
		r, w, s := n.bill()
		return []string{count(n.perSecond.reads), count(n.perSecond.writes), count(n.gigabytes), count(r), count(w), count(s), count(r + w + s),
			fmt.Sprintf("%.0f", (r+w+s)/n.accounts*1000)}
	})
	table("Machines, in the busiest hour", []string{"operations/s", "store calls/s", "partitions", "processes", "bus: published/s", "bus: MB/s", "received/s"},
		func(n network) []string {
			return []string{count(peak * n.operations), count(peak * n.perSecond.calls), count(n.partitions()), count(n.processes()),
				count(peak * n.messages), fmt.Sprintf("%.1f", peak*n.messages*busBytes/1e6), count(peak * n.heard)}
		})
	table("Followers", []string{
		"largest account", "on average", "copies of a post", "without a limit", "posts that are not copied", "large accounts followed by a user",
	},
		func(n network) []string {
			g := n.graph
			return []string{count(g.most), count(g.mean), count(g.copied), count(g.all), fmt.Sprintf("%.2f %%", 100*g.largePosts), fmt.Sprintf("%.1f", g.largeFollowed)}
		})
	fmt.Fprintf(&b, "\n### Delivery, simulated\n\nThe load of one process in the busiest hour, with the store %s away. "+
		"Times are from a post until it is in all feeds that it is\ncopied to.\n\n", latency)
	line("accounts", "limit", "posts/s of a process", "median", "p99", "slowest", "p99 with up to 1,000 followers", "entries that waited")
	line("--- | ---:" + strings.Repeat(" | ---:", 6))
	for _, n := range all {
		for _, limit := range []float64{limit, 0} {
			perSecond := peak * n.posts / n.processes()
			s := simulate(n.graph, perSecond, limit)
			slowest := short(s.slowest)
			if s.unfinished > 0 {
				slowest = fmt.Sprintf("%d unfinished after 6 h", s.unfinished)
			}
			name := "none"
			if limit > 0 {
				name = count(limit)
			}
			line(count(n.accounts), name, fmt.Sprintf("%.2f", perSecond), short(s.half), short(s.most), slowest, short(s.small), count(s.backlog))
		}
	}
	fmt.Fprintf(&b, "\n### Limits of copying, with %s accounts\n\n", count(limitsOf))
	line("--fan-out-limit", "copies of a post", "large accounts followed by a user", "copies, $ a month",
		"reads of large accounts, $ a month", "the slowest post of an hour")
	line("---:" + strings.Repeat(" | ---:", 5))
	for _, limit := range []float64{1000, 5000, 20_000, 100_000, math.Inf(1)} {
		n, err := networkOf(costs, limitsOf, limit)
		if err != nil {
			return "", err
		}
		name := count(limit)
		if math.IsInf(limit, 1) {
			name = "none"
		}
		copying := followerCost(costs).times(n.entries * month)
		s := simulate(n.graph, peak*n.posts/n.processes(), limit)
		line(name, count(n.graph.copied), fmt.Sprintf("%.1f", n.graph.largeFollowed),
			count(copying.reads/1e6*perMillionReads+copying.writes/1e6*perMillionWrites), count(n.pageReads()*month/1e6*perMillionReads), short(s.slowest))
	}
	table("Keys that all writes of a kind share, units/s in the busiest hour", sharedNames(), func(n network) (cells []string) {
		for _, k := range shared {
			rate := peak * k.units(n)
			text := count(rate)
			if rate > partitionWrites {
				text = "**" + text + "**"
			}
			cells = append(cells, text)
		}
		return cells
	})
	return b.String(), nil
}

// shared are keys that all writes of a kind share, with the units that are written to each in a
// second. A move within an index is two.
var shared = []struct {
	name  string
	units func(n network) float64
}{
	{"`post/trending` and `user/trending`, GSI-A4", func(n network) float64 { return 2 * n.does("first view of a post", "second view of a post") }},
	{"`card`, GSI-K1", func(n network) float64 { return 2 * n.does("like", "comment", "follow of a user with 30 posts") }},
	{"one of 64 `outbox/{shard}`, ops", func(n network) float64 {
		return 3 * n.does("text post, no followers", "comment", "like", "dislike", "message to one", "follow of a user with 30 posts", "unfollow",
			"first view of a post", "views of a chat") / 64
	}},
	{"`upload`, ops", func(n network) float64 { return 3 * n.posts * pictures }},
	{"`post/{date}`, GSI-K1", func(n network) float64 { return 2 * n.posts * stories }},
	{"`processes`, ops", func(n network) float64 { return n.processes() / 2 / peak * 2 }},
}

// limitsOf is the number of accounts for comparing limits.
const limitsOf = 1e8

// Shares of posts that have an image, and that expire.
const (
	pictures = 0.6
	stories  = 0.3
)

func sharedNames() (names []string) {
	for _, k := range shared {
		names = append(names, k.name)
	}
	return names
}

// does returns how often operations happen in a second.
func (n network) does(operations ...string) (sum float64) {
	for _, name := range operations {
		sum += n.accounts * daily / (24 * 3600) * timesOf(name)
	}
	return sum
}

// count writes a number for people: three digits and a unit.
func count(n float64) string {
	units := []string{"", " thousand", " million", " billion"}
	i := 0
	for n >= 9999.5 && i < len(units)-1 || i > 0 && n >= 999.5 && i < len(units)-1 {
		n /= 1000
		i++
	}
	switch {
	case n >= 100 || n == math.Trunc(n):
		return fmt.Sprintf("%.0f", n) + units[i]
	case n >= 10:
		return fmt.Sprintf("%.1f", n) + units[i]
	default:
		return fmt.Sprintf("%.2f", n) + units[i]
	}
}

func short(d time.Duration) string {
	switch {
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < time.Minute:
		return d.Round(100 * time.Millisecond).String()
	default:
		return d.Round(time.Second).String()
	}
}
