package history_test

import (
	"fmt"
	"maps"
	"time"

	"stoa/internal/appstore/appstoretest"
	"stoa/internal/apptest"
	"stoa/social/socialtest"
)

// subscriptions holds the purchases of users and the records of the App Store.
type subscriptions struct {
	// known holds the expiry of purchases in the store, by receipt, which also identifies
	// them there.
	known map[string]time.Time
	// bought holds the recorded purchases, by receipt.
	bought map[string]*bought
}

type bought struct {
	by     string
	active bool
}

var receipts = []string{"r1", "r2", "r3", "r4"}

var _ = add(area{
	acts: []kind{
		{1, func(d *draw) act { return act{By: d.One(everybody), Do: "grantUserSubscriptionBonus"} }},
		{2, func(d *draw) act {
			return act{By: d.One(everybody), Do: "addAppStoreReceipt", Args: []arg{with("receiptData", socialtest.ReceiptData(d.One(receipts)))}}
		}},
		{3, func(d *draw) act {
			days := []string{"-1", "3", "40"}
			return act{Do: "sell", Args: []arg{with("receipt", d.One(receipts)), with("days", d.One(days))}}
		}},
	},
	mutations: map[string]mutation{
		"grantUserSubscriptionBonus": {"...U", (*model).grantBonus},
		"addAppStoreReceipt":         {"", (*model).buy},
	},
	does: map[string]func(*apptest.World, *model, act){
		"sell": func(w *apptest.World, m *model, a act) {
			days, err := time.ParseDuration(a.Text("days") + "h")
			if err != nil {
				panic(err)
			}
			id := a.Text("receipt")
			m.known[id] = w.Now().Add(24 * days)
			w.AppStore.Set(id, appstoretest.Receipt{OriginalTransactionID: id, ExpiresAt: m.known[id]})
		},
	},
	jobs:   []string{"social.verify-app-store-subs", "social.expire-subscriptions"},
	passed: (*model).verify,
	removed: func(m *model, id string) {
		maps.DeleteFunc(m.bought, func(_ string, b *bought) bool { return b.by == id })
	},
	rows: map[string]func(*model, row){
		"appStoreSub -": func(m *model, r row) {
			m.bought[r.text("partitionKey")[len("appStoreSub/"):]] = &bought{r.who("userId"), r.text("status") == "ACTIVE"}
		},
	},
	fragments: []fragment{
		{"U", "User", `subscriptionLevel subscriptionExpiresAt`, func(m *model, viewer, id string) shown {
			u, s := m.users[id], shown{}
			level := "BASIC"
			if u.diamond {
				level = "DIAMOND"
			}
			s.put(!m.blocks[pair{id, viewer}], shown{"subscriptionLevel": level})
			s.put(viewer == id && !u.expiresAt.IsZero(), shown{"subscriptionExpiresAt": instant(u.expiresAt)})
			return s
		}},
	},
})

func (m *model) grantBonus(_ act, me *user, at time.Time) (shown, string) {
	if !me.grantedAt.IsZero() {
		return nil, fmt.Sprintf("User `{%s}` has already granted themselves a subscription bonus", me.id)
	}
	me.diamond, me.grantedAt, me.expiresAt = true, at, monthAfter(at)
	return m.show("U", me.id, me.id), ""
}

// monthAfter returns the same day of the next month, or its last day if it is shorter.
func monthAfter(at time.Time) time.Time {
	first := time.Date(at.Year(), at.Month()+1, 1, at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), time.UTC)
	end := first
	for d := first; d.Month() == first.Month() && d.Day() <= at.Day(); d = d.AddDate(0, 0, 1) {
		end = d
	}
	return end
}

func (m *model) buy(a act, me *user, at time.Time) (shown, string) {
	for _, id := range receipts {
		if socialtest.ReceiptData(id) != a.Text("receiptData") {
			continue
		}
		switch end, known := m.known[id]; {
		case !known:
			return nil, fmt.Sprintf("ServerError: AppStore `%s/production` responded with status `21003` for receipt `%s`", appstoretest.Address, a.Text("receiptData"))
		case m.bought[id] != nil:
			return nil, fmt.Sprintf("AppStore sub with original transaction ID of `%s` already exists", id)
		default:
			m.bought[id] = &bought{me.id, end.After(at)}
			m.entitle(me, at)
		}
	}
	return nil, ""
}

// verify applies the jobs.
func (m *model) verify(at time.Time) {
	for id, b := range m.bought {
		if active := m.known[id].After(at); active != b.active {
			b.active = active
			m.entitle(m.users[b.by], at)
		}
	}
	for _, u := range m.users {
		if !u.expiresAt.IsZero() && !u.expiresAt.After(at) {
			m.entitle(u, at)
		}
	}
}

// entitle sets a user's level by their purchases, or else by their bonus.
func (m *model) entitle(u *user, at time.Time) {
	u.diamond, u.expiresAt = false, time.Time{}
	if !u.grantedAt.IsZero() && monthAfter(u.grantedAt).After(at) {
		u.diamond, u.expiresAt = true, monthAfter(u.grantedAt)
	}
	for _, b := range m.bought {
		if b.by == u.id && b.active {
			u.diamond, u.expiresAt = true, time.Time{}
		}
	}
}
