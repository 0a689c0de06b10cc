package page

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// Scope binds the tokens of a list to the caller and the list: a token that another
// operation, other arguments or another caller was given is refused. It keeps no
// secret, so what a token says is still checked by the list.
type Scope struct{ mark string }

// markSize is the length of a scope's mark in bytes.
const markSize = 9

// ScopeOf makes the scope of a list: the operation, the caller and the arguments that
// choose the list, but not its limit.
func ScopeOf(operation string, caller string, arguments ...string) Scope {
	h := sha256.New()
	for _, part := range append([]string{operation, caller}, arguments...) {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return Scope{string(h.Sum(nil)[:markSize])}
}

// Query checks arguments as Args.Query does, and that the token is of this scope.
func (s Scope) Query(a Args) (Query, error) {
	q, err := a.Query()
	if err != nil || q.After == "" {
		return q, err
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(q.After)
	if err != nil {
		return Query{}, ErrToken
	}
	after, ok := strings.CutPrefix(string(raw), s.mark)
	if !ok || after == "" {
		return Query{}, ErrToken
	}
	q.After = after
	return q, nil
}

// Seal makes the Next of a list into what clients get; "" stays the end.
func (s Scope) Seal(next string) string {
	if next == "" {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString([]byte(s.mark + next))
}
