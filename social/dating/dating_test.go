package dating_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/social"
	"stoa/store"

	. "stoa/social/socialtest"
)

const (
	enable  = `mutation { setUserDatingStatus(status: ENABLED) { datingStatus userDisableDatingDate } }`
	disable = `mutation { setUserDatingStatus(status: DISABLED) { datingStatus userDisableDatingDate } }`
	status  = `{ self { datingStatus } }`

	endIdle = "social.end-idle-dating"
	remind  = "social.remind-of-matches"

	day = 24 * time.Hour
)

func dates(status string) string { return `{"self":{"datingStatus":"` + status + `"}}` }

func TestSetUserDatingStatus(t *testing.T) {
	given := Users("ana", "ben").Datable("ana")
	soon := "ClientError: User cannot re-enable dating within 3 hours"
	Run(t, []Scenario{
		{Name: "on", Given: given, As: "ana", Query: enable, Want: `{"setUserDatingStatus":{"datingStatus":"ENABLED","userDisableDatingDate":null}}`,
			Events: Events{"user.changed": 1}, Counts: Counts{},
			Then: []Scenario{
				{As: "ana", Query: status, Want: dates("ENABLED")},
				{Name: "users U9 another user's status is hidden",
					As: "ben", Query: `{ user(userId: "{ana}") { datingStatus matchStatus matchedUsers(matchStatus: POTENTIAL) { items { username } } } }`,
					Want: `{"user":{"datingStatus":null,"matchStatus":"NOT_MATCHED","matchedUsers":null}}`},
				{Name: "users M1: again", As: "ana", Query: enable, Want: `{"setUserDatingStatus":{"datingStatus":"ENABLED","userDisableDatingDate":null}}`, Events: Events{}},
				{Name: "users M3: off",
					Later: 8 * time.Second, As: "ana", Query: disable, Want: `{"setUserDatingStatus":{"datingStatus":"DISABLED","userDisableDatingDate":"2026-01-01T12:00:16.000Z"}}`},
				{
					Name:  "the date is for everybody",
					As:    "ben",
					Query: `{ user(userId: "{ana}") { userDisableDatingDate } }`,
					Want:  `{"user":{"userDisableDatingDate":"2026-01-01T12:00:16.000Z"}}`,
				},
				{Name: "users M1: off again",
					As: "ana", Query: disable, Want: `{"setUserDatingStatus":{"datingStatus":"DISABLED","userDisableDatingDate":"2026-01-01T12:00:16.000Z"}}`, Events: Events{}},
				{Name: "users M3: less than three hours later", Later: 3*time.Hour - 4*time.Second, As: "ana", Query: enable, Error: soon},
				{
					Name:  "users M3: three hours later",
					As:    "ana",
					Query: enable,
					Want:  `{"setUserDatingStatus":{"datingStatus":"ENABLED","userDisableDatingDate":"2026-01-01T12:00:16.000Z"}}`,
				},
			}},
		{Name: "users M1: off without ever having been on",
			Given: Users("ana"), As: "ana", Query: disable, Want: `{"setUserDatingStatus":{"datingStatus":"DISABLED","userDisableDatingDate":null}}`, Events: Events{}},
		{Name: "the blocked see no date", Given: Daters("ana").Users("ben").NotDating("ana").Block("ana", "ben"), As: "ben",
			Query: `{ user(userId: "{ana}") { userDisableDatingDate } }`, Want: `{"user":{"userDisableDatingDate":null}}`},
		{Name: "not for the disabled", Given: given.Status("ana", social.UserDisabled), As: "ana", Query: enable, Error: "ClientError: User `{ana}` is not ACTIVE"},
		{
			Name:      "switched on meanwhile",
			Given:     given,
			Meanwhile: Given{}.Dating("ana"),
			As:        "ana",
			Query:     enable,
			Want:      `{"setUserDatingStatus":{"datingStatus":"ENABLED","userDisableDatingDate":null}}`,
		},
		{
			Name:      "the name is gone meanwhile",
			Given:     given,
			Meanwhile: Given{}.Details("ana", `fullName: ""`),
			As:        "ana",
			Query:     enable,
			Error:     "ClientError: `{'fullName'}` required to enable dating",
		},
	})
}

