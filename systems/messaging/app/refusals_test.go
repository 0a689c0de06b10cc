package app_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"stoa/internal/kit/faultdb"
	"stoa/systems/messaging"
)

// messaging 4, 5.1#1-3, 5.1#5, 5.2#3, 5.3#2-3,
// 5.5#removeSubscriber,deleteTopic,updateTopic, 5.6#1, 5.6#4 and 5.8#1: errors for invalid
// input, and normalization of valid input.
func TestBadInput(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b")
		for _, i := range []vars{
			{"login": "abc"}, {"login": strings.Repeat("x", 33)}, {"login": ".kestrel"}, {"login": "kestrel_"}, {"login": "kes:trel"}, {"login": "kes trel"}, {"login": nil},
		} {
			i["password"] = password
			w.Refused("BAD_INPUT INVALID_LOGIN", "", create, vars{"i": i})
		}
		for _, p := range []any{"short", strings.Repeat("x", 73), nil} {
			w.Refused("BAD_INPUT INVALID_PASSWORD", "", create, vars{"i": vars{"login": "kestrel", "password": p}})
		}
		account := func(change vars) vars {
			change["login"], change["password"] = "kestrel", password
			return vars{"i": change}
		}
		w.Refused("BAD_INPUT INVALID_TAG", "", create, account(vars{"tags": []string{"two words"}}))
		w.Refused("BAD_INPUT INVALID_TAG", "", create, account(vars{"tags": []string{"_first"}}))
		w.Refused("FORBIDDEN RESTRICTED_TAG", "", create, account(vars{"tags": []string{"Basic:other"}}))
		w.Refused("FORBIDDEN RESTRICTED_TAG", "a", `mutation { updateAccount(input: {tags: ["basic:other"]}) { id } }`)
		w.Asked(
			"a",
			`mutation($t: [String!]) { updateAccount(input: {tags: $t}) { tags } }`,
			vars{"t": []string{" Basic:" + strings.ToUpper(login("a"))}},
			"updateAccount.tags",
			`["basic:`+login("a")+`"]`,
		)
		w.Refused("BAD_INPUT INVALID_MODE", "", create, account(vars{"defaultAccess": vars{"auth": "JRX"}}))
		w.Refused("BAD_INPUT TOO_LARGE", "", create, account(vars{"public": strings.Repeat("x", 16<<10)}))
		w.Refused("BAD_INPUT TOO_LARGE", "", create, account(vars{"private": strings.Repeat("x", 16<<10)}))
		w.Refused("BAD_INPUT INVALID_COUNT", "", `{ checkTags(tags: []) { tag } }`)
		topic, pair := w.group("a", nil, "b"), w.chats("a", "b")
		w.counts("a", topic, 5)
		for name, v := range map[string]vars{"subscribe": {"m": "JX"}, "setMine": {"w": "J1"}, "setAccess": {"g": "NJ"}} {
			query := map[string]string{"subscribe": subscribe, "setMine": setMine, "setAccess": setAccess}[name]
			w.Refused("BAD_INPUT INVALID_MODE", "a", query, vars{"t": topic, "u": w.ids["b"]}, v)
		}
		for _, head := range []any{
			"text", []int{1}, vars{"replace": "1"}, vars{"replace": topic + ":1"}, vars{"replace": ":0"}, vars{"replace": 1}, vars{"reply": "1"}, vars{"reply": ":x"},
			vars{"reply": pair + ":1"}, vars{"reply": ":6"}, vars{"reply": ":-1"}, vars{"mime": 1}, vars{"mentions": "usr"}, vars{"mentions": []string{"b"}},
			vars{"attachments": 1}, vars{"auto": "yes"}, vars{"forwarded": "there"},
		} {
			w.Refused("BAD_INPUT INVALID_HEAD", "a", publish, vars{"t": topic, "c": "x", "h": head})
		}
		w.Asked(
			"a",
			publish,
			vars{"t": topic, "c": "x", "h": vars{"reply": ":5", "sender": "me", "x-own": []any{1.5, nil}, "mentions": []string{w.ids["b"]}, "auto": true}},
			"publish.head",
			`{"auto":true,"mentions":["`+w.ids["b"]+`"],"reply":":5","x-own":[1.5,null]}`,
		)
		w.Asked("a", publish, vars{"t": pair, "c": "x", "h": vars{"forwarded": topic + ":5"}}, "publish.replyTo", "null")
		for _, v := range []vars{
			{}, {"b": 1, "s": []int{1}}, {"s": []int{0}}, {"s": []int{-1}}, {"r": []vars{{"low": 3, "high": 2}}}, {"r": []vars{{"low": 0, "high": 2}}}, {"s": []int{}}, {"s": []int{99}},
		} {
			if got := w.Asks("a", erase, vars{"t": topic}, v).Refusal(); !strings.HasPrefix(got, "BAD_INPUT ") {
				t.Errorf("a deletion of %v is refused with %q", v, got)
			}
		}
		w.Refused("BAD_INPUT REQUIRED", "a", note, vars{"t": topic, "k": "READ"})
		w.Refused("FORBIDDEN READ_ONLY_TOPIC", "a", publish, vars{"t": w.ids["a"], "c": "x"})
		w.Refused("FORBIDDEN READ_ONLY_TOPIC", "a", publish, vars{"t": "fnd" + w.ids["a"][3:], "c": "x"})
		w.Refused("FORBIDDEN READ_ONLY_TOPIC", "a", note, vars{"t": w.ids["a"], "k": "TYPING"})
		w.Refused("BAD_INPUT SELF", "a", chat, vars{"u": w.ids["a"]})
		w.Refused("NOT_FOUND", "a", chat, vars{"u": "usrAAAAAAAAAAA"})
		w.Refused("NOT_FOUND", "a", chat, vars{"u": "b"})
		w.Refused("FORBIDDEN OWN_TOPIC", "a", unsubscribe, vars{"t": w.ids["a"]})
		w.Refused("FORBIDDEN OWN_TOPIC", "a", dropTopic, vars{"t": w.ids["a"]})
		w.Refused("FORBIDDEN OWN_TOPIC", "a", setMine, vars{"t": w.ids["a"], "w": "JR"})
		w.Refused("FORBIDDEN P2P_TOPIC", "a", remove, vars{"t": pair, "u": w.ids["b"]})
		w.Refused("FORBIDDEN P2P_TOPIC", "a", offer, vars{"t": pair, "u": w.ids["b"]})
		w.Refused("FORBIDDEN P2P_TOPIC", "a", `mutation($t: ID!) { updateTopic(id: $t, input: {public: 1}) { id } }`, vars{"t": pair})
		w.Refused("FORBIDDEN NOT_OWNER", "b", `mutation($t: ID!) { updateTopic(id: $t, input: {public: 1}) { id } }`, vars{"t": topic})
		w.Refused("FORBIDDEN NOT_OWNER", "b", dropTopic, vars{"t": topic})
		w.Refused("FORBIDDEN NOT_ADMIN", "b", remove, vars{"t": topic, "u": w.ids["a"]})
		w.Refused("FORBIDDEN SELF", "a", remove, vars{"t": topic, "u": w.ids["a"]})
		w.Refused("NOT_FOUND", "a", remove, vars{"t": topic, "u": "usrAAAAAAAAAAA"})
		w.Refused("FORBIDDEN OWNER", "a", setAccess, vars{"t": topic, "u": w.ids["a"], "g": "JR"})
		w.Refused("BAD_INPUT SELF", "a", offer, vars{"t": topic, "u": w.ids["a"]})
		w.Refused("NOT_FOUND", "a", offer, vars{"t": topic, "u": "usrAAAAAAAAAAA"})
		w.Refused("BAD_INPUT INVALID_LIMIT", "a", `{ myTopics(limit: 0) { nextToken } }`)
		w.Refused("BAD_INPUT INVALID_LIMIT", "a", `{ findContacts(query: "x", limit: 101) { matchedTags } }`)
		w.Refused("BAD_INPUT INVALID_TOKEN", "a", `{ myTopics(nextToken: "x") { nextToken } }`)
		w.Refused("BAD_INPUT INVALID_LENGTH", "a", `mutation($a: String) { goOnline(userAgent: $a) }`, vars{"a": strings.Repeat("x", 513)})
		w.Refused("BAD_INPUT INVALID_LENGTH", "a", publish, vars{"t": topic, "c": "x", "k": ""})
		w.Whole()
	})
}

