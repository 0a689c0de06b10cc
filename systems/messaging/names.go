package messaging

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"stoa/internal/kit/input"
)

var loginForm = regexp.MustCompile(`^[a-z0-9][a-z0-9._]{2,30}[a-z0-9]$`)

// ParseLogin returns a login as it is stored, in lower case.
func ParseLogin(text string) (string, error) {
	login := strings.ToLower(text)
	if !loginForm.MatchString(login) {
		return "", badInput("INVALID_LOGIN", "login: 4 to 32 letters, digits, dots and underscores, the first and the last a letter or a digit")
	}
	return login, nil
}

// LoginKey is what a login is looked up by.
func LoginKey(text string) string { return BasicTag(strings.ToLower(text)) }

// CheckPassword refuses passwords that are too short or too long to be told apart.
func CheckPassword(password string) error {
	if utf8.RuneCountInString(password) < minPassword || len(password) > maxPassword {
		return badInput("INVALID_PASSWORD", "A password has at least %d characters and at most %d bytes", minPassword, maxPassword)
	}
	return nil
}

// basicScheme begins the tags that follow logins.
const basicScheme = "basic:"

// BasicTag is the tag, and the key of the secret, of a login.
func BasicTag(login string) string { return basicScheme + login }

// IsBasic reports whether a tag follows a login.
func IsBasic(tag string) bool { return strings.HasPrefix(tag, basicScheme) }

const (
	minTag = 2
	maxTag = 96
)

// tagForm is a body that begins with a letter or a digit, or any behind a prefix.
var tagForm = regexp.MustCompile(`^(?:[a-z][a-z0-9_]{0,14}:[\p{L}\p{N}_.+\-@#!?]+|[\p{L}\p{N}][\p{L}\p{N}_.+\-@#!?]*)$`)

// NormalTag is a tag as it is stored, "" for one whose length leaves it out.
func NormalTag(tag string) (string, error) {
	tag = strings.ToLower(strings.TrimSpace(tag))
	if n := utf8.RuneCountInString(tag); n < minTag || n > maxTag {
		return "", nil
	}
	if !tagForm.MatchString(tag) {
		return "", badInput("INVALID_TAG", "tags: a tag begins with a letter or a digit and consists of letters, digits and _.+-@#!?, perhaps behind a prefix such as email:, not %.100q", tag)
	}
	return tag, nil
}

// NormalTags are the tags that somebody chooses, in order and each once. Those that follow
// logins cannot be chosen.
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

// WithLogin are tags together with that of a login, which is "" for none.
func WithLogin(tags []string, login string) []string {
	all := slices.Clone(tags)
	if login != "" {
		all = append(all, BasicTag(login))
	}
	slices.Sort(all)
	return all
}

// FreeTags are those that do not follow a login.
func FreeTags(tags []string) []string {
	return slices.DeleteFunc(slices.Clone(tags), IsBasic)
}

// CheckTagCount refuses to look at none or too many tags.
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

// CheckDevice refuses what cannot be registered.
func CheckDevice(id, lang string) error {
	return input.First(checkText("id", id, 1, maxDeviceID), checkText("lang", lang, 0, maxLang))
}

// CheckAgent refuses names of clients that are too long.
func CheckAgent(agent string) error { return checkText("userAgent", agent, 0, maxAgent) }

// CheckClientID refuses ids of clients that are empty or too long. Nil is none.
func CheckClientID(id *string) error {
	if id == nil {
		return nil
	}
	return checkText("clientId", *id, 1, maxClientID)
}
