package desk

import "time"

// Template is an answer that those who decide have saved.
type Template struct {
	ID      string    `dynamo:"templateId,keyonly"`
	Title   string    `dynamo:"title"`
	Text    string    `dynamo:"text"`
	SavedBy UserID    `dynamo:"savedBy"`
	SavedAt time.Time `dynamo:"savedAt"`
}
