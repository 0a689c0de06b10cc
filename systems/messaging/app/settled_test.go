package app_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/internal/apptest"
	"stoa/internal/kit/page"
	"stoa/systems/messaging"
	"stoa/systems/messaging/app"
	"stoa/systems/messaging/store"
)

// The settled points of docs/rules/messaging.md, row by row. The scenarios cover shared tags (messaging 7#4)
// and what strangers see of a topic (messaging 7#24).

const me = `{ me { id } }`

// messaging 5.1#3, 5.3#3 and 8#tag-limit: a user has 16 tags and that of the login.
func TestTagLimit(t *testing.T) {
	test(t, func(w *world) {
		var many []string
		for i := range 18 {
			many = append(many, fmt.Sprintf("tag%02d", i))
		}
		d := w.account("a", vars{"tags": many})
		if got := d.At("createAccount.user.tags").([]any); len(got) != 17 || got[0] != "basic:"+login("a") || got[16] != "tag15" {
			t.Errorf("tags %v", got)
		}
		w.Whole()
	})
}

// messaging 5.5#startChat and 8#two-person-rows: both users want what is usual or the given
// mode, and permissions not given yet take effect once they are.
func TestTwoPersonRows(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "c")
		w.account("b", vars{"defaultAccess": vars{"auth": "JR"}})
		const rows = `query($t: ID!, $u: ID) { subscription(topicId: $t, userId: $u) { access { want given } } }`
		topic := w.chats("a", "b")
		w.Asked("a", rows, vars{"t": topic}, "subscription.access", `{"given":"JRA","want":"JRWPA"}`)
		w.Asked("a", rows, vars{"t": topic, "u": w.ids["b"]}, "subscription.access", `{"given":"JRWPA","want":"JRWPA"}`)
		d := w.Does("a", chat, vars{"u": w.ids["c"], "i": vars{"mode": "jrds", "peerMode": "RD", "private": vars{"note": 1}}})
		w.Is(d, "startChat.mySubscription.access", `{"bits":19,"given":"JRWPA","mode":"JRA","want":"JRA"}`)
		w.Asked("c", rows, vars{"t": w.ids["a"]}, "subscription.access", `{"given":"RA","want":"JRWPA"}`)
		w.Whole()
	})
}

// messaging 5.2#3, 5.5#subscribe and 8#subscribe-without-mode: a subscriber without a mode
// wants JRWPS and is given the default of the topic.
func TestSubscribeWithoutMode(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b", "c")
		topic := w.group("a", vars{"defaultAccess": vars{"auth": "JRWPASD"}})
		w.Asked("b", subscribe, vars{"t": topic, "m": ""}, "subscribe.access", `{"given":"JRWPASD","mode":"JRWPS","want":"JRWPS"}`)
		w.Asked("c", subscribe, vars{"t": topic, "m": "JR", "p": "mine"}, "subscribe.access.mode", `"JR"`)
		w.Refused("FORBIDDEN OWNER_MODE", "c", subscribe, vars{"t": w.group("a", nil), "m": "JRO"})
		w.Does("c", unsubscribe, vars{"t": topic})
		w.Refused("FORBIDDEN OWNER_MODE", "c", subscribe, vars{"t": topic, "m": "JRO"})
		w.Asked("c", subscribe, vars{"t": topic}, "subscribe.access", `{"given":"JRWPASD","mode":"JR","want":"JR"}`) // modes stay (messaging 5.5#unsubscribe)
		w.Does("c", unsubscribe, vars{"t": topic})
		w.Asked("c", subscribe, vars{"t": topic, "m": "JRW"}, "subscribe.access", `{"given":"JRWPASD","mode":"JRW","want":"JRW"}`)
		w.Whole()
	})
}

// messaging 5.2#6, 5.8#2 and 8#two-person-permissions: nobody can delete for everybody in a
// two-person topic.
func TestTwoPersonDeletions(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b")
		topic := w.chats("a", "b")
		w.counts("a", topic, 5)
		w.Asked("b", setAccess, vars{"t": topic, "u": w.ids["a"], "g": "JRWPASDO"}, "setAccess.access.given", `"JRWPA"`)
		w.Asked("a", erase, vars{"t": topic, "s": []int{2}, "h": true}, "deleteMessages.hard", "false")
		w.Asked("a", erase, vars{"t": topic, "b": 1, "h": true}, "deleteMessages.hard", "false")
		w.sees("a", topic, "3 4 5")
		w.sees("b", topic, "1 2 3 4 5")
		w.Whole()
	})
}

