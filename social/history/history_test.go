package history_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/app"
	"stoa/internal/apptest"
	"stoa/internal/host"
	"stoa/social/socialtest"
	"stoa/store"
)

var (
	histories = flag.Uint64("histories", 10, "number of random histories of each kind")
	seed      = flag.Uint64("seed", 0, "seed of the first random history")
)

// history returns random acts for the system and the model: of all kinds, or about posts
// only.
func history(content bool, faults int) apptest.History {
	return apptest.History{
		System: managed, Options: append(socialtest.Options(), appoint), New: func() apptest.Player { return &player{newModel(), postIDs} },
		Begin: slices.Concat(profiles(), firstPosts()), Kinds: kinds(content), Length: 100, Faults: faults,
	}
}

// leader is the username of whom everybody follows, and moderator the user who moderates.
const leader, moderator = "real", "u2"

var managed = socialtest.With(func(o *app.Options) { o.FollowedByAll = leader })

// appoint makes the moderator one, by the id of the second user of a world.
func appoint(_ *apptest.World, c *host.Config) {
	c.Moderators = []string{"us-east-1:00000000-0000-4000-8000-000000000002"}
}

// After random acts of users, the service responds like the model and shows every user the
// same.
func TestRandomHistories(t *testing.T) {
	history(false, 0).Run(t, *seed, *seed+*histories)
}

// The same with occasional failures of the store, after which requests are repeated.
func TestRandomHistoriesWithFaults(t *testing.T) {
	history(false, 15).Run(t, *seed+1000, *seed+1000+*histories)
}

// Posts have the most states. Histories about posts only reach states that are rare in the
// general ones.
func TestHistoriesOfPosts(t *testing.T) {
	history(true, 0).Run(t, *seed, *seed+*histories)
}

func TestHistoriesOfPostsWithFaults(t *testing.T) {
	history(true, 15).Run(t, *seed+1000, *seed+1000+*histories)
}

// player performs acts in a world and in the model.
type player struct {
	model *model
	// posts holds the posts to query.
	posts []string
}

func (p *player) Step(w *apptest.World, a act) string {
	for _, name := range everybody {
		w.ID(name)
	}
	p.model.now = w.Now()
	if a.Do == "amid" {
		return p.amid(w, a)
	}
	for _, area := range areas {
		if do, ok := area.does[a.Do]; ok {
			do(w, p.model, a)
			if a.Do == "look" {
				return p.End(w)
			}
			return ""
		}
	}
	mutation, _ := mutationNamed(a.Do)
	answer, certain := w.Act(a, mutation.request(a))
	want, wantRefusal := p.model.do(a, w.Now())
	p.model.settle()
	if !certain {
		return ""
	}
	refusal := ""
	if len(answer.Errors) > 0 {
		refusal = named(w, answer.Errors[0].Message)
	}
	if wantRefusal != "" && !strings.HasPrefix(wantRefusal, "ServerError: ") {
		wantRefusal = "ClientError: " + wantRefusal
	}
	if refusal != wantRefusal {
		return fmt.Sprintf("refused with %q, want %q", refusal, wantRefusal)
	}
	if refusal != "" {
		return ""
	}
	wanted := any(true)
	if mutation.asks != "" {
		wanted = plain(want)
	}
	return apptest.Difference("answer", parsed(named(w, string(answer.Data))).(map[string]any)["answer"], wanted)
}

// End compares everything that each user can see.
func (p *player) End(w *apptest.World) string {
	for _, name := range everybody {
		w.ID(name)
	}
	for _, viewer := range everybody {
		p.model.now = w.Now().Add(time.Second) // that of the request
		users, want := p.model.everyone(viewer)
		posts, shown := p.model.everyPost(viewer, p.posts)
		maps.Copy(want, shown)
		maps.Copy(want, p.model.show("Trending", viewer, ""))
		answer := w.Ask(viewer, document("{ ...Trending "+strings.Join(append(users, posts...), " ")+" }"))
		if len(answer.Errors) > 0 {
			return fmt.Sprintf("%s looks at everything: %v", viewer, answer.Errors)
		}
		if d := apptest.Difference("what "+viewer+" sees", parsed(named(w, string(answer.Data))), plain(want)); d != "" {
			return d
		}
	}
	rows := rowsOf(w, store.Main.Name)
	for _, area := range areas {
		if area.stored == nil {
			continue
		}
		if d := area.stored(p.model, rows); d != "" {
			return d
		}
	}
	return p.model.left(w)
}

// who returns the user that an act is about.
func who(a act) string { return bare(a.Text("userId")) }

// bare returns a name without braces.
func bare(name string) string { return strings.Trim(name, "{}") }

// right matches the query parameters of a signed URL.
var right = regexp.MustCompile(`\?Method=[^"]*`)

// named replaces ids by names, and removes signatures of URLs.
func named(w *apptest.World, text string) string {
	return right.ReplaceAllString(w.People.Name(text), "")
}

// plain returns a value as decoded from JSON.
func plain(s shown) any {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return parsed(string(text))
}

func parsed(text string) (value any) {
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		panic(err)
	}
	return value
}
