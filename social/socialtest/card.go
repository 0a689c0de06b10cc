package socialtest

import "stoa/internal/apptest"

// ListenToCards subscribes users to changes of their cards.
func (g Given) ListenToCards(names ...string) Given {
	for _, name := range names {
		g = g.And(apptest.Listening(name, `subscription { onCardNotification(userId: "{`+name+`}") { type card { cardId title } } }`))
	}
	return g
}

// DismissCard dismisses a card of the given name.
func (g Given) DismissCard(user, name string) Given {
	return g.Does(user, `mutation { deleteCard(cardId: "{%s}:%s") { cardId } }`, user, name)
}