// users M2: each reason that prevents dating has its text and its code.
func TestReasonsAgainstDating(t *testing.T) {
	names := []string{"fullName", "displayName", "photoPostId", "age", "gender", "location", "height", "matchAgeRange", "matchGenders", "matchHeightRange", "matchLocationRadius"}
	codes := []string{"MISSING_FULL_NAME", "MISSING_DISPLAY_NAME", "MISSING_PHOTO_POST_ID", "MISSING_AGE", "MISSING_GENDER", "MISSING_LOCATION", "MISSING_HEIGHT",
		"MISSING_MATCH_AGE_RANGE", "MISSING_MATCH_GENDERS", "MISSING_MATCH_HEIGHT_RANGE", "MISSING_MATCH_LOCATION_RADIUS"}
	required := func(names ...string) string {
		return "`{'" + strings.Join(names, "', '") + "'}` required to enable dating"
	}
	for name, c := range map[string]struct {
		given Given
		text  string
		codes []string
	}{
		"a fresh user":            {Users("ana"), required(names...), codes},
		"a fresh user at DIAMOND": {Users("ana").Bonus("ana"), required(names[:10]...), codes[:10]},
		"no name":                 {Users("ana").Datable("ana").Details("ana", `fullName: ""`), required("fullName"), codes[:1]},
		"neither name":            {Users("ana").Datable("ana").Details("ana", `fullName: "", displayName: ""`), required("fullName", "displayName"), codes[:2]},
		"under age": {Users("ana").Datable("ana").Details("ana", `dateOfBirth: "2008-01-02"`), "age `17` must be between 18 and 100 to enable dating",
			[]string{"WRONG_AGE_MIN"}},
		"over age": {Users("ana").Datable("ana").Details("ana", `dateOfBirth: "1924-12-31"`), "age `101` must be between 18 and 100 to enable dating",
			[]string{"WRONG_AGE_MAX"}},
		"18":                       {Users("ana").Datable("ana").Details("ana", `dateOfBirth: "2008-01-01"`), "", nil},
		"100":                      {Users("ana").Datable("ana").Details("ana", `dateOfBirth: "1925-01-02"`), "", nil},
		"just switched off":        {Daters("ana").NotDating("ana"), "User cannot re-enable dating within 3 hours", []string{"WRONG_THREE_HOUR_PERIOD"}},
		"what is missing is first": {Daters("ana").NotDating("ana").Details("ana", `fullName: "", dateOfBirth: "2020-01-01"`), required("fullName"), codes[:1]},
		"then the age": {Daters("ana").NotDating("ana").Details("ana", `dateOfBirth: "2020-01-01"`), "age `6` must be between 18 and 100 to enable dating",
			[]string{"WRONG_AGE_MIN"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			Test(t, c.given, func(w *World) {
				a := w.Ask("ana", enable)
				switch {
				case c.text == "" && len(a.Errors) > 0:
					w.T.Errorf("refused: %v", a.Errors)
				case c.text == "":
				case len(a.Errors) != 1 || a.Errors[0].Message != "ClientError: "+c.text || !slices.Equal(a.Errors[0].ErrorInfo, c.codes):
					w.T.Errorf("refused with %v and %v\nwant %s and %v", a.Errors, a.Errors[0].ErrorInfo, c.text, c.codes)
				}
			})
		})
	}
}

// users M4 and U5: dating is disabled automatically when the profile lacks required details, which
// the response shows.
func TestDatingGoesOff(t *testing.T) {
	off := func(arguments string) string {
		return `mutation { setUserDetails(` + arguments + `) { datingStatus userDisableDatingDate } }`
	}
	const is = `{"setUserDetails":{"datingStatus":"DISABLED","userDisableDatingDate":"2026-01-01T12:00:05.000Z"}}`
	matched := Daters("ana", "ben").ListenToMatches("ana", "ben")
	Run(t, []Scenario{
		{Name: "without a name", Given: Daters("ana"), As: "ana", Query: off(`fullName: ""`), Want: strings.Replace(is, "05", "04", 1)},
		{Name: "too young", Given: Daters("ana"), As: "ana", Query: off(`dateOfBirth: "2010-01-01"`), Want: strings.Replace(is, "05", "04", 1),
			Then: []Scenario{
				{As: "ana", Query: status, Want: dates("DISABLED")},
				{Name: "users M3 details that end dating",
					As: "ana", Query: `mutation { setUserDetails(dateOfBirth: "1990-01-01") { datingStatus } }`, Want: `{"setUserDetails":{"datingStatus":"DISABLED"}}`},
				{Name: "users M3: the three hours begin then", As: "ana", Query: enable, Error: "ClientError: User cannot re-enable dating within 3 hours"},
			}},
		{
			Name:  "other details leave it on",
			Given: Daters("ana"),
			As:    "ana",
			Query: off(`bio: "b", height: 70`),
			Want:  `{"setUserDetails":{"datingStatus":"ENABLED","userDisableDatingDate":null}}`,
		},
		{Name: "users M5: and the matches go",
			Given: matched, As: "ben", Query: `mutation { setUserDetails(displayName: "") { datingStatus } }`, Want: `{"setUserDetails":{"datingStatus":"DISABLED"}}`,
			Hears: Hears{
				"ana": {`{"onNotification":{"type":"USER_DATING_MATCH_CHANGED","matchUserId":"{ben}"}}`},
				"ben": {`{"onNotification":{"type":"USER_DATING_MATCH_CHANGED","matchUserId":"{ana}"}}`},
			},
			Then: []Scenario{
				{
					As:    "ana",
					Query: `{ user(userId: "{ben}") { matchStatus } self { matchedUsers(matchStatus: POTENTIAL) { items { username } } } }`,
					Want:  `{"user":{"matchStatus":"NOT_MATCHED"},"self":{"matchedUsers":{"items":[]}}}`,
				},
				{As: "ben", Query: `{ user(userId: "{ana}") { matchStatus } }`, Want: `{"user":{"matchStatus":"NOT_MATCHED"}}`},
			}},
	})
}

