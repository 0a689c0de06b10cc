package resolvers_test

import . "stoa/social/socialtest"

func init() {
	show(published, "albums", func(g Given, name string) Given { return g.Album(name, "album-of-"+name) })
}
