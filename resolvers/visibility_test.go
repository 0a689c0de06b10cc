package resolvers_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"stoa/social"
	. "stoa/social/socialtest"
	"stoa/store"
)

// Nothing that a user hides from a viewer is visible anywhere in the schema: not to users they
// block, to those who do not follow them while they are private, or to anybody once they are gone. Nor
// is a post that they archive. The paths are derived from the schema, so new fields are covered at
// once.
//
// Hidden is anything called secret: hid's bio, the text of hid's post and its comments.
// posts 4 and chats 1.5#5
func TestHiddenThingsShowNowhere(t *testing.T) {
	private := Given{}.Details("hid", `privacyStatus: PRIVATE`)
	const bio, text, comment, album = "secret bio", "secret text of the post", "secret text of a comment", "secret name of an album"
	everything, named := []string{"secret"}, []string{"secret", "Full Name", "hid elsewhere"}
	for _, c := range []struct {
		name string
		hide Given
		// hidden are words that the viewer does not see, and seen those that the witness does.
		hidden  []string
		witness string
		seen    []string
	}{
		{"from a viewer who is blocked", Given{}.Block("hid", "vic"), named, "fri", []string{bio, text, comment, album}},
		{"from one who blocks them too", Given{}.Block("vic", "hid").Block("hid", "vic"), named, "fri", []string{bio, text, comment, album}},
		{"from a stranger while private", private, everything, "fri", []string{bio, text, comment, album}},
		{"from one who blocks them, while private", private.Block("vic", "hid"), everything, "fri", []string{bio, text, comment, album}},
		{"from one who has asked", private.Follow("vic", "hid"), everything, "fri", []string{bio, text, comment, album}},
		{"from one who was denied", private.Follow("vic", "hid").Deny("hid", "vic"), everything, "fri", []string{bio, text, comment, album}},
		{"from a follower who was denied", Given{}.Follow("vic", "hid").And(private...).Deny("hid", "vic"), everything, "fri", []string{bio, text, comment, album}},
		{"from one who has left", Given{}.Follow("vic", "hid").And(private...).Unfollow("vic", "hid"), everything, "fri", []string{bio, text, comment, album}},
		{"from an anonymous user while private", private.Status("vic", "ANONYMOUS"), everything, "fri", []string{bio, text, comment, album}},
		{"from a disabled user while private", private.Status("vic", "DISABLED"), everything, "fri", []string{bio, text, comment, album}},
		{"of a disabled user while private", private.Status("hid", "DISABLED"), everything, "fri", []string{bio, text, comment, album}},
		{"in an archived post", Given{}.Archive("hid", "secretpost"), []string{"secret text", "secretpost"}, "hid", []string{bio, text, comment, album}},
		{"of a user who is gone", Given{}.Gone("hid"), named, "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			Test(t, hiding().And(c.hide...), func(w *World) {
				// An entry left in the viewer's feed must not show the post either.
				left := social.FeedItem{PostID: "secretpost", FeedUserID: w.ID("vic"), PostedByUserID: w.ID("hid"), PostedAt: w.Now()}
				if err := store.Open(w.DB).Feeds.Put(t.Context(), []social.FeedItem{left}); err != nil {
					w.T.Fatal(err)
				}
				witnessed := map[string]int{}
				for _, query := range walk(t, w.Schema.Schema(), "Query", 3) {
					seen := w.Ask("vic", query)
					for _, word := range c.hidden {
						if strings.Contains(string(seen.Data), word) {
							w.T.Errorf("%s shows %q: %s", query, word, seen.Data)
						}
					}
					for _, e := range seen.Errors {
						if strings.Contains(e.Message, "secret text") || e.ErrorType != "ClientError" {
							w.T.Errorf("%s is refused with %s %q", query, e.ErrorType, e.Message)
						}
					}
					if c.witness == "" {
						continue
					}
					witness := string(w.Ask(c.witness, query).Data)
					for _, word := range c.seen {
						if strings.Contains(witness, word) {
							witnessed[word]++
						}
					}
				}
				// Others see it all, which proves that the walk reaches it.
				for _, word := range c.seen {
					if witnessed[word] == 0 {
						w.T.Errorf("not even %s saw %q", c.witness, word)
					}
				}
			})
		})
	}
}

