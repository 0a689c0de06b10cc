package app_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
)

// communities 6#13-20: the check finds rows that lead elsewhere than their noun says.
func TestDamageIsFound(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b", "c")
		h := w.opens("a", w.founds("a", "Calm", "b"), vars{"private": true})
		w.Does("b", ask, vars{"h": h})
		w.meets("a", "b")
		w.Whole()
		for _, d := range []struct{ table, pk, sk, attribute, to, found string }{
			{"communities-Communities", "COMMUNITY#", "COMMUNITY#", "LocPK", "COUNTRY#uk", "is listed in"},
			{"communities-Users", "USER#", "", "LocSK", "STATE#new jersey#CITY#york", "is listed in"},
			{"communities-GroupChats", "GROUPCHAT#", "USER#", "CommunityId", "elsewhere", "as one of community elsewhere"},
			{"communities-PrivateChats", "PRIVATECHAT#", "USER#", "OtherUserId", w.ids["c"], "has the member"},
			{"communities-ChatRequests", "USER#", "PENDING#", "RequestSK", "CHATREQUEST#2026-01-01T12:00:00.000Z#x", "has the guard"},
		} {
			seen := false
			for _, row := range w.Rows()[d.table] {
				if !strings.HasPrefix(fmt.Sprint(row["PK"]), d.pk) || d.sk != "" && !strings.HasPrefix(fmt.Sprint(row["SK"]), d.sk) {
					continue
				}
				seen = true
				damaged := maps.Clone(row)
				damaged[d.attribute] = d.to
				w.Put(d.table, damaged)
				if problems := strings.Join(w.Problems(), "\n"); !strings.Contains(problems, d.found) {
					t.Errorf("with %s %q, found is %q", d.attribute, d.to, problems)
				}
				w.Put(d.table, row)
			}
			if !seen {
				t.Errorf("there is no %s %s", d.pk, d.sk)
			}
		}
		w.Whole()
	})
}
