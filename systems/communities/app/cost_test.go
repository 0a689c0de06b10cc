package app_test

import (
	"fmt"
	"testing"

	"stoa/internal/apptest"
	"stoa/systems/communities/app"
)

// BenchmarkMostExpensive prints the cost of the most expensive operations without a token:
// each requests one field as often as its price allows, which should take at most about 50
// ms of CPU time, or as much as a password hash.
func BenchmarkMostExpensive(b *testing.B) {
	w := &world{World: apptest.Bench(b, app.System(app.Options{})), ids: map[string]string{}}
	for _, p := range w.MutationCosts("", map[string]string{
		"Mutation.register":       `input:{username:"new#",name:"x",email:"new#@example.com",password:"correct horse",location:{city:"a",state:"b",country:"c"}}`,
		"Mutation.login":          `login:"ana.#",password:"correct horse"`,
		"Mutation.refreshSession": `refreshToken:"x.y#"`,
	}) {
		fmt.Println(p)
	}
}