// messaging 5.5#deleteTopic, 5.6#2 and 8#ended-two-person-topic: a topic that both users
// left is restored with its numbering.
func TestEndedTwoPersonTopic(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b")
		topic := w.chats("a", "b")
		w.counts("a", topic, 3)
		w.Does("a", unsubscribe, vars{"t": w.ids["b"]})
		w.Asked("a", `query($t: ID!) { topic(id: $t) { id } }`, vars{"t": topic}, "topic", "null")
		w.says("b", topic, "are you there")
		w.Asked("b", `query($t: ID!) { topic(id: $t) { subscriberCount } }`, vars{"t": topic}, "topic.subscriberCount", "1")
		w.chats("a", "b")
		w.sees("a", topic, "1 2 3 4")
		w.Does("a", dropTopic, vars{"t": topic})
		w.Whole()
		w.Does("b", dropTopic, vars{"t": topic})
		w.Whole()
		w.Refused("NOT_FOUND", "b", publish, vars{"t": topic, "c": "x"})
		w.Asked("b", chat, vars{"u": w.ids["a"]}, "startChat.seqId", "4")
		w.Asked("a", publish, vars{"t": w.ids["b"], "c": "x"}, "publish.seqId", "5")
		w.Whole()
		w.Does("a", dropTopic, vars{"t": topic, "h": true})
		w.Does("b", dropTopic, vars{"t": topic, "h": true})
		w.Whole()
		w.chats("b", "a")
		w.sees("b", topic, "")
		w.Asked("b", publish, vars{"t": topic, "c": "x"}, "publish.seqId", "6")
		w.Whole()
	})
}

// messaging 5 and 8#missing-topic: of a topic that does not exist, single things are null,
// and lists and mutations NOT_FOUND.
func TestMissingTopic(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b")
		for _, name := range []string{"grpAAAAAAAAAAA", "grp", "nonsense", "", "usr", w.ids["b"], "p2pAAAAAAAAAAAAAAAAAAAAAA", "usrAAAAAAAAAA!", "fnd" + w.ids["b"][3:]} {
			v := vars{"t": name, "u": w.ids["b"], "c": "x", "s": 1, "k": "READ", "w": "JR", "b": 1}
			for path, query := range map[string]string{
				"topic": `query($t: ID!) { topic(id: $t) { id } }`, "subscription": `query($t: ID!) { subscription(topicId: $t) { id } }`,
				"message": `query($t: ID!) { message(topicId: $t, seqId: 1) { id } }`,
			} {
				w.Asked("a", query, v, path, "null")
			}
			for _, query := range []string{
				history, publish, edit, note, subscribe, unsubscribe, setMine, setAccess, offer, accept, remove, dropTopic, erase,
				`query($t: ID!) { topicSubscribers(topicId: $t) { nextToken } }`, `query($t: ID!) { deletedMessages(topicId: $t) { nextToken } }`,
				`mutation($t: ID!) { setPrivate(topicId: $t, private: 1) { id } }`, `mutation($t: ID!) { updateTopic(id: $t, input: {}) { id } }`,
			} {
				if got := w.Asks("a", query, v).Refusal(); got != "NOT_FOUND" {
					t.Errorf("%s of %q is refused with %q", query, name, got)
				}
			}
		}
	})
}

// messaging 8#input-types: they have the names that clients use.
func TestInputTypes(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a")
		d := w.Does("a", `{ __schema { types { kind name } subscriptionType { fields { name } } } }`)
		for _, name := range []string{"CreateAccountInput", "UpdateAccountInput", "CreateGroupInput", "StartChatInput", "UpdateTopicInput", "DefaultAccessInput", "SeqRange",
			"SortOrder", "Subscription"} {
			if !strings.Contains(d.List("__schema.types", "name"), name) {
				t.Errorf("there is no %s", name)
			}
		}
		if got := d.List("__schema.subscriptionType.fields", "name"); got != "topicEvents myEvents" {
			t.Errorf("subscriptions %s", got)
		}
	})
}

