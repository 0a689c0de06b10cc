package app_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

var (
	histories = flag.Uint64("histories", 10, "number of random histories")
	seed      = flag.Uint64("seed", 0, "seed of the first random history")
)

// Whatever users do, the service answers as the model does and shows everybody the same.
func TestRandomHistories(t *testing.T) {
	const length = 100
	for i := *seed; i < *seed+*histories; i++ {
		t.Run(fmt.Sprint("seed ", i), func(t *testing.T) {
			h := history{Rand: rand.New(rand.NewPCG(i, 1)), posts: fourPosts}
			acts := h.acts(length)
			at, failure := replay(t, acts)
			if failure == "" {
				return
			}
			acts, failure = shrink(t, acts[:at], failure)
			var steps strings.Builder
			for _, a := range acts {
				fmt.Fprintf(&steps, "\n  %s %s", a.by, a)
			}
			t.Errorf("seed %d: %s\nafter%s", i, failure, &steps)
		})
	}
}

// replay does acts in an empty world and in the model. It returns how many were done
// when the two differed first, and in what; nothing if they never did.
func replay(t *testing.T, acts []act) (done int, failure string) {
	t.Helper()
	w, m := newWorld(t), newModel()
	for i, a := range acts {
		if failure := step(t, w, m, a); failure != "" {
			return i + 1, failure
		}
	}
	return len(acts), step(t, w, m, act{do: "settle"})
}

// step does one act in both worlds and returns in what their answers differ.
func step(t *testing.T, w *world, m *model, a act) string {
	t.Helper()
	switch a.do {
	case "block":
		if user := a.text("userId"); user != a.by {
			w.block(t, a.by, user)
			m.blocks[pair{a.by, user}] = true
		}
		return ""
	case "disable":
		w.disable(t, a.by)
		if u := m.users[a.by]; u != nil {
			u.status = "DISABLED"
		}
		return ""
	case "settle":
		if err := w.settle(); err != nil {
			return err.Error()
		}
		m.settle()
		return compareAll(w, m, fourPosts)
	}
	data, refusal, err := w.ask(a.by, a.document())
	if err != nil {
		return err.Error()
	}
	want, wantRefusal := m.do(a, w.now())
	m.settle() // what the act causes is there when it has answered
	if wantRefusal != "" {
		wantRefusal = "ClientError: " + wantRefusal
	}
	if refusal != wantRefusal {
		return fmt.Sprintf("refused with %q, want %q", refusal, wantRefusal)
	}
	if want == nil {
		return difference("answer", data["answer"], nil)
	}
	return difference("answer", data["answer"], plain(want))
}

// compareAll has each user look at everything, posts by their ids.
func compareAll(w *world, m *model, posts []string) string {
	for i, viewer := range everybody {
		var query strings.Builder
		query.WriteString("{")
		for j, id := range everybody {
			own := ""
			if i == j {
				own = "...Own"
			}
			fmt.Fprintf(&query, " %s: user(userId: %q) { ...U ...Lists %s }", userAlias(j), id, own)
		}
		for j, id := range posts {
			fmt.Fprintf(&query, " %s: post(postId: %q) { ...P ...Below }", postAlias(j), id)
		}
		for j, name := range usernames {
			fmt.Fprintf(&query, " %s: usernameStatus(username: %q)", nameAlias(j), name)
		}
		data, refusal, err := w.ask(viewer, document(query.String()+"}"))
		if err != nil || refusal != "" {
			return fmt.Sprintf("%s looks at everything: %s %v", viewer, refusal, err)
		}
		if d := difference("what "+viewer+" sees", data, plain(m.everything(viewer, posts))); d != "" {
			return d
		}
	}
	return ""
}

// plain is what JSON makes of a value.
func plain(s shown) (value any) {
	text, err := json.Marshal(s)
	if err == nil {
		err = json.Unmarshal(text, &value)
	}
	if err != nil {
		panic(err)
	}
	return value
}

// difference names the first place where two JSON values differ, in order of names.
func difference(path string, got, want any) string {
	if reflect.DeepEqual(got, want) {
		return ""
	}
	if g, ok := got.(map[string]any); ok {
		if w, ok := want.(map[string]any); ok {
			for _, name := range names(g, w) {
				if d := difference(path+"."+name, g[name], w[name]); d != "" {
					return d
				}
			}
		}
	}
	if g, ok := got.([]any); ok {
		if w, ok := want.([]any); ok && len(g) == len(w) {
			for i := range g {
				if d := difference(fmt.Sprintf("%s[%d]", path, i), g[i], w[i]); d != "" {
					return d
				}
			}
		}
	}
	return fmt.Sprintf("%s is %s, want %s", path, short(got), short(want))
}

func names(a, b map[string]any) []string {
	var all []string
	for _, m := range []map[string]any{a, b} {
		for name := range m {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func short(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	if len(text) > 600 {
		return string(text[:600]) + " and more"
	}
	return string(text)
}

// shrink leaves acts out as long as the rest still fails in some way.
func shrink(t *testing.T, acts []act, failure string) ([]act, string) {
	for size := len(acts) / 2; size > 0; {
		shorter := false
		for from := 0; from+size <= len(acts); {
			fewer := slices.Concat(acts[:from], acts[from+size:])
			done, still := 0, ""
			t.Run("shorter", func(t *testing.T) { done, still = replay(t, fewer) })
			if still == "" {
				from += size
				continue
			}
			acts, failure, shorter = fewer[:done], still, true
		}
		if !shorter {
			size /= 2
		}
		size = min(size, len(acts)/2)
	}
	return acts, failure
}
