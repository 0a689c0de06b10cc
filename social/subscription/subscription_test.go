package subscription_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"stoa/internal/appstore/appstoretest"
	"stoa/internal/apptest"
	"stoa/internal/identity"
	"stoa/internal/outbox/outboxtest"
	"stoa/social"
	"stoa/social/subscription"
	"stoa/store"
	"stoa/store/storetest"

	. "stoa/social/socialtest"
)

const (
	grant  = `mutation { grantUserSubscriptionBonus { subscriptionLevel subscriptionExpiresAt } }`
	level  = `{ self { subscriptionLevel subscriptionExpiresAt } }`
	expire = "social.expire-subscriptions"
	verify = "social.verify-app-store-subs"

	day = 24 * time.Hour
)

func add(receipt string) string {
	return `mutation { addAppStoreReceipt(receiptData: "` + ReceiptData(receipt) + `") }`
}

const (
	basic   = `{"self":{"subscriptionLevel":"BASIC","subscriptionExpiresAt":null}}`
	forever = `{"self":{"subscriptionLevel":"DIAMOND","subscriptionExpiresAt":null}}`
)

// chats 5.3#10,23: the bonus makes a user DIAMOND, with a card that says so.
func TestGrantUserSubscriptionBonus(t *testing.T) {
	again := "ClientError: User `{ana}` has already granted themselves a subscription bonus"
	Run(t, []Scenario{
		{Name: "users L2 and L6: a month, and a card", Given: Users("ana", "ben").ListenToCards("ana"), As: "ana", Query: grant,
			Want:   `{"grantUserSubscriptionBonus":{"subscriptionLevel":"DIAMOND","subscriptionExpiresAt":"2026-02-01T12:00:03.000Z"}}`,
			Counts: Counts{"ana.cardCount": 1}, Events: Events{"subscription.moved": 1},
			Hears: Hears{"ana": {`{"onCardNotification":{"type":"ADDED","card":{"cardId":"{ana}:USER_SUBSCRIPTION_LEVEL","title":"Welcome to Diamond"}}}`}},
			Then: []Scenario{
				{Name: "the card", As: "ana", Query: `{ self { cards(limit: 1) { items { cardId title subTitle action } } } }`,
					Want: `{"self":{"cards":{"items":[{"cardId":"{ana}:USER_SUBSCRIPTION_LEVEL","title":"Welcome to Diamond","subTitle":"Enjoy exclusive perks of being a ` +
						`subscriber","action":"https://app.example/diamond"}]}}}`},
				{Name: "users L3 others see no time", As: "ben", Query: `{ user(userId: "{ana}") { subscriptionLevel subscriptionExpiresAt } }`,
					Want: `{"user":{"subscriptionLevel":"DIAMOND","subscriptionExpiresAt":null}}`},
				{Name: "users L2: once", As: "ana", Query: grant, Error: again},
				{Name: "users L1: it lasts until the job", Later: 40 * day, As: "ana", Query: level,
					Want: `{"self":{"subscriptionLevel":"DIAMOND","subscriptionExpiresAt":"2026-02-01T12:00:03.000Z"}}`},
				{Name: "users L4 and L6 the bonus ends with its card", Job: expire, As: "ana", Query: level, Want: basic, Counts: Counts{"ana.cardCount": -1},
					Hears: Hears{"ana": {`{"onCardNotification":{"type":"DELETED","card":{"cardId":"{ana}:USER_SUBSCRIPTION_LEVEL","title":"Welcome to Diamond"}}}`}}},
				{Name: "twice is once", Job: expire, As: "ana", Query: level, Want: basic, Counts: Counts{}, Events: Events{}},
				{Name: "users L2: nor after it ended", As: "ana", Query: grant, Error: again},
			}},
		{Name: "not for the disabled", Given: Users("ana").Status("ana", social.UserDisabled), As: "ana", Query: grant, Error: "ClientError: User `{ana}` is not ACTIVE"},
		{Name: "users L4: not before its time", Given: Users("ana").Bonus("ana"), Later: 30 * day, Job: expire, As: "ana", Query: level, Events: Events{},
			Want: `{"self":{"subscriptionLevel":"DIAMOND","subscriptionExpiresAt":"2026-02-01T12:00:02.000Z"}}`},
		{Name: "two at once", Given: Users("ana"), Meanwhile: Given{}.Bonus("ana"), As: "ana", Query: grant, Error: again, Counts: Counts{"ana.cardCount": 1}},
	})
}

