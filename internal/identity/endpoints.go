package identity

import (
	"net/http"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// accepted is the empty body of responses that reveal nothing.
type accepted struct{}

func (s *Issuer) postSignUp(c call) (int, any, error) {
	if given, ok := c.fields["userId"]; ok {
		if err := s.checkUserID(viewer.UserID(given)); err != nil {
			return 0, nil, err
		}
	}
	if err := c.fields.need("password"); err != nil {
		return 0, nil, err
	}
	id, err := s.signUp(c.Context(), newcomer{
		userID:        viewer.UserID(c.fields["userId"]),
		email:         c.fields["email"],
		phone:         c.fields["phone"],
		password:      c.fields["password"],
		authorization: c.authorization(),
		address:       c.address,
	})
	return http.StatusCreated, named{id}, err
}

func (s *Issuer) postConfirm(c call) (int, any, error) {
	if err := c.fields.need("userId", "code"); err != nil {
		return 0, nil, err
	}
	id := viewer.UserID(c.fields["userId"])
	return http.StatusOK, named{id}, s.confirm(c.Context(), id, c.fields["code"], c.address)
}

func (s *Issuer) postResend(c call) (int, any, error) {
	if err := c.fields.need("userId"); err != nil {
		return 0, nil, err
	}
	return http.StatusAccepted, accepted{}, s.resend(c.Context(), viewer.UserID(c.fields["userId"]), c.address)
}

func (s *Issuer) postSignIn(c call) (int, any, error) {
	for _, kind := range tokenFields {
		if token := c.fields[kind]; token != "" {
			tokens, err := s.signInByToken(c.Context(), name{kind, token}, c.address)
			return http.StatusOK, tokens, err
		}
	}
	n, err := c.fields.name(byUsername, byEmail, byPhone, byUserID)
	if err != nil {
		return 0, nil, err
	}
	if err := c.fields.need("password"); err != nil {
		return 0, nil, err
	}
	tokens, err := s.signIn(c.Context(), n, c.fields["password"], c.address)
	return http.StatusOK, tokens, err
}

func (s *Issuer) postAnonymous(c call) (int, any, error) {
	id, tokens, err := s.anonymous(c.Context(), c.address)
	return http.StatusCreated, session{named{id}, tokens}, err
}

// session is a user id and its tokens in one object.
type session struct {
	named
	Tokens
}

func (s *Issuer) postRefresh(c call) (int, any, error) {
	if err := c.fields.need("refreshToken"); err != nil {
		return 0, nil, err
	}
	tokens, err := s.refresh(c.Context(), c.fields["refreshToken"])
	return http.StatusOK, tokens, err
}

func (s *Issuer) postSignOut(c call) (int, any, error) {
	if err := c.fields.need("refreshToken"); err != nil {
		return 0, nil, err
	}
	return http.StatusNoContent, nil, s.signOut(c.Context(), c.fields["refreshToken"])
}

func (s *Issuer) postForgot(c call) (int, any, error) {
	n, err := c.fields.name(byEmail, byPhone)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusAccepted, accepted{}, s.forgot(c.Context(), n, c.address)
}

func (s *Issuer) postReset(c call) (int, any, error) {
	n, err := c.fields.name(byUserID, byEmail, byPhone)
	if err != nil {
		return 0, nil, err
	}
	if err := c.fields.need("code", "password"); err != nil {
		return 0, nil, err
	}
	id, err := s.reset(c.Context(), n, c.fields["code"], c.fields["password"], c.address)
	return http.StatusOK, named{id}, err
}

// me describes the caller's own identity. It includes contacts whose verification is
// pending.
type me struct {
	UserID        viewer.UserID `json:"userId"`
	Email         *string       `json:"email"`
	EmailVerified bool          `json:"emailVerified"`
	Phone         *string       `json:"phone"`
	PhoneVerified bool          `json:"phoneVerified"`
}

func (s *Issuer) getMe(c call) (int, any, error) {
	i, err := s.caller(c.Context(), c.authorization())
	email, emailVerified := shownContact(i.Email, i.PendingEmail)
	phone, phoneVerified := shownContact(i.Phone, i.PendingPhone)
	return http.StatusOK, me{i.UserID, email, emailVerified, phone, phoneVerified}, err
}

func shownContact(verified string, pending PendingContact) (*string, bool) {
	if verified != "" {
		return &verified, true
	}
	return orNull(pending.Value), false
}

func (s *Issuer) deleteMe(c call) (int, any, error) {
	i, err := s.caller(c.Context(), c.authorization())
	if err != nil {
		return 0, nil, err
	}
	if err := s.DeleteAndEnd(c.Context(), i.UserID); err != nil {
		return 0, nil, err
	}
	return http.StatusNoContent, nil, s.Forget(c.Context(), i.UserID)
}

func (s *Issuer) getPasswordKey(c call) (int, any, error) {
	key, err := s.PasswordKeyPEM(c.Context())
	return http.StatusOK, document{"application/x-pem-file", key}, err
}

func (s *Issuer) getOutbox(c call) (int, any, error) {
	id := c.URL.Query().Get("userId")
	if id == "" {
		return 0, nil, refusal.Invalidf("Query parameter `userId` is required")
	}
	messages, err := s.outbox(c.Context(), viewer.UserID(id))
	return http.StatusOK, map[string]any{"messages": messages}, err
}

// postToken lets the operator of a running dev service act as any user.
func (s *Issuer) postToken(c call) (int, any, error) {
	if err := c.fields.need("user"); err != nil {
		return 0, nil, err
	}
	id, tokens, err := s.Mint(c.Context(), c.fields["user"])
	return http.StatusCreated, session{named{id}, tokens}, err
}