// messaging 5.2#5-6 and 5.5#setMyAccess,setAccess: admins of a group can widen their own
// permissions, except O and D; nobody can in two-person topics, where both have A.
func TestNobodyGivesThemselvesMore(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b", "c")
		w.account("shy", vars{"defaultAccess": vars{"auth": "JR"}})
		const mine = `query($t: ID!) { subscription(topicId: $t) { access { want given mode } } }`
		pair := w.chats("a", "shy")
		for _, given := range []string{"JRWPA", "JRW", "jrwo", ""} {
			w.Refused("FORBIDDEN NOT_GIVEN", "a", setAccess, vars{"t": pair, "u": w.ids["a"], "g": given})
		}
		w.Does("a", setMine, vars{"t": pair, "w": "JRWPASDO"})
		w.Asked("a", mine, vars{"t": pair}, "subscription.access", `{"given":"JRA","mode":"JRA","want":"JRWPA"}`)
		w.Refused("FORBIDDEN NO_WRITE", "a", publish, vars{"t": pair, "c": "x"})
		w.Asked("a", setAccess, vars{"t": pair, "u": w.ids["a"], "g": "R"}, "setAccess.access.given", `"RA"`)
		w.Refused("FORBIDDEN NOT_GIVEN", "a", setAccess, vars{"t": pair, "u": w.ids["a"], "g": "JR"})

		topic := w.group("a", nil, "b", "c")
		w.Does("a", setAccess, vars{"t": topic, "u": w.ids["b"], "g": "JRA"})
		w.Asked("b", setMine, vars{"t": topic, "w": "JRWPAS"}, "setMyAccess.access.mode", `"JRA"`) // who was no admin before
		w.Asked("b", setMine, vars{"t": topic, "w": "JRWPASD"}, "setMyAccess.access", `{"given":"JRWPAS","mode":"JRWPAS","want":"JRWPASD"}`)
		w.Refused("FORBIDDEN NOT_GIVEN", "b", setAccess, vars{"t": topic, "u": w.ids["b"], "g": "JRWPASD"})
		w.Refused("FORBIDDEN NOT_OWNER", "b", setAccess, vars{"t": topic, "u": w.ids["b"], "g": "JRWPASO"})
		w.Asked("b", setAccess, vars{"t": topic, "u": w.ids["b"], "g": "JRA"}, "setAccess.access.given", `"JRA"`)
		w.Asked("b", setAccess, vars{"t": topic, "u": w.ids["b"], "g": "JRWA"}, "setAccess.access.given", `"JRWA"`)
		w.Whole()
	})
}

