package expr

import (
	"strings"
	"testing"
)

const (
	noAttribute = "The provided expression refers to an attribute that does not exist in the item"
	wrongType   = "An operand in the update expression has an incorrect data type"
	invalidPath = "The document path provided in the update expression is invalid for update"
)

func TestUpdates(t *testing.T) {
	for _, c := range []struct{ before, text, want string }{
		// SET
		{"{}", "SET a = :v", "{a:'x'}"},
		{"", "SET a = :v", "{a:'x'}"},
		{"{a:1}", "set a = :v", "{a:'x'}"},
		{"{}", "SET a = :v, b = :n", "{a:'x' b:1}"},
		{"{b:b'abc'}", "SET a = b", "{a:b'abc' b:b'abc'}"},
		{"{n:5}", "SET n = n", "{n:5}"},
		{"{}", "SET a = :z", "{a:null}"},
		{"{m:{a:{b:1}}}", "SET a = m.a", "{a:{b:1} m:{a:{b:1}}}"},
		{"{l:['x']}", "SET a = l[0]", "{a:'x' l:['x']}"},
		{"{}", "SET a = w", noAttribute},
		{"{s:'str'}", "SET a = s.x", noAttribute},
		{"{l:['x']}", "SET a = l[9]", noAttribute},

		// all operands are read from the previous item
		{"{n:5 s:'str'}", "SET q = n, n = s", "{n:'str' q:5 s:'str'}"},
		{"{l:['x' 1]}", "SET l[0] = l[1], l[1] = l[0]", "{l:[1 'x']}"},
		{"{n:5}", "SET q = if_not_exists(n, :v), n = :m", "{n:2 q:5}"},
		{"{n:5}", "SET q = n REMOVE n", "{q:5}"},

		// sums
		{"{n:5}", "SET a = n + :n", "{a:6 n:5}"},
		{"{n:5}", "SET n = n - :n", "{n:4}"},
		{"{n:5}", "SET n=n-:n", "{n:4}"},
		{"{n:5}", "SET n = n + n", "{n:10}"},
		{"{n:0.1}", "SET n = n + :n", "{n:1.1}"},
		{"{n:5}", "SET q = (n + :n)", "{n:5 q:6}"},
		{"{n:5}", "SET q = (n) + (:n)", "{n:5 q:6}"},
		{"{n:5}", "SET q = ((n) - :n)", "{n:5 q:4}"},
		{"{n:5}", "SET q = :n - (n)", "{n:5 q:-4}"},
		{"{}", "SET q = (:n)", "{q:1}"},
		{"{n:12345678901234567890123456789012345678}", "SET n = n + :n", "{n:12345678901234567890123456789012345679}"},
		{"{n:99999999999999999999999999999999999999}", "SET n = n + :n", "{n:100000000000000000000000000000000000000}"},
		{"{n:100000000000000000000000000000000000000}", "SET n = n + :n", "Attempting to store more than 38 significant digits in a Number"},
		{"{n:9.9e125}", "SET n = n + n", "Number overflow. Attempting to store a number with magnitude larger than supported range"},
		{"{s:'str'}", "SET a = s + :n", wrongType},
		{"{n:5 s:'str'}", "SET a = n + s", wrongType},
		{"{}", "SET a = w + :n", noAttribute},

		// functions
		{"{}", "SET n = if_not_exists(n, :n) + :n", "{n:2}"},
		{"{n:5}", "SET n = if_not_exists(n, :n) + :n", "{n:6}"},
		{"{n:5}", "SET q = if_not_exists(n, :v) + if_not_exists(n, :n)", "{n:5 q:10}"},
		{"{}", "SET q = if_not_exists(q, if_not_exists(w, :n))", "{q:1}"},
		{"{}", "SET q = if_not_exists((w), (:n))", "{q:1}"},
		{"{s:'str'}", "SET q = if_not_exists(s.a, :v)", "{q:'x' s:'str'}"},
		{"{}", "SET q = if_not_exists(w.x, w)", noAttribute},
		{"{}", "SET q = if_not_exists(w, :v) + :n", wrongType},
		{"{l:['x']}", "SET q = list_append(l, :l)", "{l:['x'] q:['x' 'q']}"},
		{"{l:['x']}", "SET l = list_append(:l, l)", "{l:['q' 'x']}"},
		{"{l:['x']}", "SET l = list_append(l, l)", "{l:['x' 'x']}"},
		{"{}", "SET l = list_append(if_not_exists(l, :l), :l)", "{l:['q' 'q']}"},
		{"{s:'str'}", "SET q = list_append(s, :l)", wrongType},
		{"{s:'str'}", "SET q = list_append(:l, s)", wrongType},
		{"{}", "SET q = list_append(w, :l)", noAttribute},
		{"{}", "SET q = list_append(if_not_exists(w, :v), :l)", wrongType},

		// nested paths
		{"{m:{a:{b:1}}}", "SET m.a.b = :v", "{m:{a:{b:'x'}}}"},
		{"{m:{a:1}}", "SET m.x = :v", "{m:{a:1 x:'x'}}"},
		{"{m:{}}", "SET m.#dot = :v", "{m:{x.y:'x'}}"},
		{"{m:{}}", "SET m.x.y = :v", invalidPath},
		{"{}", "SET w.x = :v", invalidPath},
		{"", "SET w.x = :v", invalidPath},
		{"{s:'str'}", "SET s.x = :v", invalidPath},
		{"{s:'str'}", "SET s[0] = :v", invalidPath},
		{"{l:['x']}", "SET l.x = :v", invalidPath},
		{"{l:['x']}", "SET l[0].x = :v", invalidPath},
		{"{m:{}}", "SET m[0] = :v", invalidPath},
		{"{m:{a:1 l:[1 2]}}", "SET m.b = m.a, m.l[0] = m.l[1] REMOVE m.a", "{m:{b:1 l:[2 2]}}"},

		// lists: indexes refer to the previous list; elements beyond its end are appended
		{"{l:['x' 1 {a:1}]}", "SET l[1] = :v", "{l:['x' 'x' {a:1}]}"},
		{"{l:['x' 1 {a:1}]}", "SET l[2].a = :v", "{l:['x' 1 {a:'x'}]}"},
		{"{l:['x']}", "SET l[1] = :n", "{l:['x' 1]}"},
		{"{l:['x']}", "SET l[99] = :n", "{l:['x' 1]}"},
		{"{l:['x']}", "SET l[99] = :v, l[50] = :n", "{l:['x' 1 'x']}"},
		{"{l:['x']}", "SET l[99].x = :v", invalidPath},
		{"{l:[0 1 2 3]}", "REMOVE l[0]", "{l:[1 2 3]}"},
		{"{l:[0 1 2 3]}", "REMOVE l[2], l[0]", "{l:[1 3]}"},
		{"{l:[0 1 2 3]}", "REMOVE l[99]", "{l:[0 1 2 3]}"},
		{"{l:[0 1 2 3]}", "REMOVE l[1] SET l[2] = :v", "{l:[0 'x' 3]}"},
		{"{l:[0 1 2 3]}", "REMOVE l[0] SET l[9] = :v", "{l:[1 2 3 'x']}"},
		{"{l:[0]}", "REMOVE l[0]", "{l:[]}"},
		{"{l:['x' {a:1}]}", "REMOVE l[0], l[1].a", "{l:[{}]}"},

		// REMOVE
		{"{a:1 b:2}", "REMOVE a", "{b:2}"},
		{"{b:2}", "REMOVE a", "{b:2}"},
		{"", "REMOVE a", "{}"},
		{"{a:1 b:2 c:3}", "REMOVE a, c", "{b:2}"},
		{"{m:{a:{b:1}}}", "REMOVE m.a.b", "{m:{a:{}}}"},
		{"{m:{}}", "REMOVE m.a", "{m:{}}"},
		{"{}", "REMOVE a.b", invalidPath},
		{"{s:'str'}", "REMOVE s.x", invalidPath},
		{"{l:['x']}", "REMOVE l[9].a", invalidPath},
		{"{l:['x']}", "REMOVE l.a", invalidPath},
		{"{m:{}}", "REMOVE m[0]", invalidPath},

		// ADD
		{"{n:5}", "ADD n :n", "{n:6}"},
		{"{}", "ADD n :n", "{n:1}"},
		{"", "ADD n :n, q :m", "{n:1 q:2}"},
		{"{m:{a:{b:1}}}", "ADD m.a.b :n", "{m:{a:{b:2}}}"},
		{"{m:{}}", "ADD m.q :n", "{m:{q:1}}"},
		{"{l:[1]}", "ADD l[0] :n", "{l:[2]}"},
		{"{l:[1]}", "ADD l[9] :n", "{l:[1 1]}"},
		{"{ss:<'b'>}", "ADD ss :ss", "{ss:<'a' 'b'>}"},
		{"{ss:<'a' 'b'>}", "ADD ss :ss", "{ss:<'a' 'b'>}"},
		{"{}", "ADD q :ss", "{q:<'a'>}"},
		{"{ns:<2>}", "ADD ns :ns", "{ns:<1 2>}"},
		{"{bs:<b'b'>}", "ADD bs :bs", "{bs:<b'a' b'b'>}"},
		{"{s:'str'}", "ADD s :n", wrongType},
		{"{z:null}", "ADD z :n", wrongType},
		{"{ss:<'a'>}", "ADD ss :ns", wrongType},
		{"{n:5}", "ADD n :ss", wrongType},
		{"{ss:<'a'>}", "ADD ss :n", wrongType},
		{"{}", "ADD w.q :n", invalidPath},

		// DELETE
		{"{ss:<'a' 'b'>}", "DELETE ss :ss", "{ss:<'b'>}"},
		{"{ns:<1 2>}", "DELETE ns :ns", "{ns:<2>}"},
		{"{bs:<b'a' b'b'>}", "DELETE bs :bs", "{bs:<b'b'>}"},
		{"{ss:<'b'>}", "DELETE ss :ss", "{ss:<'b'>}"},
		{"{ss:<'a'> n:1}", "DELETE ss :ss", "{n:1}"},
		{"{m:{ss:<'a'>}}", "DELETE m.ss :ss", "{m:{}}"},
		{"{}", "DELETE q :ss", "{}"},
		{"{ss:<'a'>}", "DELETE ss :ns", wrongType},
		{"{s:'str'}", "DELETE s :ss", wrongType},
		{"{}", "DELETE w.q :ss", invalidPath},

		// several errors: values of SET come first, then everything else in the order of
		// the text
		{"{n:5 s:'str'}", "REMOVE w.q ADD s :n SET q = absent", noAttribute},
		{"{n:5 s:'str'}", "SET q = n + s, a = absent", wrongType},
		{"{n:5 s:'str'}", "SET a = absent, q = n + s", noAttribute},
		{"{n:5 s:'str'}", "SET w.q = :n ADD s :n", invalidPath},
		{"{n:5 s:'str'}", "ADD s :n SET w.q = :n", wrongType},
		{"{n:5 s:'str'}", "REMOVE w.q DELETE n :ss", invalidPath},
		{"{n:5 s:'str'}", "DELETE n :ss REMOVE w.q", wrongType},

		// all sections, in any order
		{"{a:1 n:5 ss:<'a' 'b'>}", "DELETE ss :ss REMOVE a ADD n :n SET q = n", "{n:6 q:5 ss:<'b'>}"},
	} {
		p := compile(t, updateKind, c.text)
		before := item(c.before)
		after, err := p.Update(before)
		got := showItem(after)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s on %s\n got  %s\n want %s", c.text, c.before, got, c.want)
		}
		if showItem(before) != showItem(item(c.before)) {
			t.Errorf("%s changed the item before to %s", c.text, showItem(before))
		}
	}
}

