package user_test

import (
	"strings"
	"testing"

	. "stoa/social/socialtest"
)

// set returns a mutation that sets personal details and selects them.
func set(arguments string) string {
	return `mutation { setUserDetails(` + arguments + `) { ` + person + ` } }`
}

const person = `dateOfBirth gender height location { latitude longitude accuracy } matchAgeRange { min max } matchGenders matchLocationRadius matchHeightRange { min max }`

// wants returns the personal details as JSON, null except for the given fields.
func wants(field string, fields ...string) string {
	given := map[string]string{}
	for _, f := range fields {
		name, value, _ := strings.Cut(f, ": ")
		given[name] = value
	}
	var all []string
	for _, name := range []string{"dateOfBirth", "gender", "height", "location", "matchAgeRange", "matchGenders", "matchLocationRadius", "matchHeightRange"} {
		value, ok := given[name]
		if !ok {
			value = "null"
		}
		all = append(all, `"`+name+`": `+value)
	}
	return `{"` + field + `": {` + strings.Join(all, ", ") + `}}`
}

func TestSetPerson(t *testing.T) {
	all := []string{`dateOfBirth: "1990-06-15"`, `gender: "FEMALE"`, `height: 66`, `location: {"latitude": 50.5, "longitude": -7.25, "accuracy": 20}`,
		`matchAgeRange: {"min": 18, "max": 100}`, `matchGenders: ["MALE", "FEMALE"]`, `matchLocationRadius: 100`, `matchHeightRange: {"min": 0, "max": 117}`}
	const given = `dateOfBirth: "1990-06-15", gender: FEMALE, height: 66, location: {latitude: 50.5, longitude: -7.25, accuracy: 20},
		matchAgeRange: {min: 18, max: 100}, matchGenders: [MALE, FEMALE], matchLocationRadius: 100, matchHeightRange: {min: 0, max: 117}`
	Run(t, []Scenario{
		{Name: "nothing was said", Given: Users("ana"), As: "ana", Query: `{ self { ` + person + ` } }`, Want: wants("self")},
		{Name: "users U4 all at once", Given: Users("ana"), As: "ana", Query: set(given), Want: wants("setUserDetails", all...),
			Then: []Scenario{
				{As: "ana", Query: `{ self { ` + person + ` } }`, Want: wants("self", all...)},
				{As: "ana", Query: set(`height: 67`), Want: wants("setUserDetails", append([]string{`height: 67`}, append(all[:2:2], all[3:]...)...)...)},
			}},
		{
			Name:   "users U7 equal values write nothing",
			Given:  Users("ana").Details("ana", given),
			As:     "ana",
			Query:  set(given),
			Want:   wants("setUserDetails", all...),
			Events: Events{},
		},
		{Name: "users U9 what others see",
			Given: Users("ana", "ben").Details("ana", given), As: "ben", Query: `{ user(userId: "{ana}") { ` + person + ` } }`, Want: wants("user", all[:3]...)},
		{Name: "users U9 what strangers see of a private user",
			Given: Users("ana!private", "ben").Details("ana", given), As: "ben", Query: `{ user(userId: "{ana}") { ` + person + ` } }`, Want: wants("user", all[:3]...)},
		{
			Name:  "what the blocked see",
			Given: Users("ana", "ben").Details("ana", given).Block("ana", "ben"),
			As:    "ben",
			Query: `{ user(userId: "{ana}") { ` + person + ` } }`,
			Want:  wants("user"),
		},
		{Name: "users U8 a place is replaced as a whole", Given: Users("ana").Details("ana", given), As: "ana", Query: set(`location: {latitude: 0, longitude: 0}`),
			Want: wants("setUserDetails", append(all[:3:3], append([]string{`location: {"latitude": 0, "longitude": 0, "accuracy": null}`}, all[4:]...)...)...)},
		{Name: "users U8 the places at the bounds", Given: Users("ana"), As: "ana", Query: set(`location: {latitude: -90, longitude: 180, accuracy: 0}`),
			Want: wants("setUserDetails", `location: {"latitude": -90, "longitude": 180, "accuracy": 0}`)},
		{Name: "users U8 nine digits", Given: Users("ana"), As: "ana", Query: set(`location: {latitude: 12.345678912, longitude: -123.456789}`),
			Want: wants("setUserDetails", `location: {"latitude": 12.3456789, "longitude": -123.456789, "accuracy": null}`)},
		{Name: "the least height", Given: Users("ana"), As: "ana", Query: set(`height: 0`), Want: wants("setUserDetails", `height: 0`)},
		{Name: "the order of genders is kept", Given: Users("ana").Details("ana", `matchGenders: [MALE, FEMALE]`), As: "ana", Query: set(`matchGenders: [FEMALE, MALE]`),
			Want: wants("setUserDetails", `matchGenders: ["FEMALE", "MALE"]`)},
		{Name: "users U12 any date", Given: Users("ana"), As: "ana", Query: set(`dateOfBirth: "1900-01-01"`), Want: wants("setUserDetails", `dateOfBirth: "1900-01-01"`)},
		{Name: "a zone that is none", Given: Users("ana"), As: "ana", Query: set(`dateOfBirth: "yesterday"`), Code: "GRAPHQL_VALIDATION_FAILED"},
	})
}