// messaging 8#without-a-token: checking tags and signing in need no token, everything else
// does.
func TestWithoutToken(t *testing.T) {
	test(t, func(w *world) {
		w.account("a", vars{"tags": []string{"flowers"}})
		w.Asked(
			"",
			`{ checkTags(tags: [" Flowers", "birds", "x", "-bad"]) { tag normalized available } }`,
			nil,
			"checkTags",
			`[{"available":false,"normalized":"flowers","tag":" Flowers"},{"available":true,"normalized":"birds","tag":"birds"},{"available":false,"normalized":null,"tag":"x"},`+
				`{"available":false,"normalized":null,"tag":"-bad"}]`,
		)
		w.Does("", `mutation($l: String!) { login(login: $l, password: "correct horse") { token } }`, vars{"l": login("a")})
		for _, query := range []string{me, `{ myTopics { nextToken } }`, `mutation { refreshToken { token } }`} {
			if got := w.Status("", query); got != http.StatusUnauthorized {
				t.Errorf("%s without a token: %d", query, got)
			}
		}
	})
}

// messaging 5.1#5-6, 5.3#1 and 8#codes: what is too large or too many, wrong passwords, and
// taken logins and tags.
func TestCodes(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a")
		topic := w.group("a", nil)
		text := strings.Repeat("x", 131_072-2-len(`{"mime":"t"}`))
		v := vars{"t": topic, "c": text, "h": vars{"mime": "t"}}
		w.Does("a", publish, v)
		v["c"] = text + "x"
		w.Refused("LIMIT_EXCEEDED MESSAGE_TOO_LARGE", "a", publish, v)
		w.Refused("LIMIT_EXCEEDED MESSAGE_TOO_LARGE", "a", edit, vars{"t": topic, "s": 1, "c": strings.Repeat("x", 131_072)})
		w.counts("a", topic, 130)
		w.Refused("BAD_INPUT TOO_MANY", "a", erase, vars{"t": topic, "r": []vars{{"low": 1, "high": 129}}})
		w.Refused("BAD_INPUT TOO_MANY", "a", erase, vars{"t": topic, "r": []vars{{"low": 1, "high": 100}, {"low": 50, "high": 140}}})
		w.Refused("BAD_INPUT TOO_MANY", "a", erase, vars{"t": topic, "r": []vars{{"low": 1, "high": 2147483647}}})
		w.Asked("a", erase, vars{"t": topic, "s": []int{5, 5, 128}, "r": []vars{{"low": 1, "high": 100}, {"low": 2, "high": 128}}, "h": true}, "deleteMessages.changed", "true")
		w.sees("a", topic, numbers(1, 100)) // or what is left of them
		const (
			changePassword = `mutation($c: String!, $n: String!) { changePassword(currentPassword: $c, newPassword: $n) { id } }`
			changeLogin    = `mutation($c: String!, $l: String!) { changeLogin(currentPassword: $c, login: $l) { tags } }`
		)
		w.Refused("FORBIDDEN WRONG_PASSWORD", "a", changePassword, vars{"c": "wrong", "n": "another horse"})
		w.Refused("FORBIDDEN WRONG_PASSWORD", "a", changeLogin, vars{"c": "wrong", "l": "kestrel"})
		w.Refused("BAD_INPUT INVALID_PASSWORD", "a", changePassword, vars{"c": password, "n": "short"})
		w.Refused("BAD_INPUT INVALID_PASSWORD", "a", changePassword, vars{"c": password, "n": strings.Repeat("x", 73)})
		w.Asked("a", changeLogin, vars{"c": password, "l": "Kestrel"}, "changeLogin.tags", `["basic:kestrel"]`)
		w.joins("b")
		w.Refused("CONFLICT LOGIN_TAKEN", "b", changeLogin, vars{"c": password, "l": "kestrel"})
		w.account("c", vars{"tags": []string{"birds", "flowers"}})
		a := w.Asks("b", `mutation { updateAccount(input: {tags: ["birds", "free", "flowers"]}) { tags } }`)
		if a.Refusal() != "CONFLICT TAGS_TAKEN" || !slices.Equal(a.Errors[0].Extensions.Tags, []string{"birds", "flowers"}) {
			t.Errorf("refused with %v", a.Errors)
		}
		w.Whole()
	})
}

