package graph

import (
	"stoa/internal/kit/page"
	"stoa/systems/messaging"
)

// Pages of lists, named as in the schema.
type (
	SubscriptionConnection struct {
		page.Page[*messaging.SeenSubscription]
	}
	MessageConnection struct {
		page.Page[*messaging.SeenMessage]
	}
	SeqIDConnection struct{ page.Page[int] }
)
