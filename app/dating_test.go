package app_test

import . "stoa/social/socialtest"

func init() {
	toErase(func(g Given) Given { return append(g, Users("dee").Datable("ana", "dee").Dating("ana", "dee")...) })
}