// messaging 4.1, 4.3, 5.3#5-6 and 8#root: operators of the service, who need no account here,
// suspend and restore users.
func TestRoot(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b")
		const (
			suspend = `mutation($u: ID!) { suspendUser(id: $u) { state } }`
			restore = `mutation($u: ID!) { restoreUser(id: $u) { state } }`
		)
		a := vars{"u": w.ids["a"]}
		w.Refused("FORBIDDEN ROOT_ONLY", "b", suspend, a)
		w.Refused("FORBIDDEN ROOT_ONLY", "b", restore, a)
		w.Refused("NOT_FOUND", "oz", suspend, vars{"u": "usrAAAAAAAAAAA"})
		w.Refused("NOT_FOUND", "oz", suspend, vars{"u": "a"})
		w.People.Identity("mallory") // of the service, but no operator
		if got := w.Status("mallory", me); got != http.StatusUnauthorized {
			t.Errorf("somebody without an account: %d", got)
		}
		w.Refused("UNAUTHENTICATED", "oz", me)
		w.Asked("oz", suspend, a, "suspendUser.state", `"SUSPENDED"`)
		w.Asked("oz", `query($u: ID!) { user(id: $u) { state tags } }`, a, "user", `{"state":"SUSPENDED","tags":null}`)
		if got := w.Status("a", me); got != http.StatusUnauthorized {
			t.Errorf("a suspended user: %d", got)
		}
		signIn := vars{"l": login("a"), "p": password}
		const in = `mutation($l: String!, $p: String!) { login(login: $l, password: $p) { token user { id } level } }`
		w.Refused("UNAUTHENTICATED", "", in, signIn)
		w.Refused("NOT_FOUND", "b", chat, a)
		w.Asked("oz", restore, a, "restoreUser.state", `"OK"`)
		if got := w.Status("a", me); got != http.StatusUnauthorized {
			t.Errorf("a token from before the suspension: %d", got)
		}
		w.knows("a", w.Does("", in, signIn), "login")
		w.Does("a", me)
		w.Whole()
	})
}

// messaging 8#senders-sessions: noEcho spares the subscription that published, or all of
// the account.
func TestNoEcho(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b")
		topic := w.chats("a", "b")
		listen := func(client string) string {
			return fmt.Sprintf(`subscription { topicEvents(topicId: %q%s) { seqId } }`, topic, client)
		}
		w.Listen("a", listen(`, clientId: "phone"`))
		w.Listen("a", listen(`, clientId: "tablet"`))
		w.Listen("a", listen(""))
		w.Listen("b", listen(""))
		if heard := w.TakeHeard(); len(heard) > 0 {
			t.Fatalf("heard %v", heard)
		}
		for _, c := range []struct {
			v    vars
			a, b int
		}{
			{vars{}, 3, 1},
			{vars{"n": true}, 0, 1},
			{vars{"n": true, "k": "phone"}, 1, 1},
			{vars{"k": "phone"}, 3, 1},
		} {
			w.TakeHeard()
			w.Does("a", publish, vars{"t": topic, "c": "x"}, c.v)
			w.Settle()
			heard := w.TakeHeard()
			if len(heard["a"]) != c.a || len(heard["b"]) != c.b {
				t.Errorf("%v: heard %v, want %d and %d", c.v, heard, c.a, c.b)
			}
		}
	})
}

// messaging 5.3#5, 5.3#7 and 8#deletion: tokens of a deleted account are refused at once,
// its groups are gone, and its messages stay.
func TestDeletionEndsTokens(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b", "c")
		topic, kept := w.group("a", nil, "b"), w.chats("a", "b")
		w.says("a", kept, "bye")
		w.group("b", nil, "a")
		w.Asked("a", `mutation { deleteAccount }`, nil, "deleteAccount", "true")
		if got := w.Status("a", me); got != http.StatusUnauthorized {
			t.Errorf("after the deletion: %d", got)
		}
		w.Refused("UNAUTHENTICATED", "", `mutation($l: String!) { login(login: $l, password: "correct horse") { token } }`, vars{"l": login("a")})
		w.Whole()
		w.Refused("NOT_FOUND", "b", publish, vars{"t": topic, "c": "x"})
		w.Asked("b", `query($t: ID!) { message(topicId: $t, seqId: 1) { from { state } } }`, vars{"t": kept}, "message.from", `{"state":"DELETED"}`)
		left, err := store.Open(w.DB).Subscriptions.By(t.Context(), w.of("a"), time.Time{}, page.Query{First: page.Max}, false)
		if err != nil || len(left.Items) != 5 || slices.ContainsFunc(left.Items, (*messaging.Subscription).Active) {
			t.Errorf("a deleted user has the subscriptions %v, %v", left.Items, err)
		}
		w.account("again", vars{"login": login("a")})

		w.says("c", w.chats("c", "b"), "bye")
		mine := w.group("c", nil, "b")
		w.says("b", mine, "x")
		w.Does("c", `mutation { deleteAccount(hard: true) }`)
		w.Whole()
		w.Asked("b", `query($u: ID!) { user(id: $u) { id } }`, vars{"u": w.ids["c"]}, "user", "null")
		w.Asked(
			"b",
			`query($t: ID!) { message(topicId: $t, seqId: 1) { from { id } content } topic(id: $t) { peer { id } public } }`,
			vars{"t": w.ids["c"]},
			"message",
			`{"content":"bye","from":null}`,
		)
		w.Asked("b", `query($t: ID!) { topic(id: $t) { id } }`, vars{"t": mine}, "topic", "null")
	})
}

