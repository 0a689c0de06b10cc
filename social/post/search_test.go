package post_test

import (
	"fmt"
	"strings"
	"testing"

	. "stoa/social/socialtest"
)

// findsPosts returns a scenario in which a search finds posts in the given order, on a
// single page.
func findsPosts(keywords string, ids ...string) Scenario {
	return Scenario{
		Name: keywords, As: "ana", Query: fmt.Sprintf(`{ findPosts(keywords: %q) { items { postId } nextToken } }`, keywords),
		Want: `{"findPosts": {"items": [` + items(ids) + `], "nextToken": "0"}}`,
	}
}

func items(ids []string) string {
	all := make([]string, len(ids))
	for i, id := range ids {
		all[i] = fmt.Sprintf(`{"postId": %q}`, id)
	}
	return strings.Join(all, ", ")
}

// suggests returns a scenario in which a search finds keywords, in any order.
func suggests(text string, keywords ...string) Scenario {
	return Scenario{Name: text, As: "ana", Query: fmt.Sprintf(`{ searchKeywords(keyword: %q) }`, text), Want: `{"searchKeywords": [` + quoted(keywords) + `]}`}
}

func quoted(words []string) string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = fmt.Sprintf("%q", w)
	}
	return strings.Join(all, ", ")
}

// equal gives posts the same trending score, so that only relevance determines their order.
func equal(posts ...string) (g Given) {
	for _, id := range posts {
		g = g.Trending(id, 1)
	}
	return g
}

// posts 24.29 and Q10: the last page returns the token that it was requested with
func TestFindPosts(t *testing.T) {
	given := Users("ana", "ben", "pia!private").Post("ana", "a", `keywords: ["shirt"]`).Post("ben", "b", `keywords: ["Mine", "blue shirt"]`).
		Post("ben", "c", `keywords: []`).Post("ben", "d").Post("pia", "p", `keywords: ["shirt"]`).And(equal("a", "b", "c", "d", "p")...)
	var scenarios []Scenario
	for name, s := range map[string]Scenario{
		"a word":                          findsPosts("shirt", "a", "b"),
		"case does not count":             findsPosts(" SHIRT ", "a", "b"),
		"the last word may be a prefix":   findsPosts("shirt min", "b", "a"),
		"an earlier one may not":          findsPosts("min blu", "b"),
		"a prefix alone":                  findsPosts("bl", "b"),
		"infixes do not match":            findsPosts("hirt"),
		"nothing to search for in a word": findsPosts("?!"),
	} {
		s.Name, s.Given = name, given
		scenarios = append(scenarios, s)
	}
	find := func(arguments string) string {
		return `{ findPosts(keywords: "shirt", ` + arguments + `) { items { postId } nextToken } }`
	}
	three := Users("ana").Post("ana", "a", `keywords: ["shirt"]`).Post("ana", "b", `keywords: ["shirt"]`).Post("ana", "c", `keywords: ["shirt"]`).And(equal("a", "b", "c")...)
	scenarios = append(
		scenarios,
		Scenario{
			Name:  "blank",
			Given: given,
			As:    "ana",
			Query: `{ findPosts(keywords: " \t\n") { nextToken } }`,
			Error: "ClientError: Empty keywords are not allowed",
			Want:  `null`,
		},
		Scenario{
			Name:  "for active users alone",
			Given: given.Status("ana", "ANONYMOUS"),
			As:    "ana",
			Query: `{ findPosts(keywords: "shirt") { nextToken } }`,
			Error: "ClientError: User `{ana}` is not ACTIVE",
		},
		Scenario{Name: "a page", Given: three, As: "ana", Query: find(`limit: 2`), Want: `{"findPosts": {"items": [{"postId": "a"}, {"postId": "b"}], "nextToken": "2"}}`},
		Scenario{Name: "the last page", Given: three, As: "ana", Query: find(`limit: 2, nextToken: "2"`), Want: `{"findPosts": {"items": [{"postId": "c"}], "nextToken": "2"}}`},
		Scenario{
			Name:  "any limit",
			Given: three,
			As:    "ana",
			Query: `{ a: findPosts(keywords: "shirt", limit: 0) { items { postId } } b: findPosts(keywords: "shirt", limit: -7) { items { postId } } ` +
				`c: findPosts(keywords: "shirt", limit: 1000) { items { postId } } }`,
			Want: `{"a": {"items": [{"postId": "a"}, {"postId": "b"}, {"postId": "c"}]}, "b": {"items": [{"postId": "a"}, {"postId": "b"}, {"postId": "c"}]}, ` +
				`"c": {"items": [{"postId": "a"}, {"postId": "b"}, {"postId": "c"}]}}`,
		},
		Scenario{
			Name:  "a token that is no offset",
			Given: three,
			As:    "ana",
			Query: find(`nextToken: "x"`),
			Error: "ClientError: nextToken is not from this list: leave it out to start from the first page",
		},
		Scenario{Name: "what is trending comes first on its page", Given: three.Trending("b", 2).Trending("c", 3), As: "ana", Query: find(`limit: 2`),
			Want: `{"findPosts": {"items": [{"postId": "b"}, {"postId": "a"}], "nextToken": "2"}}`},
		Scenario{Name: "a follower sees more", Given: given.Follow("ana", "pia").Accept("pia", "ana"), Then: []Scenario{findsPosts("shirt", "a", "p", "b")}},
		Scenario{Name: "posts that were taken back are found by their owners", Given: three.Archive("ana", "b"), Then: []Scenario{findsPosts("shirt", "a", "c", "b")}},
		Scenario{
			Name:  "and by nobody else",
			Given: three.Archive("ana", "b").Users("ben"),
			As:    "ben",
			Query: find(`limit: 9`),
			Want:  `{"findPosts": {"items": [{"postId": "a"}, {"postId": "c"}], "nextToken": "0"}}`,
		},
	)
	Run(t, scenarios)
}

