package identity

import (
	"context"
	"time"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// justIssued is how long an anonymous identity can be signed up by its id alone. Ids are
// public, so afterwards a token of the identity is required.
const justIssued = 15 * time.Minute

// newcomer is a sign-up request; empty fields were omitted.
type newcomer struct {
	// userID is well-formed.
	userID       viewer.UserID
	email, phone string
	password     string
	// authorization may prove that userID is the caller's own.
	authorization string
	address       string
}

func (s *Issuer) checkNewcomer(n newcomer) error {
	if n.email != "" {
		if err := checkEmail(n.email); err != nil {
			return err
		}
	}
	if n.phone != "" {
		if err := checkPhone(n.phone); err != nil {
			return err
		}
	}
	for channel, to := range map[string]string{ViaEmail: n.email, ViaSMS: n.phone} {
		if err := s.checkReach(channel, to); err != nil {
			return err
		}
	}
	return checkPassword(n.password)
}

// checkReach refuses a contact that codes cannot be sent to.
func (s *Issuer) checkReach(channel, to string) error {
	if to != "" && !s.Mailer.Reaches(channel) {
		return refusal.Invalidf("No %s can be sent by this service, so `%s` could never be confirmed: leave it out", channel, to)
	}
	return nil
}

// signUp creates an identity, or sets the password of an anonymous one.
func (s *Issuer) signUp(ctx context.Context, n newcomer) (viewer.UserID, error) {
	if err := s.checkNewcomer(n); err != nil {
		return "", err
	}
	if err := s.takeSignUp(n.address, string(n.userID), n.email, n.phone); err != nil {
		return "", err
	}
	for _, to := range []string{n.email, n.phone} {
		if to == "" {
			continue
		}
		if err := s.takeMessage(to, n.address); err != nil {
			return "", err
		}
	}
	hash, err := s.passwords.hash(ctx, n.password)
	if err != nil {
		return "", err
	}
	proven, err := s.proves(ctx, n)
	if err != nil {
		return "", err
	}
	id := n.userID
	if id == "" {
		id = s.newUserID()
	}
	may := once(func(to string) bool { return s.takeRecipient(to) == nil })
	err = s.changeAndSend(ctx, id, func(i *Identity) ([]Message, error) {
		now := s.now()
		if i.Revision > 0 && (!lives(*i) || entered(*i) || !proven && now.Sub(i.CreatedAt) >= justIssued) {
			return nil, refusal.Conflictf("An account for userId `%s` already exists", string(id))
		}
		if i.Revision == 0 {
			i.CreatedAt = now
		}
		i.PendingEmail, i.PendingPhone = PendingContact{Value: n.email}, PendingContact{Value: n.phone}
		sent, err := s.invite(ctx, i, may)
		i.PasswordHash, i.Entered = hash, true
		return sent, err
	})
	if err != nil {
		return "", err
	}
	return id, nil
}

// proves reports whether the caller has a token of the id to sign up.
func (s *Issuer) proves(ctx context.Context, n newcomer) (bool, error) {
	if n.userID == "" || n.authorization == "" {
		return false, nil
	}
	caller, err := s.Tokens.Authenticate(ctx, n.authorization)
	if refusal.KindOf(err) == refusal.Forbidden {
		return false, nil // a stale token must not prevent signing up
	}
	return caller == n.userID, err
}

// anonymous creates an identity without a password.
func (s *Issuer) anonymous(ctx context.Context, address string) (viewer.UserID, Tokens, error) {
	if err := s.takeSignUp(address); err != nil {
		return "", Tokens{}, err
	}
	nobody, err := s.change(ctx, s.newUserID(), func(i *Identity) error {
		i.CreatedAt = s.now()
		return nil
	})
	if err != nil {
		return "", Tokens{}, err
	}
	tokens, err := s.begin(ctx, nobody)
	return nobody.UserID, tokens, err
}

func (s *Issuer) takeSignUp(address string, about ...string) error {
	if err := s.attempts.SignUp(address); err != nil {
		return err
	}
	for _, account := range about {
		if account == "" {
			continue
		}
		if err := s.take("sign-up of "+account+" from "+address, s.attempts.limits.Load().SignUpAccount); err != nil {
			return err
		}
	}
	return nil
}
