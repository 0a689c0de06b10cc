package socialtest

import "stoa/internal/apptest"

// dater contains the details that dating requires.
const dater = `fullName: "Full Name", displayName: "Name", dateOfBirth: "1990-06-15", gender: FEMALE, height: 66,
	location: {latitude: 40, longitude: -75}, matchAgeRange: {min: 18, max: 100}, matchGenders: [MALE, FEMALE],
	matchLocationRadius: 50, matchHeightRange: {min: 0, max: 117}`

// Datable sets all details that dating requires, with the same place and open preferences
// for all users.
func (g Given) Datable(names ...string) Given {
	for _, name := range names {
		g = g.Details(name, dater).Photographed(name)
	}
	return g
}

// Photographed sets a user's photo in the store. There need not be such a post.
func (g Given) Photographed(name string) Given {
	return g.And(Change("user/{"+name+"}", "profile", map[string]any{"photoPostId": "photo"}))
}

// Dating enables dating for users who are Datable.
func (g Given) Dating(names ...string) Given {
	for _, name := range names {
		g = g.Does(name, `mutation { setUserDatingStatus(status: ENABLED) { userId } }`)
	}
	return g
}

// NotDating disables dating for a user.
func (g Given) NotDating(name string) Given {
	return g.Does(name, `mutation { setUserDatingStatus(status: DISABLED) { userId } }`)
}

// Daters adds users who date.
func Daters(names ...string) Given { return Users(names...).Datable(names...).Dating(names...) }

// Approve makes a user approve of a match.
func (g Given) Approve(user, other string) Given {
	return g.Does(user, `mutation { approveMatch(userId: "{%s}") }`, other)
}

// Reject makes a user reject a match.
func (g Given) Reject(user, other string) Given {
	return g.Does(user, `mutation { rejectMatch(userId: "{%s}") }`, other)
}

// ListenToMatches subscribes users to changes of their matches.
func (g Given) ListenToMatches(names ...string) Given {
	for _, name := range names {
		g = g.And(apptest.Listening(name, `subscription { onNotification(userId: "{`+name+`}") { type matchUserId } }`))
	}
	return g
}
