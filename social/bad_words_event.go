package social

import "time"

// BadWordsReplaced: there is another dictionary of bad words, by which everything is to be
// checked again.
type BadWordsReplaced struct{ At time.Time }

func (BadWordsReplaced) EventName() string   { return "badWords.replaced" }
func (BadWordsReplaced) OrderingKey() string { return "badWords" }
