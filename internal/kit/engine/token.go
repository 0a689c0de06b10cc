package engine

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cockroachdb/pebble/v2"
)

// tokenLife is the lifetime of a request token.
const tokenLife = 10 * time.Minute

// token is a client's identifier of one transaction. A transaction stores its token in its
// own batch, so a repetition is recognized if and only if the first attempt took effect.
type token struct {
	text   string
	digest [sha256.Size]byte // of the request's parameters
	stripe int
}

// errReplayed means that a transaction with this token has taken effect before.
var errReplayed = errors.New("engine: request token was used before")

// newToken returns a token with the digest of a request.
func newToken(text string, asked []byte) *token {
	return &token{text: text, digest: sha256.Sum256(asked), stripe: stripeOf(append([]byte{spaceTokens}, text...))}
}

// tokenRing orders tokens by time of use, in rounds of tokenLife. A token is looked up in
// the current round and the previous one; older rounds are dropped as a whole.
type tokenRing struct {
	swept atomic.Int64 // earlier rounds have been dropped
}

func tokenRound(round int64) []byte {
	return binary.BigEndian.AppendUint64([]byte{spaceTokens}, uint64(round))
}

// useToken adds t to batch. The caller must hold t's stripe.
func (e *Engine) useToken(batch *pebble.Batch, t *token) error {
	now := e.now()
	round := now.UnixNano() / int64(tokenLife)
	for _, r := range []int64{round, round - 1} {
		if err := e.findToken(append(tokenRound(r), t.text...), t, now); err != nil {
			return err
		}
	}
	if e.tokens.swept.Swap(round-1) != round-1 {
		if err := batch.DeleteRange(tokenRound(0), tokenRound(round-1), nil); err != nil {
			return fmt.Errorf("engine: write: %w", err)
		}
	}
	value := binary.BigEndian.AppendUint64(t.digest[:], uint64(now.UnixNano()))
	return batch.Set(append(tokenRound(round), t.text...), value, nil)
}

// findToken reports an unexpired token stored under key.
func (e *Engine) findToken(key []byte, t *token, now time.Time) error {
	value, closer, err := e.db.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("engine: read: %w", err)
	}
	defer closer.Close()
	digest, used := value[:sha256.Size], binary.BigEndian.Uint64(value[sha256.Size:])
	switch {
	case now.Sub(time.Unix(0, int64(used))) >= tokenLife:
		return nil
	case !bytes.Equal(digest, t.digest[:]):
		return &types.IdempotentParameterMismatchException{Message: aws.String(
			"The client request token has been used with different parameters: " + t.text)}
	}
	return errReplayed
}