func TestAddAppStoreReceipt(t *testing.T) {
	const production, sandbox = "`" + appstoretest.Address + "/production`", "`" + appstoretest.Address + "/sandbox`"
	soon, past := apptest.Dawn.Add(20*day), apptest.Dawn.Add(-time.Hour)
	refused := func(address, what string) string {
		return "ServerError: AppStore " + address + " responded with " + what + " for receipt `" + ReceiptData("r") + "`"
	}
	given := func(r appstoretest.Receipt) Given {
		if r.OriginalTransactionID == "" {
			r.OriginalTransactionID = "1000"
		}
		return Users("ana", "ben").Receipt("r", r)
	}
	Run(t, []Scenario{
		{Name: "users L11 and L12: an active one", Given: given(appstoretest.Receipt{ExpiresAt: soon}), As: "ana", Query: add("r"),
			Want: `{"addAppStoreReceipt":true}`, Counts: Counts{"ana.cardCount": 1}, Events: Events{"appStoreSub.moved": 1, "subscription.moved": 1},
			Then: []Scenario{
				{As: "ana", Query: level, Want: forever},
				{Name: "users L11: by its user", As: "ana", Query: add("r"), Error: "ClientError: AppStore sub with original transaction ID of `1000` already exists"},
				{Name: "users L11: by anybody", As: "ben", Query: add("r"), Error: "ClientError: AppStore sub with original transaction ID of `1000` already exists"},
			}},
		{Name: "users L10: without dates", Given: given(appstoretest.Receipt{}), As: "ana", Query: add("r"), Want: `{"addAppStoreReceipt":true}`,
			Then: []Scenario{{As: "ana", Query: level, Want: forever}}},
		{Name: "users L7: of the sandbox", Given: given(appstoretest.Receipt{Sandbox: true, ExpiresAt: soon}), As: "ana", Query: add("r"), Want: `{"addAppStoreReceipt":true}`,
			Then: []Scenario{{As: "ana", Query: level, Want: forever}}},
		{Name: "users L11: an expired one", Given: given(appstoretest.Receipt{ExpiresAt: past}), As: "ana", Query: add("r"), Want: `{"addAppStoreReceipt":true}`,
			Counts: Counts{}, Events: Events{"appStoreSub.moved": 1},
			Then: []Scenario{{As: "ana", Query: level, Want: basic}}},
		{Name: "users L12: an expired one leaves the bonus alone", Given: given(appstoretest.Receipt{ExpiresAt: past}).Bonus("ana"), As: "ana", Query: add("r"), Counts: Counts{},
			Then: []Scenario{{As: "ana", Query: level, Want: `{"self":{"subscriptionLevel":"DIAMOND","subscriptionExpiresAt":"2026-02-01T12:00:03.000Z"}}`}}},
		{Name: "users L10 and L12: a cancelled one", Given: given(appstoretest.Receipt{ExpiresAt: soon, CancelledAt: past}), As: "ana", Query: add("r"), Counts: Counts{},
			Then: []Scenario{{As: "ana", Query: level, Want: basic}}},
		{Name: "users L12: takes the end off the bonus", Given: given(appstoretest.Receipt{ExpiresAt: soon}).Bonus("ana"), As: "ana", Query: add("r"), Counts: Counts{},
			Then: []Scenario{
				{As: "ana", Query: level, Want: forever},
				{Name: "users L4: and goes on after it", Later: 40 * day, Job: expire, As: "ana", Query: level, Want: forever, Events: Events{}},
			}},
		{Name: "users L4: a bonus that is taken beside one ends alone", Given: given(appstoretest.Receipt{ExpiresAt: soon}).Buy("ana", "r").Bonus("ana"), As: "ana", Query: level,
			Want: `{"self":{"subscriptionLevel":"DIAMOND","subscriptionExpiresAt":"2026-02-01T12:00:04.000Z"}}`,
			Then: []Scenario{{Later: 40 * day, Job: expire, As: "ana", Query: level, Want: forever}}},
		{Name: "users L8: a lie", Given: Users("ana"), As: "ana", Query: add("r"), Error: refused(production, "status `21003`")},
		{Name: "users L8: a status", Given: given(appstoretest.Receipt{Status: 21010}), As: "ana", Query: add("r"), Error: refused(production, "status `21010`")},
		{Name: "users L7 and L8: neither here nor there", Given: given(appstoretest.Receipt{Status: 21008}), As: "ana", Query: add("r"), Error: refused(sandbox, "status `21008`")},
		{Name: "users L8: of another app",
			Given: given(appstoretest.Receipt{BundleID: "com.example"}), As: "ana", Query: add("r"), Error: refused(production, "bundle id `com.example`")},
		{Name: "users L8: no answer", Given: given(appstoretest.Receipt{Silent: true}), As: "ana", Query: add("r"), Error: refused(production, "status `21005`")},
		{Name: "users L8: out of order", Given: given(appstoretest.Receipt{Code: 503}), As: "ana", Query: add("r"), Error: refused(production, "status `21005`")},
		{Name: "users L8: no base64", Given: Users("ana"), As: "ana", Query: `mutation { addAppStoreReceipt(receiptData: "no base64!") }`,
			Error: "ServerError: AppStore " + production + " responded with status `21002` for receipt `no base64!`"},
		{
			Name:      "two at once",
			Given:     given(appstoretest.Receipt{ExpiresAt: soon}),
			Meanwhile: Given{}.Buy("ben", "r"),
			As:        "ana",
			Query:     add("r"),
			Counts:    Counts{"ben.cardCount": 1},
			Error:     "ClientError: AppStore sub with original transaction ID of `1000` already exists",
			Then:      []Scenario{{As: "ana", Query: level, Want: basic}, {As: "ben", Query: level, Want: forever}},
		},
	})
}

