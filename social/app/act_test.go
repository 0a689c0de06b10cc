package app_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// act is one thing that somebody does: a mutation, or one of block, disable and settle,
// which no client can ask for.
type act struct {
	by, do string
	args   []arg
}

type arg struct {
	name  string
	value any // string, bool, []string, or enum
}

// enum is a string that is written without quotes.
type enum string

func (a act) has(name string) bool {
	return slices.ContainsFunc(a.args, func(g arg) bool { return g.name == name })
}

func (a act) value(name string) any {
	for _, g := range a.args {
		if g.name == name {
			return g.value
		}
	}
	return nil
}

func (a act) text(name string) string {
	switch v := a.value(name).(type) {
	case enum:
		return string(v)
	case string:
		return v
	default:
		return ""
	}
}

// words are the words given, each once; nil when none were.
func (a act) words(name string) []string {
	words, given := a.value(name).([]string)
	if !given {
		return nil
	}
	distinct := []string{}
	for _, w := range words {
		if !slices.Contains(distinct, w) {
			distinct = append(distinct, w)
		}
	}
	return distinct
}

// choices puts the switches among names that are given into chosen.
func (a act) choices(chosen map[string]bool, names []string) {
	for _, name := range names {
		if on, ok := a.value(name).(bool); ok {
			chosen[name] = on
		}
	}
}

// String is the act as a mutation without what it asks for.
func (a act) String() string {
	var args []string
	for _, g := range a.args {
		literal := fmt.Sprint(g.value)
		if _, isEnum := g.value.(enum); !isEnum {
			quoted, err := json.Marshal(g.value)
			if err != nil {
				panic(err)
			}
			literal = string(quoted)
		}
		args = append(args, g.name+": "+literal)
	}
	if len(args) == 0 {
		return a.do
	}
	return a.do + "(" + strings.Join(args, ", ") + ")"
}

// document asks for all that the answer holds. What is below a deleted post goes late.
func (a act) document() string {
	fragments := "...U"
	switch {
	case a.do == "deletePost":
		fragments = "...P"
	case strings.HasSuffix(a.do, "Post"):
		fragments = "...P ...Below"
	case strings.HasSuffix(a.do, "Comment"):
		fragments = "...C"
	}
	return document("mutation { answer: " + a.String() + " { " + fragments + " } }")
}

// Who and what a history is about. All is few, so that acts meet.
var (
	everybody  = []string{identity(1), identity(2), identity(3), identity(4), identity(5)}
	fourPosts  = []string{"p1", "p2", "p3", "p4"}
	commentIDs = []string{"c1", "c2", "c3", "c4", "c5", "c6"}
	usernames  = []string{"ana", "Ana", "ben", "cem", "dee", "real", "Real", "x", "", "b-b"}
	texts      = []string{"", "hello", "@ana and @ben, @ben", "@real.", "@Ana @nobody @cem"}
)

func identity(i int) string { return fmt.Sprintf("us-east-1:00000000-0000-4000-8000-%012d", i) }

func userAlias(i int) string { return fmt.Sprint("user", i) }
func postAlias(i int) string { return fmt.Sprint("post", i) }
func nameAlias(i int) string { return fmt.Sprint("name", i) }

// history makes acts up.
type history struct {
	*rand.Rand
	// posts are those that acts are about.
	posts []string
	// past are the acts made up so far, whatever came of them.
	past []act
}

func (h history) one(of []string) string { return of[h.IntN(len(of))] }

// profiles are what others can act on: all but one user.
func profiles() []act {
	var acts []act
	for i, name := range []string{"ana", "ben", "cem", "dee"} {
		acts = append(acts, act{everybody[i], "createCognitoOnlyUser", []arg{{"username", name}}})
	}
	return acts
}

// acts begins with profiles and some posts, so that something can happen.
func (h *history) acts(n int) []act {
	acts := profiles()
	for i, id := range h.posts[:3] {
		acts = append(acts, act{everybody[i], "addPost", []arg{{"postId", id}, {"postType", enum("TEXT_ONLY")}, {"text", "hello"}}})
	}
	h.past = slices.Clone(acts)
	for len(acts) < n {
		acts = append(acts, h.act())
	}
	return acts
}

func (h *history) act() act {
	a := h.next()
	h.past = append(h.past, a)
	return a
}

