package user_test

import (
	"fmt"
	"testing"
	"time"

	. "stoa/social/socialtest"
	"stoa/social/user"
)

// Worlds start on 1 January 2026.
func TestUpdateAges(t *testing.T) {
	given := Users("ana", "ben", "cleo").Details("ana", `dateOfBirth: "1990-01-02"`).Details("ben", `dateOfBirth: "1990-01-03"`)
	Test(t, given, func(w *World) {
		for _, c := range []struct {
			later    time.Duration
			ana, ben int
		}{
			{0, 35, 35},
			{24 * time.Hour, 36, 35},
			{24 * time.Hour, 36, 36},
			{24 * time.Hour, 36, 36},
			// The job did not run on ana's next birthday, but on the day after.
			{364 * 24 * time.Hour, 37, 37},
		} {
			w.Advance(c.later)
			for range 2 {
				w.RunJob(user.UpdateAgesJob)
				if got := fmt.Sprint(ageOf(w, "ana"), ageOf(w, "ben"), ageOf(w, "cleo")); got != fmt.Sprint(c.ana, c.ben, nil) {
					w.T.Errorf("on %s the ages are %s", w.Now().Format(time.DateOnly), got)
				}
			}
		}
	})
}

func ageOf(w *World, name string) any { return w.Get("main", "user/{"+name+"}", "profile")["age"] }
