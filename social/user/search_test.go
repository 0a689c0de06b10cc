package user_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/guregu/dynamo/v2"

	"stoa/internal/apptest"
	"stoa/internal/kit/faultdb"
	"stoa/social"
	. "stoa/social/socialtest"
	"stoa/store"
)

// finds returns a scenario in which a search finds users, in this order.
func finds(text string, usernames ...string) Scenario {
	items := make([]string, len(usernames))
	for i, name := range usernames {
		items[i] = fmt.Sprintf(`{"username": %q}`, name)
	}
	return Scenario{
		Name: text, As: "ana", Query: `query($text: String!) { searchUsers(searchToken: $text) { items { username } nextToken } }`,
		Variables: map[string]any{"text": text}, Want: `{"searchUsers": {"items": [` + strings.Join(items, ", ") + `], "nextToken": null}}`,
	}
}

func TestSearchUsers(t *testing.T) {
	given := Users("ana", "ben_2", "joe.smith", "Maria", "mariana", "zoe").
		Details("ana", `fullName: "Jürgen Anders"`).Details("ben_2", `fullName: "Benjamin van der Berg"`).
		Details("zoe", `fullName: "Maria Zoe Bergmann"`)
	var scenarios []Scenario
	for name, s := range map[string]Scenario{
		"users S2 case does not count":                    finds("mARIA", "Maria", "zoe", "mariana"),
		"users S2 full names are searched":                finds("benjamin", "ben_2"),
		"users S2 an underscore splits no word":           finds("2"),
		"users S2 a name with an underscore is one word":  finds("ben_2", "ben_2"),
		"users S2 an inner dot splits no word":            finds("smith"),
		"users S2 beginning with the part before a dot":   finds("joe", "joe.smith"),
		"users S2 letters beyond ASCII":                   finds("JÜRGEN", "ana"),
		"users S3 any word of the query":                  finds("nobody benjamin else", "ben_2"),
		"users S3 the last word may be a beginning":       finds("nobody benj", "ben_2"),
		"users S3 an earlier word may not":                finds("benj nobody"),
		"users S3 infixes do not match":                   finds("njamin"),
		"users S3 first and last name without the middle": finds("maria bergmann", "zoe", "Maria"),
		"users S4 a username counts twice a full name":    finds("maria", "Maria", "zoe", "mariana"),
		"users S4 whoever has both words comes first":     finds("maria zoe", "zoe", "Maria"),
		"users S1 blanks around the text do not count":    finds(" \t\n ana \n", "ana"),
		"users S5 special characters find nothing":        finds(`+ * / \ " ? - . '`),
		"users S5 a star is no wildcard":                  finds(`mari*zzz`),
		"users S5 an underscore alone":                    finds("_"),
		"users S5 a question mark stands for no letter":   finds("mari?q"),
	} {
		s.Name, s.Given = name, given
		scenarios = append(scenarios, s)
	}
	scenarios = append(scenarios,
		Scenario{Name: "users S1 an empty text", Given: given, As: "ana", Query: `{ searchUsers(searchToken: " \t\n") { nextToken } }`,
			Want: `null`, Error: "ClientError: Empty queries are not allowed"},
		Scenario{Name: "users S1 no text", Given: given, As: "ana", Query: `{ searchUsers(searchToken: null) { nextToken } }`, Code: "GRAPHQL_VALIDATION_FAILED"},
		Scenario{Name: "users S4 the exact name before names that begin so",
			Given: Users("ana", "name123", "name").Details("name123", `fullName: "name surname"`).Details("name", `fullName: "unrelated"`),
			Then:  []Scenario{finds("name", "name", "name123")}},
		Scenario{Name: "users S6 users of any kind are found, and the caller", Given: Users("ana", "anabel!private", "anatol").Status("anatol", social.UserDisabled),
			Then: []Scenario{finds("ana", "ana", "anabel", "anatol")}},
		Scenario{Name: "users S6 who blocks the caller is not found", Given: Users("ana", "anabel", "anatol").Block("anabel", "ana").Block("ana", "anatol"),
			Then: []Scenario{finds("ana", "ana", "anatol")}},
		Scenario{Name: "users S6 anybody may search", Given: given.Identity("new"), As: "new", Query: `{ searchUsers(searchToken: "zoe") { items { username followedStatus } } }`,
			Want: `{"searchUsers": {"items": [{"username": "zoe", "followedStatus": "NOT_FOLLOWING"}]}}`},
	)
	Run(t, scenarios)
}

// users S7 and T10: which limits a search takes.
func TestSearchUsersLimits(t *testing.T) {
	names := make([]string, 25)
	for i := range names {
		names[i] = fmt.Sprintf("many%02d", i)
	}
	Test(t, Users(names...), func(w *World) {
		for args, want := range map[string]int{"": 20, ", limit: null": 20, ", limit: -1": 25, ", limit: 0": 0, ", limit: 1": 1, ", limit: 100": 25} {
			got := w.Must("many00", `{ searchUsers(searchToken: "many"`+args+`) { items { userId } } }`)
			if n := strings.Count(string(got.Data), "userId"); n != want {
				w.T.Errorf("with%s there are %d, want %d", args, n, want)
			}
		}
		for _, limit := range []int{-2, 101} {
			w.Play(Scenario{As: "many00", Query: fmt.Sprintf(`{ searchUsers(searchToken: "many", limit: %d) { nextToken } }`, limit),
				Error: "ClientError: Limit cannot be less than -1 or greater than 100"})
		}
	})
}

