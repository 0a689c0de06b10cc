package user_test

import (
	"fmt"
	"strings"
	"testing"

	"stoa/internal/apptest"
	"stoa/social"
	. "stoa/social/socialtest"
)

const findBen = `{ findContacts(contacts: [{contactId: "c1", emails: ["ben@example.com"]}]) { contactId user { username } } }`

func TestFindContacts(t *testing.T) {
	people := Users("ana", "ben", "cleo").Identity("dan", apptest.Account{Email: "dan@example.com", Phone: "+15105551000"}).
		Does("dan", `mutation { createCognitoOnlyUser(username: "dan") { userId } }`)
	ask := func(contacts string) string {
		return `{ findContacts(contacts: [` + contacts + `]) { contactId user { username } } }`
	}
	Run(t, []Scenario{
		{Name: "users C1 no contacts", Given: people, As: "ana", Query: ask(``), Want: `{"findContacts": []}`},
		{Name: "users C1 too many",
			Given: people, As: "ana", Query: ask(strings.Repeat(`{contactId: "c"}, `, 101)), Error: "ClientError: Cannot submit more than 100 contact inputs", Want: `null`},
		{Name: "users C1 for active users alone", Given: people.Status("ana", social.UserDisabled), As: "ana", Query: findBen, Error: "ClientError: User `{ana}` is not ACTIVE"},
		{Name: "users C2 one answer for each, in their order", Given: people, As: "ana",
			Query: ask(
				`{contactId: "c2", phones: ["+15105551000"]}, {contactId: "c1", emails: ["cleo@example.com", "nobody@example.com"]}, {contactId: "c3"}, ` +
					`{contactId: "c4", emails: null, phones: null}`,
			),
			Want: `{"findContacts": [{"contactId": "c2", "user": {"username": "dan"}}, {"contactId": "c1", "user": {"username": "cleo"}}, {"contactId": "c3", "user": null}, ` +
				`{"contactId": "c4", "user": null}]}`},
		{Name: "users C2 equal ids", Given: people, As: "ana", Query: ask(`{contactId: "c"}, {contactId: "c", emails: ["ben@example.com"]}`),
			Want: `{"findContacts": [{"contactId": "c", "user": {"username": "ben"}}, {"contactId": "c", "user": {"username": "ben"}}]}`},
		{Name: "users C3 case counts",
			Given: people, As: "ana", Query: ask(`{contactId: "c", emails: ["Ben@example.com"]}`), Want: `{"findContacts": [{"contactId": "c", "user": null}]}`},
		{Name: "users C3 callers find themselves", Given: people, As: "ana", Query: ask(`{contactId: "c", emails: ["ana@example.com", "ana@example.com"]}`),
			Want: `{"findContacts": [{"contactId": "c", "user": {"username": "ana"}}]}`, Events: Events{}},
		{
			Name:  "users C4 a phone number comes before an e-mail address",
			Given: people,
			As:    "ana",
			Query: ask(`{contactId: "c", emails: ["ben@example.com"], phones: ["+15105551000"]}`),
			Want:  `{"findContacts": [{"contactId": "c", "user": {"username": "dan"}}]}`,
		},
		{Name: "users C4 an address counts for the last contact that has it",
			Given: people, As: "ana", Query: ask(`{contactId: "c1", emails: ["ben@example.com"]}, {contactId: "c2", emails: ["ben@example.com"]}`),
			Want: `{"findContacts": [{"contactId": "c1", "user": null}, {"contactId": "c2", "user": {"username": "ben"}}]}`},
		{Name: "users C5 who blocks the caller is not shown", Given: people.Block("ben", "ana"), As: "ana", Query: findBen,
			Want: `{"findContacts": [{"contactId": "c1", "user": null}]}`, Events: Events{}},
		{Name: "users C5 whom the caller blocks is shown", Given: people.Block("ana", "ben"), As: "ana", Query: findBen,
			Want: `{"findContacts": [{"contactId": "c1", "user": {"username": "ben"}}]}`},
		{Name: "users C9 a new user is found", Given: people.Identity("new"), As: "new", Query: `mutation { createCognitoOnlyUser(username: "new") { userId } }`,
			Then: []Scenario{
				{As: "ana", Query: ask(`{contactId: "c", emails: ["new@example.com"]}`), Want: `{"findContacts": [{"contactId": "c", "user": {"username": "new"}}]}`},
			}},
	})
}

