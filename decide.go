package stoa

// mostDecisions bounds how often Decide starts over. Each round loses to somebody
// else's success, so whoever loses this often does better to tell the client.
const mostDecisions = 3

// Decide runs decide, which reads the stored state, judges it and writes under the
// condition that it still stands, and runs it again when the write found the state
// changed (Conflict). After three rounds the Conflict is the answer.
func Decide[T any](decide func() (T, error)) (T, error) {
	for round := 1; ; round++ {
		result, err := decide()
		if KindOf(err) != Conflict || round == mostDecisions {
			return result, err
		}
	}
}