// users L5, L9 and L13: the stored profile and receipt.
func TestRows(t *testing.T) {
	given := Users("ana").Receipt("r", appstoretest.Receipt{OriginalTransactionID: "1000", ExpiresAt: apptest.Dawn.Add(36 * time.Hour)})
	Test(t, given, func(w *World) {
		attributes := func(pk, sk string, names ...string) string {
			item := w.Get(store.Main.Name, pk, sk)
			var values []string
			for _, name := range names {
				value, _ := item[name].(string)
				values = append(values, value)
			}
			return w.People.Name(strings.Join(values, " "))
		}
		profile := func(want string) {
			w.T.Helper()
			if got := attributes("user/{ana}", "profile", "gsiK1PartitionKey", "gsiK1SortKey"); got != want {
				w.T.Errorf("K1 is %q, want %q", got, want)
			}
		}
		sub := func(want string) {
			w.T.Helper()
			got := attributes(
				"appStoreSub/1000",
				"-",
				"userId",
				"status",
				"createdAt",
				"lastVerificationAt",
				"gsiK1PartitionKey",
				"gsiK1SortKey",
				"gsiA1PartitionKey",
				"gsiA1SortKey",
			)
			if got != want {
				w.T.Errorf("the subscription is\n%s\nwant\n%s", got, want)
			}
		}
		profile(" ")
		w.Do(Given{}.Bonus("ana")...)
		profile("user/DIAMOND 2026-02-01T12:00:02.000000Z")
		w.Do(Given{}.Buy("ana", "r")...)
		profile("user/DIAMOND ~")
		sub("{ana} ACTIVE 2026-01-01T12:00:03.000000Z 2026-01-01T12:00:03.000000Z appStoreSub 2026-01-02T12:00:03.000000Z appStoreSub/{ana} 2026-01-01T12:00:03.000000Z")
		if got := attributes("appStoreSub/1000", "-", "originalReceipt", "latestReceipt", "latestReceiptInfo", "pendingRenewalInfo"); got !=
			ReceiptData(
				"r",
			)+" "+ReceiptData(
				"r",
			)+"bGF0ZXN0"+` {"expires_date_ms":"1767398400000","original_transaction_id":"1000","product_id":"diamond"} [{"auto_renew_status":"1"}]` {
			w.T.Errorf("stored receipts %s", got)
		}
		w.Advance(day - time.Second)
		w.AppStore.Asked()
		w.RunJob(verify)
		if asked := w.AppStore.Asked(); len(asked) > 0 {
			w.T.Errorf("the App Store is asked %v before the time", asked)
		}
		w.Advance(time.Second)
		w.RunJob(verify)
		sub("{ana} ACTIVE 2026-01-01T12:00:03.000000Z 2026-01-02T12:00:03.000000Z appStoreSub 2026-01-03T12:00:03.000000Z appStoreSub/{ana} 2026-01-01T12:00:03.000000Z")
		w.Advance(day)
		w.RunJob(verify)
		sub("{ana} EXPIRED 2026-01-01T12:00:03.000000Z 2026-01-03T12:00:03.000000Z appStoreSub 2026-01-04T12:00:03.000000Z appStoreSub/{ana} 2026-01-01T12:00:03.000000Z")
		profile("user/DIAMOND 2026-02-01T12:00:02.000000Z") // the bonus still runs
		w.Advance(40 * day)
		w.RunJob(expire)
		profile(" ")
	})
}

