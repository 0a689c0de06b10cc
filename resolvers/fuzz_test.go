package resolvers_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"stoa/graph"
	"stoa/internal/kit/hostile"
	"stoa/internal/server"
	"stoa/internal/server/operation"
	"stoa/internal/server/wire"
)

// times repeats a text; # is replaced by the number of the repetition.
func times(n int, text string) string {
	var all strings.Builder
	for i := range n {
		all.WriteString(strings.ReplaceAll(text, "#", fmt.Sprint(i)))
	}
	return all.String()
}

// upTo repeats a text up to almost hostile.Size bytes, leaving room for its surroundings.
func upTo(text string) string { return times((hostile.Size-200)/(len(text)+3), text) }

// hostileDocuments returns documents that are as expensive as their size permits.
func hostileDocuments() map[string]string {
	return map[string]string{
		"aliases":               `{` + times(1900, ` a#:__typename`) + `}`,
		"objects":               `{` + times(1900, ` a#:self{userId}`) + `}`,
		"arguments":             `{` + times(1200, ` a#:user(userId:"x"){userId}`) + `}`,
		"the same argument":     `{user(` + upTo(` userId:"x"`) + `){userId}}`,
		"unknown arguments":     `{user(` + upTo(` userIde#:"x"`) + `){userId}}`,
		"fragments":             `{` + times(300, ` ...F#`) + `}` + times(300, ` fragment F# on Query{a#:self{userId}}`),
		"fragments not used":    `{__typename}` + upTo(` fragment F# on Query{__typename}`),
		"one not used":          `{__typename} fragment F on Query{` + times(14_000, ` __typename`)[:hostile.Size-200] + `}`,
		"operations of one":     times(1400, ` query q#{...F}`) + ` fragment F on Query{` + times(1500, ` a#:__typename`) + `}`,
		"fragments of one":      `{...F}` + times(900, ` fragment F# on Query{...F}`) + ` fragment F on Query{` + times(1500, ` a#:__typename`) + `}`,
		"inline fragments":      `{` + strings.Repeat(`...{`, 900) + strings.Repeat(` __typename`, 300) + strings.Repeat(`}`, 901),
		"one fragment":          `{` + strings.Repeat(` ...F`, 4900) + `} fragment F on Query{__typename}`,
		"a field far down":      strings.Repeat(`{self`, 70) + `{` + strings.Repeat(` userId`, 13_000) + strings.Repeat(`}`, 71),
		"fragments that fork":   times(1000, ` query q#{...F0}`) + forks(13),
		"lists in arguments":    `{` + strings.Repeat(` user(userId:[`+strings.Repeat(`1 `, 20)+`]){userId}`, 300) + `}`,
		"different fields":      `{self{` + times(300, ` a:userId a:username`) + `}}`,
		"fragments in a ring":   `{...F0}` + times(900, ` fragment F# on Query{...F0 ...F1 ...F2 ...F3}`),
		"fragments of one name": `{...F}` + upTo(` fragment F on Query{__typename}`),
		"fragments in a chain":  `{...F0}` + times(1400, ` fragment F# on Query{...F1#}`),
		"unknown fragments":     `{` + upTo(` ...F#`) + `}`,
		"unknown types":         `{` + upTo(` ...on Usre#{userId}`) + `}`,
		"impossible fragments":  `{` + upTo(` ...on User{userId}`) + `}`,
		"variables":             `query(` + times(1200, ` $v#:ID!`) + `){` + times(600, ` a#:user(userId:$v#){__typename}`) + `}`,
		"variables not used":    `query(` + upTo(` $v#:ID`) + `){__typename}`,
		"variables of one name": `query(` + upTo(` $v:ID`) + `){__typename}`,
		"variables not defined": `{` + upTo(` a#:user(userId:$v#){userId}`) + `}`,
		"variables of no type":  `query(` + upTo(` $v#:Strnig`) + `){__typename}`,
		"directives":            `{__typename` + upTo(` @skip(if:true)`) + `}`,
		"unknown directives":    `{__typename` + upTo(` @skpi#`) + `}`,
		"a list":                `mutation{setUserDetails(matchGenders:[` + upTo(` MALE`) + `]){userId}}`,
		"a list of no values":   `mutation{setUserDetails(matchGenders:[` + upTo(` MALEE`) + `]){userId}}`,
		"nested lists":          `mutation{setUserDetails(matchGenders:` + strings.Repeat(`[`, 7000) + strings.Repeat(`]`, 7000) + `){userId}}`,
		"nested objects":        `{findContacts(contacts:` + strings.Repeat(`{a:`, 4900) + `1` + strings.Repeat(`}`, 4900) + `){contactId}}`,
		"nested fields":         strings.Repeat(`{self`, 7000) + strings.Repeat(`}`, 7000),
		"nested fragments":      strings.Repeat(`{...`, 7000) + strings.Repeat(`}`, 7000),
		"input objects":         `{findContacts(contacts:[` + upTo(` {contactId:"x"}`) + `]){contactId}}`,
		"one input object":      `{findContacts(contacts:{` + upTo(` contactId:"x"`) + `}){contactId}}`,
		"unknown inputs":        `{findContacts(contacts:{` + upTo(` contcatId#:"x"`) + `}){contactId}}`,
		"unknown fields":        `{` + upTo(` x#`) + `}`,
		"fields nearly there":   `{self{` + upTo(` usreId#`) + `}}`,
		"a long field":          `{self{` + strings.Repeat(`u`, hostile.Size-100) + `}}`,
		"long fields":           `{self{` + times(90, ` `+strings.Repeat("userId", 180)+"#") + `}}`,
		"a long value":          `mutation{setUserDetails(privacyStatus:` + strings.Repeat(`P`, hostile.Size-100) + `){userId}}`,
		"operations":            upTo(` query q#{__typename}`),
		"operations of a name":  upTo(` query q{__typename}`),
		"operations, no name":   upTo(` {__typename}`),
		"subscriptions":         upTo(` subscription s#{onNotification(userId:"x"){type}}`),
		"a subscription to all": `subscription{` + upTo(` a#:onNotification(userId:"x"){type}`) + `}`,
		"a text":                `{user(userId:"` + strings.Repeat("x", hostile.Size-100) + `"){userId}}`,
		"a text of escapes":     `{user(userId:"` + strings.Repeat(`\u0041`, hostile.Size/7) + `"){userId}}`,
		"a block text":          `{user(userId:"""` + strings.Repeat("\n x", hostile.Size/4) + `"""){userId}}`,
		"an indented text":      `{user(userId:"""` + strings.Repeat("\n"+strings.Repeat(" ", 100)+"x", hostile.Size/110) + `"""){userId}}`,
		"an open text":          `{user(userId:"` + strings.Repeat(`\\`, hostile.Size/3),
		"a comment":             `{__typename} #` + strings.Repeat("x", hostile.Size-100),
		"comments":              `{__typename}` + strings.Repeat("#\n", hostile.Size/3),
		"commas":                `{__typename}` + strings.Repeat(",", hostile.Size-100),
		"a long number":         `{searchUsers(searchToken:"x",limit:` + strings.Repeat("9", hostile.Size-100) + `){nextToken}}`,
		"a long exponent":       `{searchUsers(searchToken:"x",limit:1e` + strings.Repeat("9", hostile.Size-100) + `){nextToken}}`,
		"definitions":           upTo(` type T#{a:Int}`),
		"types":                 `query($v:` + strings.Repeat(`[`, 7000) + `ID` + strings.Repeat(`]`, 7000) + `){__typename}`,
		"introspection":         `{` + upTo(` a#:__schema{types{name}}`) + `}`,
		"deep introspection":    `{__schema{types` + strings.Repeat(`{fields{type`, 2000) + `{name}` + strings.Repeat(`}}`, 2000) + `}}`,
	}
}