// Searches reflect a mutation as soon as it has been answered.
func TestSearchOfPostsIsCurrent(t *testing.T) {
	given := Users("ana").Post("ana", "a", `keywords: ["red", "green tea"]`).Post("ana", "b", `keywords: ["red"]`).And(equal("a", "b")...)
	Run(t, []Scenario{
		{Name: "a new post", Given: given, As: "ana", Query: `mutation { addPost(postId: "n", postType: TEXT_ONLY, text: "t", keywords: ["red", "new"]) { postId } }`,
			Then: []Scenario{findsPosts("new", "n"), suggests("new", "new"), suggests("re", "red")}},
		{Name: "an edit", Given: given, As: "ana", Query: `mutation { editPost(postId: "a", keywords: ["blue"]) { postId } }`,
			Then: []Scenario{findsPosts("blue", "a"), findsPosts("tea"), findsPosts("red", "b"), suggests("green"), suggests("red", "red"), suggests("b", "blue")}},
		{
			Name:  "no keywords any more",
			Given: given,
			As:    "ana",
			Query: `mutation { editPost(postId: "a", keywords: []) { postId keywords } }`,
			Want:  `{"editPost": {"postId": "a", "keywords": []}}`,
			Then:  []Scenario{findsPosts("tea"), findsPosts("red", "b"), suggests("green")},
		},
		{Name: "posts Q13 keywords for a post without",
			Given: given.Post("ana", "c").And(equal("c")...), As: "ana", Query: `mutation { editPost(postId: "c", keywords: ["red", "rare"]) { postId } }`,
			Then: []Scenario{findsPosts("red", "b", "c", "a"), suggests("rar", "rare")}},
		{Name: "other edits leave them", Given: given, As: "ana", Query: `mutation { editPost(postId: "a", text: "other") { postId } }`, Then: []Scenario{findsPosts("tea", "a")}},
		{Name: "a deletion", Given: given, As: "ana", Query: `mutation { deletePost(postId: "a") { postId } }`,
			Then: []Scenario{findsPosts("red", "b"), findsPosts("tea"), suggests("gre"), suggests("red", "red")}},
		{
			Name:      "other keywords come first",
			Given:     given,
			Meanwhile: Given{}.EditPost("ana", "a", `keywords: ["pink"]`),
			As:        "ana",
			Query:     `mutation { editPost(postId: "a", keywords: ["blue"]) { postId } }`,
			Then:      []Scenario{findsPosts("pink"), findsPosts("blue", "a"), findsPosts("tea")},
		},
		{
			Name:      "other keywords come before the deletion",
			Given:     given,
			Meanwhile: Given{}.EditPost("ana", "a", `keywords: ["pink"]`),
			As:        "ana",
			Query:     `mutation { deletePost(postId: "a") { postId } }`,
			Then:      []Scenario{suggests("pink"), findsPosts("tea")},
		},
		{
			Name:      "the first keywords come before the deletion",
			Given:     given.Post("ana", "c"),
			Meanwhile: Given{}.EditPost("ana", "c", `keywords: ["pink"]`),
			As:        "ana",
			Query:     `mutation { deletePost(postId: "c") { postId } }`,
			Then:      []Scenario{suggests("pink")},
		},
	})
}