func TestVerifyAgain(t *testing.T) {
	active := appstoretest.Receipt{OriginalTransactionID: "1000", ExpiresAt: apptest.Dawn.Add(90 * day)}
	expired := appstoretest.Receipt{OriginalTransactionID: "1000", ExpiresAt: apptest.Dawn.Add(-time.Hour)}
	other := appstoretest.Receipt{OriginalTransactionID: "2000", ExpiresAt: apptest.Dawn.Add(90 * day)}
	Run(t, []Scenario{
		{Name: "users L13: one that ended", Given: Users("ana").Receipt("r", active).Buy("ana", "r").Receipt("r", expired),
			Later: 25 * time.Hour, Job: verify, As: "ana", Query: level, Want: basic, Counts: Counts{"ana.cardCount": -1}},
		{Name: "users L12 and L13: one that is renewed", Given: Users("ana").Receipt("r", expired).Buy("ana", "r").Receipt("r", active),
			Later: 25 * time.Hour, Job: verify, As: "ana", Query: level, Want: forever, Counts: Counts{"ana.cardCount": 1}},
		{Name: "users L12: another one still holds", Given: Users("ana").Receipt("r", active).Buy("ana", "r").Receipt("s", other).Buy("ana", "s").Receipt("r", expired),
			Later: 25 * time.Hour, Job: verify, As: "ana", Query: level, Want: forever, Counts: Counts{}, Events: Events{"appStoreSub.moved": 1}},
	})
}