// users C6 and chats 5.3#9,22: contacts who do not follow the caller get a card.
func TestFoundContactsAreTold(t *testing.T) {
	given := Users("ana", "ben").DismissCard("ben", "ADD_PROFILE_PHOTO")
	told := Scenario{As: "ben", Query: `{ self { cardCount cards { items { cardId title subTitle action } } } }`,
		Want: `{"self": {"cardCount": 1, "cards": {"items": [{"cardId": "{ben}:CONTACT_JOINED:{ana}", "title": "ana joined Example", "subTitle": null, ` +
			`"action": "https://app.example/user/{ana}"}]}}}`}
	notTold := Scenario{As: "ben", Query: `{ self { cardCount } }`, Want: `{"self": {"cardCount": 0}}`}
	found := Events{"contacts.found": 1}
	Run(t, []Scenario{
		{Name: "who does not follow the caller", Given: given.Follow("ana", "ben").ListenToCards("ben"), As: "ana", Query: findBen, Events: found,
			Hears: Hears{
				"ben": {`{"onCardNotification": {"type": "ADDED", "card": {"cardId": "{ben}:CONTACT_JOINED:{ana}", "title": "ana joined Example"}}}`},
			}, Then: []Scenario{told}},
		{
			Name:   "again after the card was dismissed",
			Given:  given.Does("ana", findBen).DismissCard("ben", "CONTACT_JOINED:{ana}"),
			As:     "ana",
			Query:  findBen,
			Events: found,
			Then:   []Scenario{told},
		},
		{Name: "once more while the card is there", Given: given.Does("ana", findBen), As: "ana", Query: findBen, Events: found, Then: []Scenario{told}},
		{Name: "with the name of now", Given: given.Does("ana", findBen).Details("ana", `username: "anna"`), As: "ana", Query: findBen,
			Then: []Scenario{{As: "ben", Query: `{ self { cards { items { title } } } }`, Want: `{"self": {"cards": {"items": [{"title": "anna joined Example"}]}}}`}}},
		{Name: "not who follows the caller", Given: given.Follow("ben", "ana"), As: "ana", Query: findBen, Events: Events{"contacts.found": 0}, Then: []Scenario{notTold}},
		{
			Name:  "not who asked to",
			Given: Users("ana!private", "ben").DismissCard("ben", "ADD_PROFILE_PHOTO").Follow("ben", "ana"),
			As:    "ana",
			Query: findBen,
			Then:  []Scenario{notTold},
		},
		{Name: "not who was denied to", Given: given.Follow("ben", "ana").Deny("ana", "ben"), As: "ana", Query: findBen, Then: []Scenario{notTold}},
		{Name: "not who blocks the caller", Given: given.Block("ben", "ana"), As: "ana", Query: findBen, Then: []Scenario{notTold}},
	})
}

// users C7: the time of the last search is stored, for the caller alone.
func TestFindContactsIsNoted(t *testing.T) {
	Run(t, []Scenario{
		{Name: "never", Given: Users("ana"), As: "ana", Query: `{ self { lastFoundContactsAt } }`, Want: `{"self": {"lastFoundContactsAt": null}}`},
		{Name: "once, and for oneself", Given: Users("ana", "ben"), As: "ana", Query: `{ findContacts(contacts: []) { contactId } }`, Then: []Scenario{
			{As: "ana", Query: `{ self { lastFoundContactsAt } }`, Want: `{"self": {"lastFoundContactsAt": "2026-01-01T12:00:03.000Z"}}`},
			{As: "ben", Query: `{ user(userId: "{ana}") { lastFoundContactsAt } }`, Want: `{"user": {"lastFoundContactsAt": null}}`},
		}},
	})
}

// users C8: more than 100 contacts are looked up in batches.
func TestFindManyContacts(t *testing.T) {
	names := make([]string, 60)
	for i := range names {
		names[i] = fmt.Sprintf("user%02d", i)
	}
	Test(t, Users("ana").Users(names...), func(w *World) {
		var contacts strings.Builder
		for i := range 100 {
			fmt.Fprintf(&contacts, `{contactId: "c%d", emails: ["user%02d@example.com", "x%d@example.com"], phones: ["+1510555%04d"]} `, i, i, i, i)
		}
		got := string(w.Must("ana", `{ findContacts(contacts: [`+contacts.String()+`]) { contactId user { username } } }`).Data)
		if n := strings.Count(got, `"username"`); n != len(names) {
			w.T.Errorf("%d are found, want %d", n, len(names))
		}
		w.Settle()
		for _, name := range names {
			w.Play(Scenario{As: name, Query: `{ self { cardCount } }`, Want: `{"self": {"cardCount": 2}}`})
		}
	})
}