// posts Q11 and 24.29: posts that share keywords, and none of a post that does not exist.
func TestSimilarPosts(t *testing.T) {
	given := Users(
		"ana",
		"ben",
	).Post("ana", "a", `keywords: ["red", "green"]`).
		Post("ben", "b", `keywords: ["red"]`).
		Post("ben", "c", `keywords: ["greenish"]`).
		Post("ben", "d", `keywords: ["pink"]`).
		Post("ben", "e").
		Post("ben", "f", `keywords: []`).
		And(equal("a", "b", "c", "d", "e", "f")...)
	similar := func(id string) string {
		return `{ similarPosts(postId: "` + id + `") { items { postId } nextToken } }`
	}
	Run(t, []Scenario{
		{
			Name:  "the post itself comes first",
			Given: given,
			As:    "ben",
			Query: similar("a"),
			Want:  `{"similarPosts": {"items": [{"postId": "a"}, {"postId": "b"}, {"postId": "c"}], "nextToken": "0"}}`,
		},
		{Name: "no keywords were ever given", Given: given, As: "ana", Query: similar("e"), Error: "ClientError: Empty keywords are not allowed"},
		{Name: "no keywords", Given: given, As: "ana", Query: similar("f"), Error: "ClientError: Empty keywords are not allowed"},
		{Name: "posts Q11 no post", Given: given, As: "ana", Query: similar("x"), Error: "ClientError: Post `x` does not exist"},
		{
			Name:  "a post that the viewer may not see",
			Given: given.Details("ben", `privacyStatus: PRIVATE`),
			As:    "ana",
			Query: similar("b"),
			Error: "ClientError: Post `b` does not exist",
		},
		{Name: "for active users alone", Given: given.Status("ana", "DISABLED"), As: "ana", Query: similar("b"), Error: "ClientError: User `{ana}` is not ACTIVE"},
	})
}

// posts Q12 and 24.29: up to twenty different keywords
func TestSearchKeywords(t *testing.T) {
	given := Users(
		"ana",
		"pia!private",
	).Post("ana", "a", `keywords: ["Red", "green tea", "tea"]`).
		Post("ana", "b", `keywords: ["Red", "RED"]`).
		Post("pia", "p", `keywords: ["secret tea"]`).
		Archive("ana", "b")
	var scenarios []Scenario
	for name, s := range map[string]Scenario{
		"different keywords, of hidden posts too": suggests("tea", "green tea", "secret tea", "tea"),
		"by the beginning of a word":              suggests("g", "green tea"),
		"case does not count":                     suggests("rED", "RED", "Red"),
		"any of several words":                    suggests("nothing tea", "green tea", "secret tea", "tea"),
		"no match":                                suggests("ea"),
		"no text":                                 suggests(" "),
	} {
		s.Name, s.Given = name, given
		scenarios = append(scenarios, s)
	}
	Run(t, scenarios)
	Test(t, Users("ana"), func(w *World) {
		for i := range 25 {
			w.Do(Given{}.Post("ana", fmt.Sprint("p", i), fmt.Sprintf(`keywords: ["many%02d", "many"]`, i))...)
		}
		if got := string(w.Must("ana", `{ searchKeywords(keyword: "many") }`).Data); strings.Count(got, "many") != 20 {
			w.T.Errorf("suggested %s, want 20 different keywords", got)
		}
	})
}