// users L13: subscriptions that the App Store cannot confirm are unchanged, and do not prevent
// others from being verified.
func TestFaultsWhileVerifying(t *testing.T) {
	active := func(id string) appstoretest.Receipt {
		return appstoretest.Receipt{OriginalTransactionID: id, ExpiresAt: apptest.Dawn.Add(90 * day)}
	}
	given := Users("ana", "ben", "cem")
	for i, name := range []string{"ana", "ben", "cem"} {
		given = given.Receipt(name, active([]string{"1", "2", "3"}[i])).Buy(name, name)
	}
	given = given.Receipt("ana", active("9")).Receipt("ben", appstoretest.Receipt{Code: 503}).
		Receipt("cem", appstoretest.Receipt{OriginalTransactionID: "3", ExpiresAt: apptest.Dawn})
	Test(t, given, func(w *World) {
		before := w.Get(store.Main.Name, "appStoreSub/1", "-")
		w.Advance(25 * time.Hour)
		err := w.Host.Jobs.RunNow(context.Background(), verify)
		for _, want := range []string{"of subscription 1 is of 9", "status `21005`"} {
			if err == nil || !strings.Contains(err.Error(), want) {
				w.T.Errorf("the job ends with %v, want %q", err, want)
			}
		}
		w.Settle()
		for _, id := range []string{"1", "2"} {
			if got := w.Get(store.Main.Name, "appStoreSub/"+id, "-"); got["status"] != "ACTIVE" || got["gsiK1SortKey"].(string) > "2026-01-03" {
				w.T.Errorf("the subscription is changed to %v", got)
			}
		}
		if after := w.Get(store.Main.Name, "appStoreSub/1", "-"); len(after) != len(before) || after["latestReceipt"] != before["latestReceipt"] {
			w.T.Errorf("the subscription is changed to %v", after)
		}
		for who, want := range map[string]string{"ana": forever, "ben": forever, "cem": basic} {
			w.Play(Scenario{As: who, Query: level, Want: want})
		}
	})
}

// users L14: purchases are removed with their user, and later ones are kept.
func TestRemovedUsers(t *testing.T) {
	s, _ := storetest.Open(t)
	ana := storetest.User(t, s, social.User{Username: "ana"})
	add := func(id string, at time.Time) {
		t.Helper()
		a := social.NewAppStoreSub(ana.UserID, "r", social.AppStoreReceipt{OriginalTransactionID: id, Status: social.AppStoreActive}, at)
		if err := s.Subscriptions.Add(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
	add("before", storetest.Noon)
	if err := s.Users.Remove(t.Context(), &ana, storetest.Noon, identity.Change{}); err != nil {
		t.Fatal(err)
	}
	later := storetest.Noon.Add(time.Second)
	storetest.User(t, s, social.User{Username: "ana", SignedUpAt: later})
	add("after", later)
	service := &subscription.Service{Store: s.Subscriptions, Users: s.Users}
	removed := social.UserRemoved{UserID: ana.UserID, RemovedAt: storetest.Noon}
	if _, err := outboxtest.All(t.Context(), removed, service.UserRemoved); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]bool{"before": false, "after": true} {
		if a, err := s.Subscriptions.Sub(t.Context(), id); err != nil || (a != nil) != want {
			t.Errorf("%s: %v, %v", id, a, err)
		}
	}
}

// users L11, L14 and service E7: a subscription of a removed profile can be recorded anew at once,
// by anybody, and the clean-up leaves it alone.
func TestSubscriptionsOfFormerProfiles(t *testing.T) {
	given := Users("ana", "ben").Receipt("r", appstoretest.Receipt{OriginalTransactionID: "1000", ExpiresAt: apptest.Dawn.Add(20 * day)}).Buy("ana", "r")
	for _, next := range []string{"ana", "ben"} {
		Test(t, given, func(w *World) {
			removed := Renew(w, "ana")
			Tells(w, next, add("r"), `{"addAppStoreReceipt":true}`)
			Tells(w, next, add("r"), "ClientError: AppStore sub with original transaction ID of `1000` already exists")
			w.Deliver(removed)
			Tells(w, next, level, forever)
			if sub := w.Get(store.Main.Name, "appStoreSub/1000", "-"); sub["userId"] != string(w.ID(next)) {
				w.T.Errorf("the subscription is %v", sub)
			}
			Sound(w)
		})
	}
}