// messaging 6#6 and 8#live-subscribers: a subscription counts while both modes have J.
func TestLiveSubscribers(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b", "c")
		topic := w.group("a", nil, "b", "c")
		count := func(want string) {
			t.Helper()
			w.Asked("a", `query($t: ID!) { topic(id: $t) { subscriberCount } }`, vars{"t": topic}, "topic.subscriberCount", want)
			w.Whole()
		}
		count("3")
		w.Does("b", setMine, vars{"t": topic, "w": "N"})
		count("2")
		w.Does("a", setAccess, vars{"t": topic, "u": w.ids["c"], "g": "N"})
		count("1")
		w.Does("b", setMine, vars{"t": topic, "w": "JRW"})
		w.Does("a", setAccess, vars{"t": topic, "u": w.ids["c"], "g": "JR"})
		count("3")
		w.Does("a", remove, vars{"t": topic, "u": w.ids["c"]})
		count("2")
	})
}

// messaging 5.6#5 and 8#replacing: publish with head.replace follows the rule of
// editMessage.
func TestReplacing(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b")
		topic := w.group("a", nil, "b")
		w.says("b", topic, "one", "two")
		w.Does("a", erase, vars{"t": topic, "s": []int{1}, "h": true})
		replace := func(seq string) vars { return vars{"t": topic, "c": "x", "h": vars{"replace": seq}} }
		w.Refused("NOT_FOUND", "b", publish, replace(":1"))
		w.Refused("NOT_FOUND", "b", edit, vars{"t": topic, "s": 1, "c": "x"})
		w.Refused("FORBIDDEN NOT_AUTHOR", "a", publish, replace(":2"))
		for _, seq := range []int{3, 9} {
			w.Refused("NOT_FOUND", "b", edit, vars{"t": topic, "s": seq, "c": "x"})
			w.Refused("NOT_FOUND", "b", publish, replace(fmt.Sprint(":", seq)))
		}
		w.Asked("b", publish, replace(":2"), "publish.replaces", "2")
	})
}

// messaging 5.8#1, 5.8#4, 5.8#6 and 8#bounds: in queries `before` is exclusive, in
// deletions inclusive.
func TestBounds(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a")
		topic := w.group("a", nil)
		w.counts("a", topic, 6)
		d := w.Does("a", history, vars{"t": topic, "s": 2, "b": 4, "o": "ASC"})
		if got := d.List("messages.items", "seqId"); got != "2 3" {
			t.Errorf("listed %s", got)
		}
		w.Asked("a", erase, vars{"t": topic, "b": 4, "h": true}, "deleteMessages.clearId", "4")
		w.sees("a", topic, "5 6")
		for _, before := range []int{0, -1, 7} {
			w.Refused("BAD_INPUT INVALID_RANGE", "a", erase, vars{"t": topic, "b": before})
		}
		w.Asked("a", erase, vars{"t": topic, "b": 3, "h": true}, "deleteMessages", `{"changed":false,"clearId":4,"hard":true,"seqIds":[],"topicId":"`+topic+`"}`)
		w.Whole()
	})
}

// messaging 2.6, 6#9 and 8#settings: how long messages are kept.
func TestLives(t *testing.T) {
	o := cheap
	o.Lifetimes.Group = time.Hour
	apptest.Test(t, app.System(o), func(world_ *apptest.World) {
		w := &world{World: world_, ids: map[string]string{}}
		w.joins("a", "b")
		life := func(topic string) time.Duration {
			d := w.Does("a", publish, vars{"t": topic, "c": "x"})
			created, err := time.Parse(time.RFC3339Nano, d.Text("publish.createdAt"))
			if err != nil {
				t.Fatal(err)
			}
			expires, err := time.Parse(time.RFC3339Nano, d.Text("publish.expiresAt"))
			if err != nil {
				t.Fatal(err)
			}
			return expires.Sub(created).Round(time.Second)
		}
		if got := life(w.group("a", nil)); got != time.Hour {
			t.Errorf("messages of a group are kept for %s", got)
		}
		if got := life(w.chats("a", "b")); got != 365*24*time.Hour {
			t.Errorf("messages of a two-person topic are kept for %s", got)
		}
	})
}

