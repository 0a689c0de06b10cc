package messaging

import (
	"slices"
	"strings"

	"stoa/internal/kit/viewer"
)

// Reach is an e-mail address or a telephone number, of which the other is empty. The zero
// Reach is neither.
type Reach struct{ Email, Phone string }

const (
	emailScheme = "email:"
	phoneScheme = "tel:"
)

// ReachOf returns the address or number that a tag claims for its user, with the default
// calling code of numbers: whoever searches for it finds the tag, with or without a prefix.
func ReachOf(tag, country string) Reach {
	if email, ok := strings.CutPrefix(tag, emailScheme); ok {
		return Reach{Email: email}
	}
	if number, ok := strings.CutPrefix(tag, phoneScheme); ok {
		return Reach{Phone: telephone(number, country)}
	}
	switch {
	case prefixed.MatchString(tag):
		return Reach{}
	case emailForm.MatchString(tag):
		return Reach{Email: tag}
	}
	return Reach{Phone: telephone(tag, country)}
}

// ReachTags returns the tags of a verified address and number, either of which may be "".
// Those that cannot be tags are left out.
func ReachTags(email, phone string) []string {
	var tags []string
	for scheme, text := range map[string]string{emailScheme: email, phoneScheme: phone} {
		if text == "" {
			continue
		}
		if tag, err := NormalTag(scheme + text); err == nil && tag != "" {
			tags = append(tags, tag)
		}
	}
	slices.Sort(tags)
	return tags
}

// Proven returns u after it is proven to be of the person with an account of the service's
// identity, whose verified address and number have the given tags.
func (u *User) Proven(identity viewer.UserID, tags []string) (*User, error) {
	after := *u
	after.Identity = identity
	after.Tags = slices.Concat(u.Tags, tags)
	slices.Sort(after.Tags)
	after.Tags = slices.Compact(after.Tags)
	if len(FreeTags(after.Tags)) > MaxTags {
		return nil, ErrTooManyTags
	}
	return &after, nil
}

// Without returns u without some tags.
func (u *User) Without(tags []string) *User {
	after := *u
	after.Tags = slices.DeleteFunc(slices.Clone(u.Tags), func(t string) bool { return slices.Contains(tags, t) })
	return &after
}
