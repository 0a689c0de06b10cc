package app_test

import (
	"testing"
)

// Scenario 1: logins and tags have one form.
func TestScenario1(t *testing.T) {
	test(t, func(w *world) {
		d := w.account("k", vars{"login": "Kestrel", "tags": []string{"Flowers", " flowers ", "email:a@x.org"}})
		w.Is(d, "createAccount.user.tags", `["basic:kestrel","email:a@x.org","flowers"]`)
		in := w.Does("", `mutation { login(login: "kestrel", password: "correct horse") { level user { id } } }`)
		w.Is(in, "login.level", `"AUTH"`)
		w.Is(in, "login.user.id", `"`+w.ids["k"]+`"`)
		w.Whole()
	})
}

// Scenario 6: two who start a chat at once get the same one.
func TestScenario6(t *testing.T) {
	test(t, func(w *world) {
		w.joins("a", "b")
		topic := w.chats("a", "b")
		w.says("a", topic, "hi")
		w.says("b", w.ids["a"], "ho")
		w.sees("b", topic, "1 2")
		w.Whole()
	})
}
