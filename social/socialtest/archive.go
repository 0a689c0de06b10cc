package socialtest

import "stoa/store"

// Archived archives a post in the store, without effects on likes or feeds.
func (g Given) Archived(owner, id string) Given {
	return g.And(func(w *World) {
		w.T.Helper()
		post := w.Get(store.Main.Name, "post/"+id, "-")
		post["postStatus"] = "ARCHIVED"
		post["gsiA2SortKey"] = "ARCHIVED/" + post["postedAt"].(string)
		w.Put(store.Main.Name, post)
		profile := w.Get(store.Main.Name, "user/{"+owner+"}", "profile")
		for counter, by := range map[string]float64{"postCount": -1, "postArchivedCount": 1} {
			count, _ := profile[counter].(float64)
			profile[counter] = count + by
		}
		w.Put(store.Main.Name, profile)
	})
}