// users M4: users who looked without a limit on distance must set one when their level expires.
func TestDatingGoesOffWithTheLevel(t *testing.T) {
	anywhere := Users("ana").Bonus("ana").Datable("ana").And(func(w *World) {
		item := w.Get(store.Main.Name, "user/{ana}", "profile")
		delete(item, "matchLocationRadius")
		w.Put(store.Main.Name, item)
	}).Dating("ana")
	Run(t, []Scenario{
		{
			Name:  "with nothing said",
			Given: anywhere.And(later(29*day)).Details("ana", `bio: "here"`).And(later(10 * day)),
			Job:   "social.expire-subscriptions",
			As:    "ana",
			Query: `{ self { subscriptionLevel datingStatus userDisableDatingDate } }`,
			Want:  `{"self":{"subscriptionLevel":"BASIC","datingStatus":"DISABLED","userDisableDatingDate":"2026-02-09T12:00:05.000Z"}}`,
		},
		{
			Name:  "with a distance",
			Given: Users("ana").Bonus("ana").Datable("ana").Dating("ana").And(later(29*day)).Details("ana", `bio: "here"`).And(later(10 * day)),
			Job:   "social.expire-subscriptions",
			As:    "ana",
			Query: `{ self { subscriptionLevel datingStatus } }`,
			Want:  `{"self":{"subscriptionLevel":"BASIC","datingStatus":"ENABLED"}}`,
		},
	})
}

// users M4: the day on which dating is disabled is postponed by every checked
// call, and by no other.
func TestInactivity(t *testing.T) {
	Test(t, Daters("ana", "ben").Receipt("none", receipt), func(w *World) {
		ends := func(name, want string) {
			w.T.Helper()
			item := w.Get(store.Main.Name, "user/{"+name+"}", "profile")
			if got, _ := item["gsiA3SortKey"].(string); got != want {
				w.T.Errorf("the dating of %s ends on %q, want %q", name, got, want)
			}
			if pk, _ := item["gsiA3PartitionKey"].(string); (pk == "userDisableDatingDate") != (want != "") {
				w.T.Errorf("GSI-A3 of %s is %q", name, pk)
			}
		}
		ends("ana", "2026-01-31")
		w.Advance(day)
		w.Ask("ana", `{ self { userId } user(userId: "{ben}") { userId } }`)
		ends("ana", "2026-01-31")
		w.Ask("ana", `mutation { addAppStoreReceipt(receiptData: "bm9uZQ==") }`)
		ends("ana", "2026-01-31")
		w.Ask("ana", `mutation { followUser(userId: "{nobody}") { userId } }`) // refused, and counts
		ends("ana", "2026-02-01")
		w.Client.Reset()
		w.Must("ana", `mutation { setUserDetails(bio: "b") { userId } }`)
		ends("ana", "2026-02-01")
		w.Advance(29 * day) // 31 January
		w.RunJob(endIdle)
		ends("ana", "2026-02-01")
		ends("ben", "")
		w.Play(Scenario{As: "ben", Query: status, Want: dates("DISABLED")})
		w.Play(
			Scenario{
				As:    "ana",
				Query: `{ user(userId: "{ben}") { matchStatus userDisableDatingDate } }`,
				Want:  `{"user":{"matchStatus":"NOT_MATCHED","userDisableDatingDate":"2026-01-31T12:00:10.000Z"}}`,
			},
		)
		w.RunJob(endIdle)
		w.Advance(day)
		w.RunJob(endIdle)
		ends("ana", "")
		w.Must("ben", enable)
		ends("ben", "2026-03-03")
	})
}