// users S8 and T10: a token is the offset of the next hit, and the last page has none.
func TestSearchUsersTokens(t *testing.T) {
	Test(t, Users("pat1", "pat2", "pat3", "ana").Block("pat2", "ana"), func(w *World) {
		for _, c := range []struct{ args, want string }{
			{`limit: 2`, `{"searchUsers": {"items": [{"username": "pat1"}], "nextToken": "2"}}`},
			{`limit: 2, nextToken: "2"`, `{"searchUsers": {"items": [{"username": "pat3"}], "nextToken": null}}`},
			{`limit: 1, nextToken: "0"`, `{"searchUsers": {"items": [{"username": "pat1"}], "nextToken": "1"}}`},
			{`limit: 3`, `{"searchUsers": {"items": [{"username": "pat1"}, {"username": "pat3"}], "nextToken": null}}`},
			{`nextToken: "7"`, `{"searchUsers": {"items": [], "nextToken": null}}`},
		} {
			w.Play(Scenario{As: "ana", Query: `{ searchUsers(searchToken: "pat", ` + c.args + `) { items { username } nextToken } }`, Want: c.want})
		}
		for _, token := range []string{"", "x", "-1", "1.5", "99999999999"} {
			w.Play(Scenario{As: "ana", Query: fmt.Sprintf(`{ searchUsers(searchToken: "pat", nextToken: %q) { nextToken } }`, token),
				Error: "ClientError: nextToken is not from this list: leave it out to start from the first page"})
		}
	})
}

// users S9: a changed name is found by the next request, and a removed user no longer.
func TestSearchUsersIsCurrent(t *testing.T) {
	Run(t, []Scenario{
		{Name: "a new user", Given: Users("ana").Identity("ben"), As: "ben", Query: `mutation { createCognitoOnlyUser(username: "ben", fullName: "Benjamin B") { userId } }`,
			Then: []Scenario{finds("ben", "ben"), finds("benjamin", "ben")}},
		{Name: "a rename", Given: Users("ana", "ben").Details("ben", `fullName: "Some One"`), As: "ben", Query: `mutation { setUserDetails(username: "newname") { userId } }`,
			Then: []Scenario{finds("newname", "newname"), finds("ben"), finds("one", "newname")}},
		{Name: "a rename in case alone", Given: Users("ana", "ben"), As: "ben", Query: `mutation { setUserDetails(username: "BEN") { userId } }`,
			Then: []Scenario{finds("ben", "BEN")}},
		{
			Name:  "another full name",
			Given: Users("ana", "ben").Details("ben", `fullName: "Some One"`),
			As:    "ben",
			Query: `mutation { setUserDetails(fullName: "Some Body") { userId } }`,
			Then:  []Scenario{finds("body", "ben"), finds("one"), finds("some", "ben")},
		},
		{Name: "no full name any more", Given: Users("ana", "ben").Details("ben", `fullName: "Some One"`), As: "ben", Query: `mutation { setUserDetails(fullName: "") { userId } }`,
			Then: []Scenario{finds("some"), finds("ben", "ben")}},
		{Name: "another full name comes first", Given: Users("ana", "ben").Details("ben", `fullName: "Some One"`), Meanwhile: Given{}.Details("ben", `fullName: "Any Body"`),
			As: "ben", Query: `mutation { setUserDetails(username: "other") { userId } }`,
			Then: []Scenario{finds("any", "other"), finds("some"), finds("ben"), finds("other", "other")}},
		{Name: "a name that has many words", Given: Users("ana", "ben"), As: "ben", Query: `mutation { setUserDetails(fullName: "` + manyWords(200) + `") { userId } }`,
			Then: []Scenario{finds("w3x", "ben"),
				{
					As:    "ben",
					Query: `mutation { setUserDetails(fullName: "` + strings.ReplaceAll(manyWords(200), "w", "v") + `") { userId } }`,
					Then:  []Scenario{finds("v3x", "ben"), finds("w3x")},
				}}},
	})
}

func manyWords(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("w%dx", i)
	}
	return strings.Join(words, " ")
}

// A store that was filled without an index refuses searches until one is built.
func TestSearchUsersWithoutAnIndex(t *testing.T) {
	Test(t, Users("ana", "ben"), func(w *World) {
		fresh := store.Open(w.DB)
		forget(w)
		if _, _, err := fresh.Users.Search(w.T.Context(), "ben", 0, 20); err == nil || !strings.Contains(err.Error(), "stoa search rebuild") {
			w.T.Errorf("an index that is gone answers with %v", err)
		}
		for _, index := range fresh.SearchIndexes() {
			if err := fresh.Adopt(w.T.Context(), index); err == nil {
				w.T.Errorf("the index of %s is adopted, although there are users", index.Name)
			}
			// An interrupted rebuild starts over.
			disarm := w.Client.Arm(faultdb.On("BatchWriteItem", 1, faultdb.Internal))
			_, cut := fresh.Rebuild(w.T.Context(), index, func(int) {})
			if happened := disarm(); happened && cut == nil {
				w.T.Errorf("a fault ends rebuilding with %v", cut)
			}
			if _, err := fresh.Rebuild(w.T.Context(), index, func(int) {}); err != nil {
				w.T.Fatal(err)
			}
		}
		if ids, more, err := fresh.Users.Search(w.T.Context(), "ben", 0, 20); err != nil || more || len(ids) != 1 || ids[0] != w.ID("ben") {
			w.T.Errorf("found %v, %v, %v", ids, more, err)
		}
	})
}

// forget deletes all rows of the indexes.
func forget(w *World) {
	w.T.Helper()
	ops := dynamo.NewFromIface(w.Client.Engine()).Table(apptest.Prefix + "ops")
	for _, item := range w.Rows()["ops"] {
		if pk := item["partitionKey"].(string); strings.HasPrefix(pk, "word") {
			err := ops.Delete("partitionKey", pk).Range("sortKey", item["sortKey"]).Run(w.T.Context())
			if err != nil {
				w.T.Fatal(err)
			}
		}
	}
}
