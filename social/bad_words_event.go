package social

import "time"

// BadWordsReplaced: the dictionary of bad words changed, so all content is to be checked
// again.
type BadWordsReplaced struct{ At time.Time }

func (BadWordsReplaced) EventName() string   { return "badWords.replaced" }
func (BadWordsReplaced) OrderingKey() string { return "badWords" }
