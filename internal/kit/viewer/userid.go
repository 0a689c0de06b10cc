package viewer

import "strings"

// UserID is the id of an identity. The built-in identity service issues `{region}:` and a
// lower-case version 4 UUID, for example us-east-1:7f1c2c7e-52a4-4a0b-9c64-8e4e0e2d6d0f;
// external ones have forms of their own. The identity may exist without a profile.
type UserID string

// maxUserID is the maximum length of a user id, in bytes.
const maxUserID = 128

// Possible reports whether id can be that of an identity, whoever has issued it. It
// excludes the characters that separate the parts of stored keys. It is called for every
// lookup, so it is not a regular expression.
func (id UserID) Possible() bool {
	return id != "" && len(id) <= maxUserID && all(string(id), isIDChar)
}

func isIDChar(c byte) bool {
	return isLower(c) || c >= 'A' && c <= 'Z' || isDigit(c) || strings.IndexByte(":._|@+=-", c) >= 0
}

// Valid reports whether id has the form in which the built-in identity service issues ids.
func (id UserID) Valid() bool {
	region, uuid, ok := strings.Cut(string(id), ":")
	return ok && isRegion(region) && isUUIDv4(uuid)
}

// isRegion reports whether s is two lower-case letters, one or more names and a
// number, joined by hyphens: us-east-1, us-gov-west-1.
func isRegion(s string) bool {
	country, rest, ok := strings.Cut(s, "-")
	if !ok || len(country) != 2 || !all(country, isLower) {
		return false
	}
	names := 0
	for {
		part, after, more := strings.Cut(rest, "-")
		if !more {
			return names > 0 && part != "" && all(part, isDigit)
		}
		if part == "" || !all(part, isLower) {
			return false
		}
		names++
		rest = after
	}
}

// isUUIDv4 reports whether s is a version 4 UUID in lower case.
func isUUIDv4(s string) bool {
	if len(s) != 36 || s[14] != '4' || strings.IndexByte("89ab", s[19]) < 0 {
		return false
	}
	for i := range len(s) {
		switch i {
		case 8, 13, 18, 23:
			if s[i] != '-' {
				return false
			}
		default:
			if !isDigit(s[i]) && (s[i] < 'a' || s[i] > 'f') {
				return false
			}
		}
	}
	return true
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func all(s string, is func(byte) bool) bool {
	for i := range len(s) {
		if !is(s[i]) {
			return false
		}
	}
	return true
}
