package socialtest

import "stoa/internal/apptest"

// dater are details with which a user can date.
const dater = `fullName: "Full Name", displayName: "Name", dateOfBirth: "1990-06-15", gender: FEMALE, height: 66,
	location: {latitude: 40, longitude: -75}, matchAgeRange: {min: 18, max: 100}, matchGenders: [MALE, FEMALE],
	matchLocationRadius: 50, matchHeightRange: {min: 0, max: 117}`

// Datable gives users all that dating needs, all in one place and open for everybody.
func (g Given) Datable(names ...string) Given {
	for _, name := range names {
		g = g.Details(name, dater).Photographed(name)
	}
	return g
}

// Photographed makes a post the photo of a user, past the API: there need be no such post.
func (g Given) Photographed(name string) Given {
	return g.And(Change("user/{"+name+"}", "profile", map[string]any{"photoPostId": "photo"}))
}

// Dating turns the dating of users on, who are Datable.
func (g Given) Dating(names ...string) Given {
	for _, name := range names {
		g = g.Does(name, `mutation { setUserDatingStatus(status: ENABLED) { userId } }`)
	}
	return g
}

// NotDating turns the dating of a user off.
func (g Given) NotDating(name string) Given {
	return g.Does(name, `mutation { setUserDatingStatus(status: DISABLED) { userId } }`)
}

// Daters are users who date.
func Daters(names ...string) Given { return Users(names...).Datable(names...).Dating(names...) }

// Approve makes a user approve of a match.
func (g Given) Approve(user, other string) Given {
	return g.Does(user, `mutation { approveMatch(userId: "{%s}") }`, other)
}

// Reject makes a user reject a match.
func (g Given) Reject(user, other string) Given {
	return g.Does(user, `mutation { rejectMatch(userId: "{%s}") }`, other)
}

// ListenToMatches makes users listen to what becomes of their matches.
func (g Given) ListenToMatches(names ...string) Given {
	for _, name := range names {
		g = g.And(apptest.Listening(name, `subscription { onNotification(userId: "{`+name+`}") { type matchUserId } }`))
	}
	return g
}