// forks are n fragments that spread the next one twice.
func forks(n int) string {
	all := ""
	for i := range n {
		all += fmt.Sprintf(" fragment F%d on Query{...F%d ...F%[2]d}", i, i+1)
	}
	return all + fmt.Sprintf(" fragment F%d on Query{__typename}", n)
}

// FuzzDocuments searches for documents that are slow to check, with and without
// suggestions.
func FuzzDocuments(f *testing.F) {
	for _, document := range hostileDocuments() {
		f.Add(document)
	}
	var executors []*operation.Executor
	for _, introspection := range []bool{false, true} {
		executors = append(executors, operation.New(operation.Config{
			Schema: graph.Executable(nil, graph.DirectiveRoot{}), Limits: server.DefaultLimits.Operation, Introspection: introspection,
			Log: slog.New(slog.DiscardHandler), Registry: prometheus.NewRegistry(),
		}))
	}
	f.Fuzz(func(t *testing.T, document string) {
		for i, e := range executors {
			n := 0
			hostile.Check(t, document, func() {
				n++
				// The comment keeps the document out of all caches.
				_, errs := e.Prepare(t.Context(), &wire.Request{Query: fmt.Sprintf("%s\n#%d", document, n)})
				for _, err := range errs {
					if err.Extensions["code"] == "INTERNAL" {
						t.Errorf("executor %d fails: %v", i, err)
					}
				}
			})
		}
	})
}