// messaging 5.1#8 and 8#device-id: a device has the id that its client gives, and the
// oldest of more than twenty is dropped.
func TestDeviceIDs(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a")
		const register = `mutation($d: ID!) { registerDevice(id: $d, platform: WEB, lang: "en") { id lang lastSeen } }`
		w.Asked("a", register, vars{"d": "d:1/x"}, "registerDevice.id", `"d:1/x"`)
		for i := range 21 {
			w.Does("a", register, vars{"d": fmt.Sprint("device ", i)})
		}
		d := w.Does("a", `{ me { devices { id } } }`)
		if got := d.List("me.devices", "id"); strings.Contains(got, "d:1/x") || strings.Contains(got, "device 0") || !strings.Contains(got, "device 20") {
			t.Errorf("devices %s", got)
		}
		w.Refused("BAD_INPUT INVALID_LENGTH", "a", register, vars{"d": ""})
		w.Whole()
	})
}

// messaging 5.8#4: pages go on after the messages that they would show were cleared.
func TestClearingBetweenPages(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b")
		topic := w.group("a", nil, "b")
		w.counts("a", topic, 12)
		next := map[string]string{}
		for _, order := range []string{"ASC", "DESC"} {
			next[order] = w.Does("b", history, vars{"t": topic, "l": 4, "o": order}).Text("messages.nextToken")
		}
		page := func(order, want string) {
			t.Helper()
			d := w.Does("b", history, vars{"t": topic, "l": 4, "o": order, "n": next[order]})
			if got := d.List("messages.items", "seqId"); got != want {
				t.Errorf("%s goes on with %s, want %s", order, got, want)
			}
		}
		w.Does("a", erase, vars{"t": topic, "b": 6, "h": true})
		page("ASC", "7 8 9 10")
		page("DESC", "8 7")
		w.Does("b", erase, vars{"t": topic, "b": 10})
		page("ASC", "11 12")
		page("DESC", "")
		w.Refused("BAD_INPUT INVALID_TOKEN", "b", history, vars{"t": topic, "l": 4, "o": "ASC", "n": next["DESC"]})
	})
}

// messaging 4.1 and 5.9#1: who is online is so in the answers to changes of the account, too.
func TestOnlineInAnswers(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a")
		w.Does("a", `mutation { goOnline }`)
		for _, c := range [][3]string{
			{"a", `updateAccount(input: {public: 1}) { online }`, "updateAccount"},
			{"a", `changeLogin(currentPassword: $p, login: "other.login") { online }`, "changeLogin"},
			{"", `login(login: "other.login", password: $p) { user { online } }`, "login.user"},
			{"a", `refreshToken { user { online } }`, "refreshToken.user"},
			{"oz", `restoreUser(id: $a) { online }`, "restoreUser"},
			{"oz", `suspendUser(id: $a) { online }`, ""},
			{"oz", `restoreUser(id: $a) { online }`, "restoreUser"},
		} {
			fill := strings.NewReplacer("$p", fmt.Sprintf("%q", password), "$a", fmt.Sprintf("%q", w.ids["a"]))
			d := w.Does(c[0], `mutation { `+fill.Replace(c[1])+` }`)
			if c[2] != "" {
				w.Is(d, c[2]+".online", "true")
			}
		}
		w.knows("a", w.Does("", `mutation($p: String!) { login(login: "other.login", password: $p) { token user { id } } }`, vars{"p": password}), "login")
		w.Asked("a", `mutation($p: String!) { changePassword(currentPassword: $p, newPassword: "another horse") { online } }`, vars{"p": password}, "changePassword.online", "true")
		w.knows("a", w.Does("", `mutation { login(login: "other.login", password: "another horse") { token user { id } } }`), "login")
		w.Does("a", `mutation { goOffline }`)
		w.Asked("a", `mutation { updateAccount(input: {public: 2}) { online } }`, nil, "updateAccount.online", "false")
	})
}