// Responses of mutations hide the same, whether or not they are refused.
func TestHiddenThingsShowInNoAnswer(t *testing.T) {
	for name, hide := range map[string]Given{
		"blocked":  Given{}.Block("hid", "vic"),
		"stranger": Given{}.Details("hid", `privacyStatus: PRIVATE`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			Test(t, hiding().And(hide...), func(w *World) {
				mutations := walk(t, w.Schema.Schema(), "Mutation", 2)
				if len(mutations) < 50 {
					w.T.Errorf("only %d paths below mutations", len(mutations))
				}
				for _, mutation := range mutations {
					seen := w.Ask("vic", mutation)
					if strings.Contains(string(seen.Data), "secret") {
						w.T.Errorf("%s shows %s", mutation, seen.Data)
					}
				}
			})
		})
	}
}

// hiding returns a world in which hid has every kind of connection with others: fri follows
// hid, and vic has liked and commented on the post of hid, who follows, likes and replies
// to vic.
func hiding() Given {
	g := Users("hid", "fri", "vic").Details("hid", `fullName: "Full Name", bio: "secret bio"`).
		Follow("fri", "hid").Follow("hid", "fri").Follow("hid", "vic").Follow("vic", "fri").Follow("fri", "vic").
		Post("hid", "secretpost", `text: "secret text of the post for @vic"`, `likesDisabled: false`).
		Does("hid", `mutation { addAlbum(albumId: "secretalbum", name: "secret name of an album") { albumId } }`).IntoAlbum("hid", "secretpost", "secretalbum").
		Comment("fri", "secretpost", "secretcomment", "secret text of a comment").Comment("vic", "secretpost", "vics", "by vic").
		Like("fri", "secretpost").Like("vic", "secretpost").Like("hid", "secretpost")
	// The mention notified vic of the post; vic dismissed it before the post was hidden.
	g = g.DismissCard("vic", "POST_MENTION:secretpost")
	for _, owner := range []string{"fri", "vic"} {
		id := owner + "post"
		g = g.Post(owner, id, `text: "@hid look"`, `likesDisabled: false`).
			Comment("hid", id, "on"+id, "hid elsewhere").Like("hid", id).ViewPost("hid", id)
	}
	return g
}

// asked lists the values of each required argument by name, with one query for each value.
// Other arguments get one value of their type.
var asked = map[string][]string{
	"userId":    {`"{hid}"`, `"{fri}"`, `"{vic}"`},
	"postId":    {`"secretpost"`, `"fripost"`, `"vicpost"`},
	"albumId":   {`"secretalbum"`},
	"commentId": {`"secretcomment"`, `"vics"`, `"fresh"`},
	"text":      {`"@hid"`},
	"username":  {`"vic"`},

	"appleIdToken": {`"text"`}, "facebookAccessToken": {`"text"`}, "googleIdToken": {`"text"`},
}

// walk returns an operation for each path from a root type to an object, past at most depth
// objects, not counting pages of lists. Shorter paths are also queried with each value of
// each enum argument, one at a time; longer ones pass through the same objects.
func walk(t *testing.T, schema *ast.Schema, root string, depth int) []string {
	t.Helper()
	var operations []string
	var descend func(of *ast.Definition, path []*ast.FieldDefinition, objects int)
	descend = func(of *ast.Definition, path []*ast.FieldDefinition, objects int) {
		for _, f := range of.Fields {
			next := schema.Types[f.Type.Name()]
			if next.IsAbstractType() {
				t.Fatalf("%s is a %s: the walk knows no way into these yet", f.Name, next.Kind)
			}
			if strings.HasPrefix(f.Name, "__") || next.Kind != ast.Object {
				continue
			}
			path, objects := append(slices.Clone(path), f), objects
			if !strings.HasPrefix(next.Name, "Paginated") {
				objects++
				for _, way := range ways(t, schema, path, objects < depth) {
					operations = append(operations, strings.ToLower(root)+" { "+way(leafFields(schema, next))+" }")
				}
			}
			if objects < depth {
				descend(next, path, objects)
			}
		}
	}
	descend(schema.Types[root], nil, 0)
	return operations
}

// leafFields returns the scalar fields of a type, each once without arguments and once for
// every value of its enum arguments.
func leafFields(schema *ast.Schema, of *ast.Definition) string {
	return strings.Join(leaves(schema, of), " ")
}

