package page

import (
	"crypto/sha256"
	"encoding/base64"
)

// Scope binds the tokens of a list to the caller and the list: a token given to another
// operation, other arguments or another caller is refused, and so is one that was cut,
// lengthened or altered. It is not a signature, so the list must still validate the content
// of tokens.
type Scope struct{ list string }

// markSize is the length of the mark at the start of a token in bytes.
const markSize = 9

// ScopeOf returns the scope of a list: the operation, the caller and the arguments that
// identify the list, except its limit.
func ScopeOf(operation string, caller string, arguments ...string) Scope {
	h := sha256.New()
	for _, part := range append([]string{operation, caller}, arguments...) {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return Scope{string(h.Sum(nil))}
}

// mark returns the checksum of a token's content within this scope.
func (s Scope) mark(next string) string {
	sum := sha256.Sum256([]byte(s.list + next))
	return string(sum[:markSize])
}

// Query validates arguments like Args.Query, and checks that the token is from this scope.
func (s Scope) Query(a Args) (Query, error) {
	q, err := a.Query()
	if err != nil || q.After == "" {
		return q, err
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(q.After)
	if err != nil || len(raw) <= markSize {
		return Query{}, ErrToken
	}
	mark, after := string(raw[:markSize]), string(raw[markSize:])
	if mark != s.mark(after) {
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
	return base64.RawURLEncoding.EncodeToString([]byte(s.mark(next) + next))
}