// messaging 2.4 and 5.6#4: references name a two-person topic in either form, and all
// readers see them the same.
func TestReferencesToTwoPersonTopics(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b")
		pair := w.chats("a", "b")
		w.says("b", pair, "one")
		for seq, reply := range []string{":1", pair + ":1", w.ids["b"] + ":1"} {
			w.Asked("a", publish, vars{"t": w.ids["b"], "c": "x", "h": vars{"reply": reply, "forwarded": w.ids["b"] + ":1"}}, "publish.head.forwarded", `"`+pair+`:1"`)
			for _, who := range []string{"a", "b"} {
				w.Asked(who, `query($t: ID!, $s: Int!) { message(topicId: $t, seqId: $s) { replyTo } }`, vars{"t": pair, "s": seq + 2}, "message.replyTo", `"`+pair+`:1"`)
			}
		}
		w.Refused("BAD_INPUT INVALID_HEAD", "b", publish, vars{"t": pair, "c": "x", "h": vars{"reply": w.ids["b"] + ":1"}}) // the id of the sender's own topic
		w.Refused("BAD_INPUT INVALID_HEAD", "b", publish, vars{"t": pair, "c": "x", "h": vars{"reply": w.ids["a"] + ":9"}})
	})
}

// Values that cannot be stored are refused; others are returned unchanged.
func TestContents(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a")
		topic := w.group("a", nil)
		deep := strings.Repeat("[", 40) + strings.Repeat("]", 40)
		w.Refused("BAD_INPUT INVALID_JSON", "a", fmt.Sprintf(`mutation { publish(topicId: %q, content: %s) { id } }`, topic, deep))
		for _, number := range []json.Number{"1e400", "1e-200", "123456789012345678901234567890123456789"} {
			w.Refused("BAD_INPUT INVALID_JSON", "a", publish, vars{"t": topic, "c": number})
		}
		for _, literal := range []string{"1e400", "-1e400", "[1e400]", "{a: {b: 1e400}}", "1e-200", "123456789012345678901234567890123456789",
			"{a: 0.123456789012345678901234567890123456789}"} {
			w.Refused("BAD_INPUT INVALID_JSON", "a", fmt.Sprintf(`mutation { publish(topicId: %q, content: %s) { id } }`, topic, literal))
		}
		for _, value := range []string{"1e400", "{a: [1e400]}", "123456789012345678901234567890123456789"} {
			w.Refused("BAD_INPUT INVALID_JSON", "a", fmt.Sprintf(`mutation($c: JSON! = %s) { publish(topicId: %q, content: $c) { id } }`, value, topic))
		}
		omitted := w.Asks(
			"a",
			fmt.Sprintf(`mutation($c: JSON! = {n: 12345678901234567890.5, text: "1e400"}, $h: JSON) { publish(topicId: %q, content: $c, head: $h) { content head } }`, topic),
		)
		if !strings.Contains(string(omitted.Data), `{"content":{"n":12345678901234567890.5,"text":"1e400"},"head":null}`) {
			t.Errorf("a large number in the default of a variable comes back as %s %s", omitted.Data, omitted.Refusal())
		}
		exact := w.Asks("a", fmt.Sprintf(`mutation { publish(topicId: %q, content: {n: 12345678901234567890.5, text: "1e400"}) { content } }`, topic))
		if !strings.Contains(string(exact.Data), `{"n":12345678901234567890.5,"text":"1e400"}`) {
			t.Errorf("a large number comes back as %s %s", exact.Data, exact.Refusal())
		}
		w.Refused("BAD_INPUT INVALID_JSON", "a", publish, vars{"t": topic, "c": vars{"": 1}})
		for _, c := range []struct {
			value any
			want  string
		}{
			{"text with <b> & \"quotes\"", `"text with \u003cb\u003e \u0026 \"quotes\""`},
			{vars{"b": 1, "a": []any{nil, true, -1.5, ""}}, `{"a":[null,true,-1.5,""],"b":1}`},
			{0, "0"}, {false, "false"}, {[]any{}, "[]"}, {vars{}, "{}"}, {"", `""`},
		} {
			seq := w.Does("a", publish, vars{"t": topic, "c": c.value}).Int("publish.seqId")
			w.Asked("a", `query($t: ID!, $s: Int!) { message(topicId: $t, seqId: $s) { content } }`, vars{"t": topic, "s": seq}, "message.content", c.want)
		}
	})
}