// earlier is a past act of one of some kinds, and most of the time there is one. Who
// answers, takes back or removes something does it where there was something.
func (h *history) earlier(kinds ...string) (a act, found bool) {
	var past []act
	for _, a := range h.past {
		if slices.Contains(kinds, a.do) {
			past = append(past, a)
		}
	}
	if len(past) == 0 || h.IntN(5) == 0 {
		return act{}, false
	}
	return past[h.IntN(len(past))], true
}

func (h *history) next() act {
	by := h.one(everybody)
	user := arg{"userId", h.one(everybody)}
	post := arg{"postId", h.one(h.posts)}
	comment := arg{"commentId", h.one(commentIDs)}
	switch n := h.IntN(100); {
	case n < 3:
		return act{by, "createCognitoOnlyUser", h.some(1, arg{"username", h.one(usernames)}, arg{"fullName", h.one(texts)})}
	case n < 15:
		return act{by, "setUserDetails", h.some(0, arg{"username", h.one(usernames)}, arg{"bio", h.one(texts)}, arg{"displayName", h.one(texts)},
			arg{"themeCode", h.one(texts)}, arg{"privacyStatus", enum(h.one([]string{"PUBLIC", "PRIVATE"}))}, h.choice("followCountsHidden"),
			h.choice("likesDisabled"), h.choice("commentsDisabled"), h.choice("verificationHidden"), arg{"languageCode", h.one(texts)})}
	case n < 20:
		return act{by, "setUserDetails", []arg{{"privacyStatus", enum(h.one([]string{"PUBLIC", "PRIVATE"}))}}}
	case n < 32:
		return act{by, "followUser", []arg{user}}
	case n < 36:
		if a, ok := h.earlier("followUser"); ok {
			by, user.value = a.by, a.text("userId")
		}
		return act{by, "unfollowUser", []arg{user}}
	case n < 46:
		if a, ok := h.earlier("followUser"); ok {
			by, user.value = a.text("userId"), a.by
		}
		return act{by, h.one([]string{"acceptFollowerUser", "denyFollowerUser"}), []arg{user}}
	case n < 57:
		return act{by, "addPost", append([]arg{post, {"postType", enum("TEXT_ONLY")}, {"text", h.one(texts)}},
			h.some(0, arg{"keywords", []string{"a", "b", "a"}}, h.choice("commentsDisabled"), h.choice("likesDisabled"), h.choice("sharingDisabled"))...)}
	case n < 61:
		if a, ok := h.earlier("addPost"); ok {
			by, post.value = a.by, a.text("postId")
		}
		return act{by, "editPost", append([]arg{post}, h.some(0, arg{"text", h.one(texts)}, arg{"keywords", []string{}},
			h.choice("commentsDisabled"), h.choice("likesDisabled"), h.choice("verificationHidden"))...)}
	case n < 63:
		if a, ok := h.earlier("addPost"); ok {
			by, post.value = a.by, a.text("postId")
		}
		return act{by, "deletePost", []arg{post}}
	case n < 71:
		return act{by, "onymouslyLikePost", []arg{post}}
	case n < 75:
		return act{by, "anonymouslyLikePost", []arg{post}}
	case n < 78:
		if a, ok := h.earlier("onymouslyLikePost", "anonymouslyLikePost"); ok {
			by, post.value = a.by, a.text("postId")
		}
		return act{by, "dislikePost", []arg{post}}
	case n < 87:
		return act{by, "addComment", []arg{comment, post, {"text", h.one(texts)}}}
	case n < 91:
		if a, ok := h.earlier("addComment"); ok {
			by, comment.value = a.by, a.text("commentId")
		}
		return act{by, "deleteComment", []arg{comment}}
	case n < 92:
		return act{by, "block", []arg{user}}
	case n == 92 && h.IntN(3) == 0:
		return act{by, "disable", nil}
	default:
		return act{"", "settle", nil}
	}
}

// some keeps the first of args, and about a quarter of the others.
func (h history) some(first int, args ...arg) []arg {
	kept := slices.Clone(args[:first])
	for _, g := range args[first:] {
		if h.IntN(4) == 0 {
			kept = append(kept, g)
		}
	}
	return kept
}

func (h history) choice(name string) arg { return arg{name, h.IntN(2) == 0} }
