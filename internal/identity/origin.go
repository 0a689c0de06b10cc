package identity

import (
	"context"
	"errors"
	"strings"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

type originKey struct{}

func withOrigin(ctx context.Context, o Origin) context.Context {
	return context.WithValue(ctx, originKey{}, o)
}

// maxClient is how much is kept of what a client says about itself, in bytes.
const maxClient = 200

// originOf returns where a request comes from, which may also be one of a system.
func originOf(ctx context.Context) Origin {
	o, known := ctx.Value(originKey{}).(Origin)
	if !known {
		v := viewer.From(ctx)
		o = Origin{Client: strings.Join(strings.Fields(v.Client.Device+" "+v.Client.System+" "+v.Client.Version), " "), Address: v.Address}
	}
	if len(o.Client) > maxClient {
		o.Client = strings.ToValidUTF8(o.Client[:maxClient], "")
	}
	return o
}

// maySignIn refuses people who are kept out.
func (s *Issuer) maySignIn(ctx context.Context, id viewer.UserID) error {
	if s.MaySignIn == nil {
		return nil
	}
	return s.MaySignIn(ctx, id)
}

// keptOut is the refusal of somebody who has proven who they are and is kept out.
type keptOut struct {
	error
	// token is an access token, which is refused for everything but what is open to them.
	token string
}

func (k *keptOut) Unwrap() error { return k.error }

// keptOut adds a token to the refusal of somebody who is kept out: those that they have expire.
func (s *Issuer) keptOut(ctx context.Context, i Identity, err error) error {
	var refused *refusal.Error
	if !errors.As(err, &refused) {
		return err
	}
	tokens, failed := s.mint(ctx, i, "")
	if failed != nil {
		return failed
	}
	return &keptOut{err, tokens.AccessToken}
}

// SignOutEverywhere revokes the tokens of an identity whose version is lower than least. It does
// nothing if the identity does not exist.
func (s *Issuer) SignOutEverywhere(ctx context.Context, id viewer.UserID, least int) error {
	_, err := s.change(ctx, id, func(i *Identity) error {
		if lives(*i) {
			i.TokenVersion = max(i.TokenVersion, least)
		}
		return nil
	})
	return err
}

// Known is what the service knows of an account, for those who run it.
type Known struct {
	// Email and Phone may be waiting for verification.
	Email, Phone                 string
	EmailVerified, PhoneVerified bool
	// TokenVersion is the lowest version of sessions that have not ended.
	TokenVersion int
}

// Known returns what is known of an account; found is false if nobody can sign in to it.
func (s *Issuer) Known(ctx context.Context, id viewer.UserID) (k Known, found bool, err error) {
	i, found, err := s.living(ctx, id)
	if err != nil || !found {
		return Known{}, false, err
	}
	k.Email, k.EmailVerified = i.Email, i.Email != ""
	if !k.EmailVerified {
		k.Email = i.PendingEmail.Value
	}
	k.Phone, k.PhoneVerified = i.Phone, i.Phone != ""
	if !k.PhoneVerified {
		k.Phone = i.PendingPhone.Value
	}
	k.TokenVersion = i.TokenVersion
	return k, true, nil
}