// Anonymous accounts have only their first token, and get the default access of anonymous
// users (messaging 5.2#4 and 5.3#4).
func TestAnonymous(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a")
		d := w.account("v", vars{"scheme": "ANONYMOUS", "login": nil, "password": nil})
		w.Is(d, "createAccount.level", `"ANON"`)
		w.Is(d, "createAccount.user.tags", "[]")
		w.Asked("v", `mutation { refreshToken { level } }`, nil, "refreshToken.level", `"ANON"`)
		w.Refused("FORBIDDEN NO_PASSWORD", "v", `mutation { changePassword(currentPassword: "", newPassword: "another horse") { id } }`)
		open := w.group("a", vars{"defaultAccess": vars{"anon": "JR"}})
		w.Asked("v", subscribe, vars{"t": open}, "subscribe.access", `{"given":"JR","mode":"JR","want":"JRWPS"}`)
		w.Refused("FORBIDDEN PENDING_APPROVAL", "v", subscribe, vars{"t": w.group("a", nil)})
		w.Asked("v", chat, vars{"u": w.ids["a"]}, "startChat.mySubscription.access.given", `"N"`)
		w.Whole()
	})
}

// Tokens expire after two weeks and are revoked by a new password (messaging 5.1#9 and
// 5.3#5).
func TestTokens(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a")
		d := w.Does("a", `mutation { refreshToken { token expiresAt level } }`)
		expires, err := time.Parse(time.RFC3339Nano, d.Text("refreshToken.expiresAt"))
		if err != nil || expires.Sub(w.Now()).Round(time.Minute) != 14*24*time.Hour {
			t.Errorf("a token ends at %v, %v", expires, err)
		}
		old := d.Text("refreshToken.token")
		w.Does("a", `mutation { changePassword(currentPassword: "correct horse", newPassword: "another horse") { id } }`)
		for _, token := range []string{"a", old} {
			if got := w.Status(token, me); got != 401 {
				t.Errorf("a token from before: %d", got)
			}
		}
		w.Refused("UNAUTHENTICATED", "", `mutation($l: String!) { login(login: $l, password: "correct horse") { token } }`, vars{"l": login("a")})
		in := w.Does("", `mutation($l: String!) { login(login: $l, password: "another horse") { token user { id } } }`, vars{"l": login("a")})
		w.knows("a", in, "login")
		w.Does("a", me)
		w.Advance(14*24*time.Hour + time.Minute)
		if got := w.Status("a", me); got != 401 {
			t.Errorf("after two weeks: %d", got)
		}
		w.Refused("UNAUTHENTICATED", "", `mutation { login(login: "nobody.nobody", password: "another horse") { token } }`)
		w.Whole()
	})
}