// users M16: users with potential matches are reminded once a day.
// chats 5.3#13,26
func TestReminders(t *testing.T) {
	card := func(name string) string {
		return `{"onCardNotification":{"type":"ADDED","card":{"cardId":"{` + name + `}:USER_DATING_NEW_MATCHES","title":"You have new dating matches to review."}}}`
	}
	given := Daters("ana", "ben", "cem").Details("cem", `location: {latitude: -40, longitude: 75}`).Users("dee")
	Run(t, []Scenario{
		{Name: "those who have some", Given: given.ListenToCards("ana", "ben", "cem"), Job: remind, Counts: Counts{"ana.cardCount": 1, "ben.cardCount": 1},
			As: "ana", Query: `{ self { cards(limit: 1) { items { title subTitle action } } } }`,
			Want:  `{"self":{"cards":{"items":[{"title":"You have new dating matches to review.","subTitle":null,"action":"https://app.example/user/{ana}/new_matches"}]}}}`,
			Hears: Hears{"ana": {card("ana")}, "ben": {card("ben")}},
			Then: []Scenario{
				{Name: "once", Job: remind, Counts: Counts{}, Hears: Hears{}},
				{Name: "dismissed", As: "ana", Query: `mutation { deleteCard(cardId: "{ana}:USER_DATING_NEW_MATCHES") { cardId } }`},
				{Name: "and again the day after", Later: day, Job: remind, Counts: Counts{"ana.cardCount": 1}},
			}},
		{Name: "not of those they have judged", Given: given.Approve("ana", "ben").Reject("ben", "ana"), Job: remind, Counts: Counts{}},
	})
}

// users M4 and M8: birthdays change users' ages, and with them their matches.
func TestBirthdays(t *testing.T) {
	const ages = "social.update-ages"
	// Worlds start on 1 January 2026, and the jobs run a day later.
	given := Daters("ana", "ben").Details("ana", `matchAgeRange: {min: 18, max: 30}`)
	Run(t, []Scenario{
		{
			Name:  "too old for dating",
			Given: Users("ana").Datable("ana").Details("ana", `dateOfBirth: "1925-01-02"`).Dating("ana"),
			Later: day,
			Job:   ages,
			As:    "ana",
			Query: status,
			Want:  dates("DISABLED"),
		},
		{Name: "too old for another", Given: given.Details("ben", `dateOfBirth: "1995-01-02"`), Later: day, Job: ages, As: "ana", Query: stands("ben"), Want: is("NOT_MATCHED"),
			Then: []Scenario{{As: "ben", Query: status, Want: dates("ENABLED")}}},
		{Name: "the day before", Given: given.Details("ben", `dateOfBirth: "1995-01-02"`), Job: ages, As: "ana", Query: stands("ben"), Want: is("POTENTIAL")},
		{
			Name:  "old enough",
			Given: given.Details("ana", `matchAgeRange: {min: 36, max: 40}`).Details("ben", `dateOfBirth: "1990-01-02"`),
			Later: day,
			Job:   ages,
			As:    "ana",
			Query: stands("ben"),
			Want:  is("POTENTIAL"),
		},
	})
}

// users D4: the matches of a user are removed with the profile, whatever their status.
func TestMatchesOfRemovedUsers(t *testing.T) {
	given := Daters("ana", "ben", "cem").Approve("ana", "ben").Approve("ben", "ana").Approve("ben", "cem").ListenToMatches("ana")
	then := []Scenario{
		{As: "ana", Query: `{ user(userId: "{ben}") { matchStatus } self { chatCount matchedUsers(matchStatus: CONFIRMED) { items { username } } } }`,
			Want: `{"user":null,"self":{"chatCount":0,"matchedUsers":{"items":[]}}}`},
		{As: "cem", Query: `{ self { matchedUsers(matchStatus: POTENTIAL) { items { username } nextToken } } }`,
			Want: `{"self":{"matchedUsers":{"items":[{"username":"ana"}],"nextToken":null}}}`},
		{As: "cem", Query: `mutation { approveMatch(userId: "{ben}") }`, Error: "ClientError: Match does not exist"},
	}
	for name, query := range map[string]string{
		"deleted": `mutation { deleteUser { userStatus } }`,
		"reset":   `mutation { resetUser { userStatus } }`,
	} {
		t.Run(name, func(t *testing.T) {
			Test(t, given, func(w *World) {
				w.Play(Scenario{As: "ben", Query: query, Then: then})
				for _, item := range w.Rows()[store.Main.Name] {
					sk, _ := item["sortKey"].(string)
					if strings.Contains(w.People.Name(fmt.Sprint(item["partitionKey"], sk)), "{ben}") && (sk == "dating" || strings.HasPrefix(sk, "match/")) {
						w.T.Errorf("%v is left", item)
					}
				}
			})
		})
	}
}
