package socialtest

import "stoa/internal/apptest"

// Listen makes users listen to their notifications. What they hear is
// {"onNotification":{"type":"…"}}, with the fields given in place of the type.
func (g Given) Listen(names ...string) Given {
	for _, name := range names {
		g = g.And(apptest.Listening(name, `subscription { onNotification(userId: "{`+name+`}") { type } }`))
	}
	return g
}

// ListenTo makes a user listen to some fields of their notifications.
func (g Given) ListenTo(name, fields string) Given {
	return g.And(apptest.Listening(name, `subscription { onNotification(userId: "{`+name+`}") { `+fields+` } }`))
}