// Lists of topics are ordered by their last change across pages (messaging 3#1 and 5.6#3).
func TestMyTopics(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b", "c")
		one, two, three := w.group("a", nil), w.chats("a", "b"), w.group("a", nil)
		w.counts("b", two, 3)
		const list = `query($s: DateTime, $k: [TopicKind!], $d: Boolean, $l: Int, $n: String) { myTopics(since: $s, kinds: $k, includeDeleted: $d, limit: $l, ` +
			`nextToken: $n) { items { topic { id } unread deleted updatedAt } nextToken } }`
		lists := func(v vars, want ...string) {
			t.Helper()
			if got := w.Does("a", list, v).List("myTopics.items", "topic.id"); got != strings.Join(want, " ") {
				t.Errorf("%v lists %s, want %v", v, got, want)
			}
		}
		lists(nil, three, two, one)
		lists(vars{"k": []string{"P2P"}}, two)
		lists(vars{"k": []string{"ME", "FIND"}})
		w.Does("a", setMine, vars{"t": one, "w": "JRWPASDO"})
		w.Does("a", `mutation($t: ID!) { setPrivate(topicId: $t, private: {note: 1}) { private } }`, vars{"t": one})
		lists(nil, one, three, two)
		d := w.Does("a", list, vars{"l": 2})
		w.Is(d, "myTopics.items.0.unread", "0")
		lists(vars{"l": 2, "n": d.Text("myTopics.nextToken")}, two)
		w.Refused("BAD_INPUT INVALID_TOKEN", "b", list, vars{"l": 2, "n": d.Text("myTopics.nextToken")})
		lists(vars{"s": d.Text("myTopics.items.1.updatedAt")}, one)
		w.Does("a", unsubscribe, vars{"t": two})
		w.Does("a", dropTopic, vars{"t": three})
		w.Settle()
		lists(nil, one)
		lists(vars{"d": true}, three, two, one)
		w.Asked("a", `{ unreadTotal }`, nil, "unreadTotal", "0")
		w.Asked("b", `query($t: ID!) { topic(id: $t) { mySubscription { private } } }`, vars{"t": two}, "topic.mySubscription.private", "null")
		w.Whole()
	})
}

