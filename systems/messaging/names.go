package messaging

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"stoa/internal/kit/input"
)

var loginForm = regexp.MustCompile(`^[a-z0-9][a-z0-9._]{2,30}[a-z0-9]$`)

// ParseLogin returns a login in its stored form, in lower case, or an error if it is
// invalid.
func ParseLogin(text string) (string, error) {
	login := strings.ToLower(text)
	if !loginForm.MatchString(login) {
		return "", badInput("INVALID_LOGIN", "login: 4 to 32 letters, digits, dots and underscores, the first and the last a letter or a digit")
	}
	return login, nil
}

// LoginKey returns the key under which a login is stored.
func LoginKey(text string) string { return BasicTag(strings.ToLower(text)) }

// CheckPassword refuses passwords that are too short, or so long that their hashes would
// ignore the rest.
func CheckPassword(password string) error {
	if utf8.RuneCountInString(password) < minPassword || len(password) > maxPassword {
		return badInput("INVALID_PASSWORD", "A password has at least %d characters and at most %d bytes", minPassword, maxPassword)
	}
	return nil
}

// basicScheme is the prefix of tags derived from logins.
const basicScheme = "basic:"

// BasicTag returns the tag of a login, which is also the key of its secret.
func BasicTag(login string) string { return basicScheme + login }

// IsBasic reports whether a tag is derived from a login.
func IsBasic(tag string) bool { return strings.HasPrefix(tag, basicScheme) }

const (
	minTag = 2
	maxTag = 96
)

// tagForm matches a body that starts with a letter or a digit, or any body after a prefix.
var tagForm = regexp.MustCompile(`^(?:[a-z][a-z0-9_]{0,14}:[\p{L}\p{N}_.+\-@#!?]+|[\p{L}\p{N}][\p{L}\p{N}_.+\-@#!?]*)$`)

// NormalTag returns a tag in its stored form, "" if it is dropped because of its length, or
// an error if it is invalid.
func NormalTag(tag string) (string, error) {
	tag = strings.ToLower(strings.TrimSpace(tag))
	if n := utf8.RuneCountInString(tag); n < minTag || n > maxTag {
		return "", nil
	}
	if !tagForm.MatchString(tag) {
		return "", badInput(
			"INVALID_TAG",
			"tags: a tag begins with a letter or a digit and consists of letters, digits and _.+-@#!?, perhaps behind a prefix such as email:, not %.100q",
			tag,
		)
	}
	return tag, nil
}

// NormalTags returns the tags that a user has chosen, sorted and without duplicates. Tags
// derived from logins cannot be chosen.
func NormalTags(tags []string) ([]string, error) {
	normal := []string{}
	for _, tag := range tags[:min(len(tags), MaxTags)] {
		tag, err := NormalTag(tag)
		if err != nil {
			return nil, err
		}
		if tag != "" {
			normal = append(normal, tag)
		}
	}
	slices.Sort(normal)
	normal = slices.Compact(normal)
	if slices.ContainsFunc(normal, IsBasic) {
		return nil, ErrRestrictedTag
	}
	return normal, nil
}

// WithLogin returns tags with that of a login, which may be "".
func WithLogin(tags []string, login string) []string {
	all := slices.Clone(tags)
	if login != "" {
		all = append(all, BasicTag(login))
	}
	slices.Sort(all)
	return all
}

// FreeTags returns the tags that are not derived from a login.
func FreeTags(tags []string) []string {
	return slices.DeleteFunc(slices.Clone(tags), IsBasic)
}

// CheckTagCount refuses an invalid number of tags to check.
func CheckTagCount(tags []string) error {
	if n := len(tags); n < 1 || n > MaxTags {
		return badInput("INVALID_COUNT", "tags: 1 to %d, not %d", MaxTags, n)
	}
	return nil
}

func checkText(field, text string, least, most int) error {
	if n := len(text); n < least || n > most || !utf8.ValidString(text) {
		return badInput("INVALID_LENGTH", "%s has %d to %d bytes, not %d", field, least, most, n)
	}
	return nil
}

// CheckDevice refuses an invalid device id or language.
func CheckDevice(id, lang string) error {
	return input.First(checkText("id", id, 1, maxDeviceID), checkText("lang", lang, 0, maxLang))
}

// CheckAgent refuses a client name that is too long.
func CheckAgent(agent string) error { return checkText("userAgent", agent, 0, maxAgent) }

// CheckClientID refuses a client id that is empty or too long. Nil means unset.
func CheckClientID(id *string) error {
	if id == nil {
		return nil
	}
	return checkText("clientId", *id, 1, maxClientID)
}
