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

	"stoa/internal/apptest"
	"stoa/social/socialtest"
	"stoa/store"
)

var (
	histories = flag.Uint64("histories", 10, "number of random histories of each kind")
	seed      = flag.Uint64("seed", 0, "seed of the first random history")
)

// history are acts that a system does as the model does: of all kinds, or about posts alone.
func history(content bool, faults int) apptest.History {
	return apptest.History{
		System: socialtest.System, Options: socialtest.Options(), New: func() apptest.Player { return &player{newModel(), postIDs} },
		Begin: slices.Concat(profiles(), firstPosts()), Kinds: kinds(content), Length: 100, Faults: faults,
	}
}

// Whatever users do, the service answers as the model does and shows everybody the same.
func TestRandomHistories(t *testing.T) {
	history(false, 0).Run(t, *seed, *seed+*histories)
}

// So it does while the store fails now and then, and requests that fail are made again.
func TestRandomHistoriesWithFaults(t *testing.T) {
	history(false, 15).Run(t, *seed+1000, *seed+1000+*histories)
}

// Posts are the most of it. Histories about nothing else lead them to places where they
// seldom get among all the rest.
func TestHistoriesOfPosts(t *testing.T) {
	history(true, 0).Run(t, *seed, *seed+*histories)
}

func TestHistoriesOfPostsWithFaults(t *testing.T) {
	history(true, 15).Run(t, *seed+1000, *seed+1000+*histories)
}

// player does acts in a world and in the model.
type player struct {
	model *model
	// posts are those that are looked at.
	posts []string
}

func (p *player) Step(w *apptest.World, a act) string {
	for _, name := range everybody {
		w.ID(name)
	}
	p.model.now = w.Now()
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

// End has each user look at everything.
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

// who is the user that an act is about.
func who(a act) string { return bare(a.Text("userId")) }

// bare is a name that came without its braces.
func bare(name string) string { return strings.Trim(name, "{}") }

// right is what comes after the ? of an address.
var right = regexp.MustCompile(`\?Method=[^"]*`)

// named puts names in the places of ids, and leaves out the rights in addresses.
func named(w *apptest.World, text string) string {
	return right.ReplaceAllString(w.People.Name(text), "")
}

// plain is what JSON makes of a value.
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