func TestUpdateDepth(t *testing.T) {
	path := "m" + strings.Repeat(".a", 31)
	before := item("{m:" + strings.Repeat("{a:", 31) + "1" + strings.Repeat("}", 31) + "}")
	if _, err := compile(t, updateKind, "SET "+path+" = :n").Update(before); err != nil {
		t.Errorf("32 levels are refused: %v", err)
	}
	_, err := compile(t, updateKind, "SET "+path+" = :l").Update(before)
	if err == nil || err.Error() != "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit" {
		t.Errorf("33 levels: %v", err)
	}
}

// TestTouched checks the attributes returned for UPDATED_OLD and UPDATED_NEW.
func TestTouched(t *testing.T) {
	for _, c := range []struct{ before, text, old, new string }{
		{"{a:1 b:2}", "SET a = :v", "{a:1}", "{a:'x'}"},
		{"{b:2}", "SET a = :v", "{}", "{a:'x'}"},
		{"{a:1 b:2}", "REMOVE a", "{a:1}", "{}"},
		{"{m:{a:1 b:2}}", "SET m.a = :v", "{m:{a:1}}", "{m:{a:'x'}}"},
		{"{l:[0 1 2]}", "SET l[1] = :v", "{l:[1]}", "{l:['x']}"},
		{"{l:[0 1 2]}", "REMOVE l[0]", "{l:[0]}", "{l:[1]}"},
		{"", "ADD n :n", "{}", "{n:1}"},
	} {
		p := compile(t, updateKind, c.text)
		before := item(c.before)
		after, err := p.Update(before)
		if err != nil {
			t.Fatal(err)
		}
		if old, new := showItem(p.Touched(before)), showItem(p.Touched(after)); old != c.old || new != c.new {
			t.Errorf("%s on %s: old %s, new %s; want %s, %s", c.text, c.before, old, new, c.old, c.new)
		}
	}
	if touched := compile(t, conditionKind, "n = :n").Touched(item("{n:1}")); touched != nil {
		t.Errorf("without an update %s is touched", showItem(touched))
	}
}

func TestCheckUpdate(t *testing.T) {
	for text, key := range map[string]string{
		"SET pk = :v":          "pk",
		"REMOVE pk":            "pk",
		"SET pk.a = :v":        "pk",
		"SET #pk = :v":         "pk",
		"SET sk = :n, pk = :v": "pk",
		"SET a = :v ADD sk :n": "sk",
		"SET a = pk, b = sk":   "",
	} {
		err := compile(t, updateKind, text).CheckUpdate("pk", "sk")
		if key == "" {
			if err != nil {
				t.Errorf("%s: %v", text, err)
			}
			continue
		}
		want := "One or more parameter values were invalid: Cannot update attribute " + key + ". This attribute is part of the key"
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}
