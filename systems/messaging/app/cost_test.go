package app_test

import (
	"fmt"
	"testing"

	"stoa/internal/apptest"
	"stoa/systems/messaging/app"
)

// BenchmarkMostExpensive prints the cost of the most expensive operations without a token,
// and with that of an anonymous account: each requests one field as often as its price
// allows, which should take at most about 50 ms of CPU time.
func BenchmarkMostExpensive(b *testing.B) {
	w := &world{World: apptest.Bench(b, app.System(app.Options{})), ids: map[string]string{}}
	w.joins("ana")
	anyone := "Bearer " + w.Does("", create, vars{"i": vars{"scheme": "ANONYMOUS"}}).Text("createAccount.token")
	topic := w.Does(anyone, `mutation { createGroup { id } }`, nil).Text("createGroup.id")
	for i := range 50 {
		w.Does(anyone, `mutation($t: ID!, $c: JSON!) { publish(topicId: $t, content: $c) { id } }`, vars{"t": topic, "c": fmt.Sprint("hello ", i)})
	}
	for _, p := range w.QueryCosts(anyone,
		map[string]string{"Query.topic": fmt.Sprintf("id:%q", topic), "Query.messages": fmt.Sprintf("topicId:%q", topic), "Query.findContacts": `query:"ana"`})[:10] {
		fmt.Println(p)
	}
	mutations := map[string]string{
		"Mutation.createAccount": `input:{scheme:ANONYMOUS}`, "Mutation.login": `login:"ana.#",password:"correct horse"`,
		"Mutation.publish":       fmt.Sprintf(`topicId:%q,content:"x"`, topic),
		"Mutation.updateAccount": `input:{public:"x",tags:["tag#"]}`, "Mutation.setPrivate": fmt.Sprintf(`topicId:%q,private:"x#"`, topic),
		"Mutation.updateTopic":    fmt.Sprintf(`id:%q,input:{public:"x#"}`, topic),
		"Mutation.registerDevice": `id:"device #",platform:ANDROID`, "Mutation.setSavedSearch": `query:"ana #"`, "Mutation.note": fmt.Sprintf(`topicId:%q,kind:READ,seqId:1`, topic),
	}
	for _, as := range []string{"", anyone} {
		for _, p := range w.MutationCosts(as, mutations) {
			fmt.Println(p)
		}
	}
}