// The numbers of store calls of the most frequent requests.
func TestBudgets(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b")
		topic := w.group("a", nil, "b")
		w.counts("a", topic, 60)
		for i := range 19 {
			name := fmt.Sprint("p", i)
			w.account(name, vars{"tags": []string{fmt.Sprint("tag", i)}})
			w.says("a", w.chats("a", name), "hi")
		}
		pair := w.chats("a", "b")
		terms := make([]string, 10)
		for i := range terms {
			terms[i] = fmt.Sprint("tag", i)
		}
		calls := func(as, query string, v vars, most int) {
			t.Helper()
			w.Does(as, me) // whose token is known by then
			w.Settle()
			w.Client.Reset()
			made := 0
			disarm := w.Client.Arm(faultdb.After("TransactWriteItems", 1, func() { made = w.Client.Total() })) // what follows is brought about behind it
			w.Does(as, query, v)
			if !disarm() {
				made = w.Client.Total()
			}
			t.Logf("%d store calls (%s)", made, w.Client)
			if made > most {
				t.Errorf("%s: %d store calls (%s), want at most %d", query, made, w.Client, most)
			}
		}
		calls("a", `{ myTopics(limit: 20) { items { unread topic { id public peer { public } } access { mode } } } }`, nil, 4)
		calls("b", history, vars{"t": topic, "l": 50}, 2)
		calls("a", publish, vars{"t": pair, "c": "x"}, 2)
		calls("b", note, vars{"t": topic, "k": "READ", "s": 5}, 2)
		calls("a", `query($q: String) { findContacts(query: $q) { user { id public } matchedTags } }`, vars{"q": strings.Join(terms, ", ")}, 3)
	})
}

// messaging 5.5 and 6#3: default modes with O do not make anybody an owner, nor offer a group.
func TestDefaultsMakeNoOwners(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "c")
		w.account("b", vars{"defaultAccess": vars{"auth": "JRWPASDO"}})
		w.account("d", vars{"defaultAccess": vars{"auth": "JRWPASDO"}})
		topic := w.group("a", vars{"defaultAccess": vars{"auth": "JRWPSO"}}, "c")
		w.Asked("c", setAccess, vars{"t": topic, "u": w.ids["b"]}, "setAccess.access", `{"given":"JRWPS","mode":"JRWPS","want":"JRWPASD"}`)
		w.Refused("FORBIDDEN OWNER_MODE", "c", setMine, vars{"t": topic, "w": "JRWO"})
		w.Asked("a", setAccess, vars{"t": topic, "u": w.ids["d"], "g": "JRWO"}, "setAccess.access", `{"given":"JRWO","mode":"JRW","want":"JRWPASD"}`)
		w.Whole()
		w.Asked("d", accept, vars{"t": topic}, "acceptOwnership.topic.owner.id", fmt.Sprintf("%q", w.ids["d"]))
		w.Whole()
	})
}

// messaging 5.5#setAccess: there are no users who were deleted or suspended after they left.
func TestInvitingThoseWhoAreGone(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b", "c")
		topic, pair := w.group("a", nil, "b", "c"), w.chats("a", "b")
		for _, name := range []string{"b", "c"} {
			w.Does(name, unsubscribe, vars{"t": topic})
		}
		w.Does("b", `mutation { deleteAccount }`)
		w.Does("oz", `mutation($u: ID!) { suspendUser(id: $u) { id } }`, vars{"u": w.ids["c"]})
		for _, given := range []any{nil, "JR"} {
			w.Refused("NOT_FOUND", "a", setAccess, vars{"t": topic, "u": w.ids["b"], "g": given})
			w.Refused("NOT_FOUND", "a", setAccess, vars{"t": topic, "u": w.ids["c"], "g": given})
			w.Refused("NOT_FOUND", "a", setAccess, vars{"t": pair, "u": w.ids["b"], "g": given})
		}
		w.Does("oz", `mutation($u: ID!) { restoreUser(id: $u) { id } }`, vars{"u": w.ids["c"]})
		w.Does("a", setAccess, vars{"t": topic, "u": w.ids["c"]})
		w.Whole()
	})
}

// messaging 5.5#transfer: a group that was offered to nearly everybody has one owner once one accepts.
func TestManyOffers(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a")
		topic := w.group("a", nil)
		names := make([]string, messaging.MaxSubscribers-1)
		for i := range names {
			names[i] = fmt.Sprint("member", i)
		}
		w.joins(names...)
		for _, name := range names {
			w.Does(name, subscribe, vars{"t": topic})
			w.Does("a", offer, vars{"t": topic, "u": w.ids[name]})
		}
		w.Asked(names[100], accept, vars{"t": topic}, "acceptOwnership.topic.owner.id", fmt.Sprintf("%q", w.ids[names[100]]))
		for _, name := range []string{"a", names[0], names[99], names[126]} {
			w.Refused("FORBIDDEN NOT_OFFERED", name, accept, vars{"t": topic})
		}
		w.Whole()
	})
}