// hostileVariables returns variables that are as expensive as their size permits.
func hostileVariables() map[string]string {
	return map[string]string{
		"many":              `{` + strings.TrimSuffix(upTo(`"v#":1,`), ",") + `}`,
		"a list":            `{"genders":[` + strings.TrimSuffix(upTo(`"MALE",`), ",") + `]}`,
		"no values":         `{"genders":[` + strings.TrimSuffix(upTo(`"MALEE",`), ",") + `]}`,
		"objects":           `{"contacts":[` + strings.TrimSuffix(upTo(`{"contactId":"x"},`), ",") + `]}`,
		"empty objects":     `{"contacts":[` + strings.TrimSuffix(upTo(`{},`), ",") + `]}`,
		"unknown inputs":    `{"contacts":[{` + strings.TrimSuffix(upTo(`"contcatId#":1,`), ",") + `}]}`,
		"a long input":      `{"contacts":[{"` + strings.Repeat("c", hostile.Size-100) + `":1}]}`,
		"emails":            `{"contacts":[{"contactId":"x","emails":[` + strings.TrimSuffix(upTo(`"a@b",`), ",") + `]}]}`,
		"a long email":      `{"contacts":[{"contactId":"x","emails":["` + strings.Repeat("a@b.", hostile.Size/4-20) + `"]}]}`,
		"a long phone":      `{"contacts":[{"contactId":"x","phones":["+` + strings.Repeat("1", hostile.Size-100) + `"]}]}`,
		"nested lists":      `{"contacts":` + strings.Repeat(`[`, 9000) + strings.Repeat(`]`, 9000) + `}`,
		"nested objects":    `{"contacts":` + strings.Repeat(`{"a":`, 9000) + `1` + strings.Repeat(`}`, 9000) + `}`,
		"a long number":     `{"limit":` + strings.Repeat("9", hostile.Size-100) + `}`,
		"a long exponent":   `{"limit":1e` + strings.Repeat("9", hostile.Size-100) + `}`,
		"a long fraction":   `{"limit":0.` + strings.Repeat("0", hostile.Size-100) + `1}`,
		"numbers":           `{"limit":[` + strings.TrimSuffix(upTo(`1e300,`), ",") + `]}`,
		"a text":            `{"text":"` + strings.Repeat("x", hostile.Size-100) + `"}`,
		"a text of escapes": `{"text":"` + strings.Repeat(`\ud83d\ude00`, hostile.Size/12-10) + `"}`,
		"the same name":     `{` + strings.TrimSuffix(upTo(`"text":"x",`), ",") + `}`,
	}
}

// FuzzVariables searches for variables that are slow to parse and check.
func FuzzVariables(f *testing.F) {
	for _, variables := range hostileVariables() {
		f.Add(variables)
	}
	e := operation.New(operation.Config{
		Schema: graph.Executable(nil, graph.DirectiveRoot{}), Limits: server.DefaultLimits.Operation, Introspection: true,
		Log: slog.New(slog.DiscardHandler), Registry: prometheus.NewRegistry(),
	})
	const document = `query($contacts:[ContactInput!]!,$limit:Int,$text:String!){findContacts(contacts:$contacts){contactId} searchUsers(searchToken:$text,limit:$limit){nextToken}}`
	const mutation = `mutation($genders:[UserGender!]){setUserDetails(matchGenders:$genders){userId}}`
	f.Fuzz(func(t *testing.T, variables string) {
		for _, query := range []string{document, mutation} {
			hostile.Check(t, variables, func() {
				r, err := wire.DecodeRequest([]byte(fmt.Sprintf(`{"query":%q,"variables":%s}`, query, variables)))
				if err != nil {
					return
				}
				_, errs := e.Prepare(t.Context(), &r)
				for _, err := range errs {
					if err.Extensions["code"] == "INTERNAL" {
						t.Errorf("checking fails: %v", err)
					}
				}
			})
		}
	})
}