func leaves(schema *ast.Schema, of *ast.Definition) (fields []string) {
	for _, f := range of.Fields {
		if kind := schema.Types[f.Type.Name()].Kind; kind != ast.Scalar && kind != ast.Enum {
			continue
		}
		fields = append(fields, f.Name)
		for i, args := range choices(schema, f) {
			fields = append(fields, fmt.Sprintf("%s%d: %s(%s)", f.Name, i, f.Name, args))
		}
	}
	return fields
}

// choices returns an enum argument of a field with each of its values.
func choices(schema *ast.Schema, f *ast.FieldDefinition) []string {
	var args []string
	for _, a := range f.Arguments {
		if enum := schema.Types[a.Type.Name()]; enum.Kind == ast.Enum {
			for _, value := range enum.EnumValues {
				args = append(args, a.Name+": "+value.Name)
			}
		}
	}
	return args
}

// ways returns functions that write a path around the selection of its last field: without
// options, with each choice of its first field's required arguments, and, if choose is set,
// also with each value of an enum argument on the way.
func ways(t *testing.T, schema *ast.Schema, path []*ast.FieldDefinition, choose bool) []func(leaves string) string {
	t.Helper()
	plain := make([][]string, len(path))
	for i, f := range path {
		plain[i] = required(t, schema, f)
	}
	var found []func(string) string
	for _, first := range plain[0] {
		add := func(at int, extra string) {
			found = append(found, func(leaves string) string { return nest(path, plain, first, at, extra, leaves) })
		}
		add(0, "")
		for i, f := range path {
			if choose {
				for _, extra := range choices(schema, f) {
					add(i, extra)
				}
			}
		}
	}
	return found
}

// nest writes nested fields. The first gets the given arguments, and the one at a given
// index an extra one.
func nest(path []*ast.FieldDefinition, plain [][]string, first string, at int, extra, leaves string) string {
	text := leaves
	for i, f := range slices.Backward(path) {
		args := plain[i][0]
		if i == 0 {
			args = first
		}
		if i == at && extra != "" {
			args = strings.TrimPrefix(without(args, extra)+", "+extra, ", ")
		}
		if args != "" {
			args = "(" + args + ")"
		}
		if text != "" {
			text = " { " + text + " }"
		}
		text = f.Name + args + text
	}
	return text
}

// without removes from arguments an enum that another argument also sets.
func without(args, enum string) string {
	name, _, _ := strings.Cut(enum, ":")
	return strings.Join(slices.DeleteFunc(strings.Split(args, ", "), func(arg string) bool {
		return strings.HasPrefix(arg, name+": ")
	}), ", ")
}

// literal returns a value of a type. Ids are those of a hidden user.
func literal(schema *ast.Schema, of *ast.Type) string {
	if of.Elem != nil {
		return "[" + literal(schema, of.Elem) + "]"
	}
	switch def := schema.Types[of.NamedType]; {
	case def.Kind == ast.Enum:
		return def.EnumValues[0].Name
	case def.Kind == ast.InputObject:
		var fields []string
		for _, f := range def.Fields {
			if f.Type.NonNull {
				fields = append(fields, f.Name+": "+literal(schema, f.Type))
			}
		}
		return "{" + strings.Join(fields, ", ") + "}"
	}
	switch of.NamedType {
	case "ID":
		return `"{hid}"`
	case "Int", "AWSTimestamp":
		return "1"
	case "Float":
		return "1.5"
	case "Boolean":
		return "true"
	case "AWSDateTime":
		return `"2030-01-01T00:00:00.000Z"`
	case "AWSDate":
		return `"2030-01-01"`
	case "AWSEmail":
		return `"hid@example.com"`
	case "AWSPhone":
		return `"+12025550123"`
	default:
		return `"plain"`
	}
}

// required returns the possible arguments of a field. Lists are short, so that the deepest
// operations stay within the cost limit.
func required(t *testing.T, schema *ast.Schema, f *ast.FieldDefinition) []string {
	t.Helper()
	filled := []string{""}
	if f.Arguments.ForName("limit") != nil {
		filled = []string{"limit: 9"}
	}
	for _, a := range f.Arguments {
		if !a.Type.NonNull || a.DefaultValue != nil {
			continue
		}
		values, known := asked[a.Name]
		if !known {
			values = []string{literal(schema, a.Type)}
		}
		var more []string
		for _, before := range filled {
			for _, value := range values {
				more = append(more, strings.TrimPrefix(before+", "+a.Name+": "+value, ", "))
			}
		}
		filled = more
	}
	return filled
}
