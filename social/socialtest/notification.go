package socialtest

import "stoa/internal/apptest"

// Listen subscribes users to their notifications. They receive
// {"onNotification":{"type":"…"}}, with any other fields in place of the type.
func (g Given) Listen(names ...string) Given {
	for _, name := range names {
		g = g.And(apptest.Listening(name, `subscription { onNotification(userId: "{`+name+`}") { type } }`))
	}
	return g
}

// ListenTo subscribes a user to some fields of their notifications.
func (g Given) ListenTo(name, fields string) Given {
	return g.And(apptest.Listening(name, `subscription { onNotification(userId: "{`+name+`}") { `+fields+` } }`))
}
