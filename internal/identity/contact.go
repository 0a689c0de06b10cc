package identity

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// Bounds of a password's length, in characters. The maximum prevents attackers from making
// the service hash large inputs.
const (
	minPassword = 8
	maxPassword = 256
)

var (
	emailForm = regexp.MustCompile(`^[^\s@<>",;:()\[\]\\\x00-\x1f\x7f]+@[^\s@<>",;:()\[\]\\/\x00-\x1f\x7f]+$`)
	phoneForm = regexp.MustCompile(`^\+[1-9][0-9]{6,14}$`)
)

// maxEmail is the maximum length of a deliverable address, in bytes.
const maxEmail = 254

// checkCase refuses e-mail addresses with upper-case letters. Addresses are compared
// exactly, and spellings of one mailbox must not become several identities.
func checkCase(email string) error {
	if email != strings.ToLower(email) {
		return refusal.Invalidf("User's email '%s' has upper case characters", email)
	}
	return nil
}

func checkEmail(email string) error {
	if err := checkCase(email); err != nil {
		return err
	}
	if len(email) > maxEmail || !emailForm.MatchString(email) {
		return refusal.Invalidf("Field `email` must be an address such as ana@example.com")
	}
	return nil
}

func checkPhone(phone string) error {
	if !phoneForm.MatchString(phone) {
		return refusal.Invalidf("Field `phone` must be a number in E.164 form such as +12025550123")
	}
	return nil
}

func (s *Issuer) checkUserID(id viewer.UserID) error {
	if !id.Valid() || !strings.HasPrefix(string(id), s.Region+":") {
		return refusal.Invalidf("Invalid username format: `%s`", string(id))
	}
	return nil
}

func validPassword(password string) bool {
	n := utf8.RuneCountInString(password)
	return minPassword <= n && n <= maxPassword
}

func checkPassword(password string) error {
	if !validPassword(password) {
		return refusal.Invalidf("Invalid password: use %d to %d characters", minPassword, maxPassword)
	}
	return nil
}
