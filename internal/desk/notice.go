package desk

import "time"

// Notice is something that a webhook has to be told.
type Notice struct {
	// Hook identifies the webhook, Subject what the notice is about.
	Hook    string `dynamo:"hook,keyonly"`
	Subject string `dynamo:"subject,keyonly"`
	// At orders the notices of a subject: it is when the thing happened.
	At time.Time `dynamo:"at,keyonly"`
	ID string    `dynamo:"noticeId,keyonly"`
	// Body is the JSON text that is sent.
	Body string `dynamo:"body"`
	// ParkedAt is set once a notice has been attempted for too long: later ones go before it.
	ParkedAt time.Time `dynamo:"parkedAt"`
}
