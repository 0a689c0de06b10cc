package history_test

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

// trends holds the scores of posts and users, by "post/" or "user/" and id.
type trends map[string]*trend

type trend struct {
	score float64
	// since is the time of the last deflation.
	since time.Time
}

var _ = add(area{
	content: true,
	fragments: []fragment{
		{"Trending", "Query", `trendingPosts(limit: 9) { items { postId } } trendingUsers(limit: 9) { items { userId } }`, func(m *model, viewer, _ string) shown {
			posts, users := []shown{}, []shown{}
			for _, id := range m.trending("post/") {
				if m.shows(viewer, id) {
					posts = append(posts, shown{"postId": id})
				}
			}
			for _, id := range m.trending("user/") {
				if !m.blocks[pair{id, viewer}] {
					users = append(users, shown{"userId": "{" + id + "}"})
				}
			}
			return shown{"trendingPosts": shown{"items": posts}, "trendingUsers": shown{"items": users}}
		}},
	},
	passed: func(m *model, at time.Time) {
		for _, t := range m.trends {
			if days := at.Truncate(day).Sub(t.since.Truncate(day)) / day; days >= 1 {
				t.score, t.since = max(t.score/math.Exp2(float64(days)), leastScore), at
			}
		}
	},
	jobs:    []string{"social.deflate-trends"},
	removed: func(m *model, id string) { delete(m.trends, "user/"+id) },
	rows: map[string]func(*model, row){
		"post trending": (*model).putTrend,
		"user trending": (*model).putTrend,
	},
	stored: func(m *model, rows []row) string {
		left := maps.Clone(m.trends)
		for _, r := range rows {
			if r.text("sortKey") != "trending" {
				continue
			}
			id := r.trending()
			t := left[id]
			if t == nil || math.Abs(t.score-r.score()) > 1e-6 || !t.since.Equal(r.time("lastDeflatedAt")) {
				return fmt.Sprintf("%s trends with %v since %s, want %+v", id, r.score(), r.text("lastDeflatedAt"), t)
			}
			delete(left, id)
		}
		for id, t := range left {
			return fmt.Sprintf("%s does not trend, want %+v", id, t)
		}
		return ""
	},
})

const (
	day = 24 * time.Hour
	// leastScore is the minimum that repeated halving leaves of a score.
	leastScore = 1e-9
)

func (m *model) putTrend(r row) { m.trends[r.trending()] = &trend{r.score(), r.time("lastDeflatedAt")} }

// trending returns the item of a trend row.
func (r row) trending() string {
	kind, id, _ := strings.Cut(r.text("partitionKey"), "/")
	return kind + "/" + bare(id)
}

func (r row) score() float64 {
	score, _ := r["gsiA4SortKey"].(float64)
	return score
}

// earn adds points to a post that is completed or viewed, and for a view to its owner.
func (m *model) earn(p *post, focus bool, at time.Time) {
	owner := m.users[p.owner]
	if points := m.weight(p, at); points > 0 {
		if focus {
			points *= 2
		}
		m.trend("post/"+p.id, points, at)
		m.trend("user/"+owner.id, points, at)
	}
}

// weight returns the factor of points for a post, 0 if it cannot trend.
func (m *model) weight(p *post, at time.Time) float64 {
	owner := m.users[p.owner]
	if p.image.original != "" || owner.username == leader || at.Sub(p.at) > day {
		return 0
	}
	weight := 1.0
	if v := p.verified(); v != nil && !*v {
		weight /= 2
	}
	if owner.diamond {
		weight *= 4
	}
	return weight
}

func (m *model) trend(id string, weight float64, at time.Time) {
	t := m.trends[id]
	if t == nil {
		t = &trend{since: at}
		m.trends[id] = t
	}
	t.score += weight * math.Exp2(at.Sub(t.since.Truncate(day)).Hours()/24)
}

// trending returns the ids of trending items, highest score first.
func (m *model) trending(kind string) []string {
	var ids []string
	for id := range m.trends {
		if id, ok := strings.CutPrefix(id, kind); ok {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b string) int {
		return cmp.Or(cmp.Compare(math.Round(m.trends[kind+b].score*1e9), math.Round(m.trends[kind+a].score*1e9)), cmp.Compare(b, a))
	})
	return ids
}