// realtime 13#10: the scalar accepts a zone, the field does not.
func TestSetPersonRefusals(t *testing.T) {
	for text, cases := range map[string][]string{
		"latitude should be in [-90, 90]":                  {`location: {latitude: 90.1, longitude: 999, accuracy: -1}`, `location: {latitude: -91, longitude: 0}`},
		"longitude should be in [-180, 180]":               {`location: {latitude: 90, longitude: 180.5, accuracy: -1}`, `location: {latitude: 0, longitude: -181}`},
		"accuracy should be greater than or equal to zero": {`location: {latitude: 0, longitude: 0, accuracy: -1}`},
		"Invalid matchAgeRange": {`matchAgeRange: {min: 17, max: 50}`, `matchAgeRange: {min: 18, max: 101}`,
			`matchAgeRange: {min: 50, max: 49}`, `matchAgeRange: {min: 20}`, `matchAgeRange: {max: 20}`, `matchAgeRange: {}`},
		"matchLocationRadius should be greater than or equal to 5": {`matchLocationRadius: 4`, `matchLocationRadius: -1`},
		"matchLocationRadius should be less than or equal to 100":  {`matchLocationRadius: 101`},
		"matchGenders cannot be empty":                             {`matchGenders: []`},
		"Invalid height":                                           {`height: -1`, `height: 118`},
		"Invalid matchHeightRange": {`matchHeightRange: {min: -1, max: 50}`, `matchHeightRange: {min: 0, max: 118}`,
			`matchHeightRange: {min: 60, max: 59}`, `matchHeightRange: {min: 60, max: null}`},
		"dateOfBirth contains timezone information":                       {`dateOfBirth: "2020-01-01Z"`, `dateOfBirth: "1970-01-01-07:00"`, `dateOfBirth: "1970-01-01+05:30"`},
		"dateOfBirth is not a date of the years 0000 to 9999":             {`dateOfBirth: "12020-01-01"`},
		"Called without any arguments... probably not what you intended?": {`height: null, matchGenders: null, location: null`},
	} {
		Test(t, Users("ana"), func(w *World) {
			for _, arguments := range cases {
				// users U1, U6 and U3: valid values next to an invalid one are not stored, either.
				w.Play(Scenario{As: "ana", Query: set(arguments), Error: "ClientError: " + text, Events: Events{}})
				if !strings.HasPrefix(text, "Called") {
					w.Play(Scenario{As: "ana", Query: set(`username: "anna", bio: "b", ` + arguments), Error: "ClientError: " + text, Events: Events{}})
				}
			}
			w.Play(
				Scenario{
					As:    "ana",
					Query: `{ self { username bio ` + person + ` } }`,
					Want:  strings.Replace(wants("self"), `{"self": {`, `{"self": {"username": "ana", "bio": null, `, 1),
				},
			)
		})
	}
}

// users U2: of several errors, the first in this order is reported.
func TestOrderOfRefusals(t *testing.T) {
	faults := []struct{ argument, text string }{
		{`username: "BEN"`, "Username `BEN` already taken (case-insensitive cmp)"},
		{`photoPostId: "none"`, "Post `none` not found"},
		{`location: {latitude: 91, longitude: 0}`, "latitude should be in [-90, 90]"},
		{`matchAgeRange: {min: 17, max: 50}`, "Invalid matchAgeRange"},
		{`matchLocationRadius: 4`, "matchLocationRadius should be greater than or equal to 5"},
		{`matchGenders: []`, "matchGenders cannot be empty"},
		{`height: 118`, "Invalid height"},
		{`matchHeightRange: {min: 1, max: 0}`, "Invalid matchHeightRange"},
		{`dateOfBirth: "2020-01-01Z"`, "dateOfBirth contains timezone information"},
	}
	Test(t, Users("ana", "ben"), func(w *World) {
		for i, first := range faults {
			arguments := ""
			for j := len(faults) - 1; j >= i; j-- {
				arguments += faults[j].argument + " "
			}
			w.Play(Scenario{As: "ana", Query: set(arguments), Error: "ClientError: " + first.text})
		}
		// users U13: a disabled caller changes nothing.
		w.Do(Given{}.Status("ana", "DISABLED")...)
		w.Play(Scenario{As: "ana", Query: set(`height: 118`), Error: "ClientError: User `{ana}` is not ACTIVE"})
		w.Do(Given{}.Status("ana", "ANONYMOUS")...)
		w.Play(Scenario{As: "ana", Query: set(`height: 1`), Error: "ClientError: User `{ana}` is not ACTIVE"})
	})
}

// The age is written together with the date of birth, whatever concurrent writes there are.
func TestAgeGoesWithTheDateOfBirth(t *testing.T) {
	Test(t, Users("ana").Details("ana", `dateOfBirth: "2000-06-15"`), func(w *World) {
		age := func() any { return w.Get("main", "user/{ana}", "profile")["age"] }
		if age() != 25.0 {
			w.T.Errorf("the age is %v", age())
		}
		w.Play(Scenario{As: "ana", Query: set(`dateOfBirth: "2000-06-16"`), Meanwhile: Given{}.Details("ana", `dateOfBirth: "1990-06-15"`)})
		if got := w.Get("main", "user/{ana}", "profile"); got["age"] != 25.0 || got["dateOfBirth"] != "2000-06-16" || got["gsiK2PartitionKey"] != "userBirthday/06-16" {
			w.T.Errorf("born %v, %v, found by %v", got["dateOfBirth"], got["age"], got["gsiK2PartitionKey"])
		}
	})
}
