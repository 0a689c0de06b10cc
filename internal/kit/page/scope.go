package page

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// Scope binds the tokens of a list to the caller and the list: a token given to another
// operation, other arguments or another caller is refused. It is not a signature, so the
// list must still validate the content of tokens.
type Scope struct{ mark string }

// markSize is the length of a scope's mark in bytes.
const markSize = 9

// ScopeOf returns the scope of a list: the operation, the caller and the arguments that
// identify the list, except its limit.
func ScopeOf(operation string, caller string, arguments ...string) Scope {
	h := sha256.New()
	for _, part := range append([]string{operation, caller}, arguments...) {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return Scope{string(h.Sum(nil)[:markSize])}
}

// Query validates arguments like Args.Query, and checks that the token is from this scope.
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

// Seal converts the Next of a list to a token for clients; "" remains the end.
func (s Scope) Seal(next string) string {
	if next == "" {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString([]byte(s.mark + next))
}
