package screen_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	. "stoa/social/socialtest"
)

func report(screens ...string) string {
	for i, s := range screens {
		screens[i] = fmt.Sprintf("%q", s)
	}
	return `mutation { reportScreenViews(screens: [` + strings.Join(screens, ", ") + `]) }`
}

func TestReportScreenViews(t *testing.T) {
	given := Users("ana", "ben")
	Run(t, []Scenario{
		{Name: "users V1 none", Given: given, As: "ana", Query: report(), Error: "ClientError: A minimum of 1 screen must be reported"},
		{Name: "users V1 too many, the same or not", Given: given, As: "ana", Query: report(strings.Split(strings.Repeat("home ", 100)+"home", " ")...),
			Error: "ClientError: A max of 100 screens may be reported at a time"},
		{Name: "users V1 as many as possible", Given: given, As: "ana", Adds: true, Query: report(strings.Split(strings.Repeat("home ", 99)+"home", " ")...),
			Want: `{"reportScreenViews": true}`, Counts: Counts{"home view/ana.viewCount": 100}},
		{Name: "users V2 duplicates add", Given: given, As: "ana", Adds: true, Query: report("home", "a/b c", "home", ""),
			Counts: Counts{"home view/ana.viewCount": 2, "a/b c view/ana.viewCount": 1},
			Then: []Scenario{
				{As: "ana", Adds: true, Query: report("home"), Counts: Counts{"home view/ana.viewCount": 1}},
				{As: "ben", Adds: true, Query: report("home"), Counts: Counts{"home view/ben.viewCount": 1}},
			}},
		{Name: "users V2 anonymous users", Given: given.Status("ana", "ANONYMOUS"), As: "ana", Adds: true, Query: report("home"), Counts: Counts{"home view/ana.viewCount": 1}},
		{Name: "users V2 disabled users", Given: given.Status("ana", "DISABLED"), As: "ana", Query: report("home"), Error: "ClientError: User `{ana}` is not ACTIVE or ANONYMOUS"},
		{Name: "somebody else's report comes first", Given: given, As: "ana", Adds: true, Query: report("home"), Meanwhile: Given{}.Does("ana", "%s", report("home")),
			Counts: Counts{"home view/ana.viewCount": 2}},
	})
}

// users V2: the time of the first view is kept, that of the last is updated.
func TestScreenViewRows(t *testing.T) {
	Test(t, Users("ana"), func(w *World) {
		w.Must("ana", report("home"))
		first := w.Get("main", "screen/home", "view/{ana}")
		w.Advance(time.Hour)
		w.Must("ana", report("home"))
		row := w.Get("main", "screen/home", "view/{ana}")
		if row["firstViewedAt"] != first["firstViewedAt"] || row["lastViewedAt"] == first["lastViewedAt"] || row["viewCount"] != 2.0 ||
			row["gsiA1PartitionKey"] != "screenView/home" || row["gsiA1SortKey"] != row["firstViewedAt"] || row["gsiA2PartitionKey"] != w.People.Fill("screenView/{ana}") {
			w.T.Errorf("stored %v after %v", row, first)
		}
		// Views are removed with their user, and those of a new profile are counted anew.
		w.Must("ana", `mutation { resetUser(newUsername: "ana") { userId } }`)
		if row := w.Get("main", "screen/home", "view/{ana}"); row != nil {
			w.T.Errorf("left %v", row)
		}
		w.Must("ana", report("home"))
		if row := w.Get("main", "screen/home", "view/{ana}"); row["viewCount"] != 1.0 {
			w.T.Errorf("stored %v", row)
		}
	})
}
