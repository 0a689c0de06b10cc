package communities

import (
	"net/mail"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"stoa/internal/kit/input"

	"golang.org/x/text/unicode/norm"
)

// Maximum lengths of texts, in Unicode code points; those of passwords in bytes.
const (
	maxUsername      = 32
	maxName          = 32
	maxEmail         = 254
	minPassword      = 8
	maxPassword      = 72
	maxBio           = 280
	maxCity          = 64
	maxState         = 32
	maxCountry       = 32
	maxCommunityName = 64
	maxDescription   = 280
	maxChatName      = 32
	maxChatText      = 140
	maxContent       = 500
	maxNotice        = 140
	maxNote          = 140
	maxURL           = 2048
	maxClientID      = 128
)

// maxSought is larger than any folded name, in bytes.
const maxSought = 1500

// Fold returns a name in the form used for comparisons and in keys: white space is trimmed
// and collapsed, and compatibility forms and cases are unified.
func Fold(name string) string {
	// Characters next to invalid bytes are not normalized.
	valid := strings.ToValidUTF8(name, "\uFFFD")
	folded := norm.NFKC.String(strings.Map(foldRune, norm.NFKC.String(valid)))
	return strings.Join(strings.Fields(folded), " ")
}

// Sought returns a name that somebody looks for in the form of Fold. It is cut where it is
// longer than any name, so that no text is expensive to look for, or too long for a key.
func Sought(name string) string {
	folded := Fold(name[:min(len(name), maxSought)])
	return folded[:min(len(folded), maxSought)]
}

// foldRune returns the simple case folding of Unicode. A letter without case is returned
// unchanged.
func foldRune(r rune) rune {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	least := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		least = min(least, other)
	}
	if least == r && unicode.SimpleFold(r) == r {
		return r
	}
	return unicode.ToLower(least)
}

// checkKeyName refuses names of invalid length, and names that a key cannot contain.
func checkKeyName(what, name string, most int) error {
	if err := input.Length(what, strings.TrimSpace(name), 1, most); err != nil {
		return err
	}
	folded := Fold(name)
	if folded == "" || strings.Contains(folded, "#") || strings.ContainsFunc(folded, unicode.IsControl) || utf8.RuneCountInString(folded) > 2*most {
		return badInput("INVALID_NAME", "The %s must not contain # or control characters", what)
	}
	return nil
}

// CheckUsername refuses an invalid username. One with @ would be taken for an address at
// sign-in.
func CheckUsername(name string) error {
	if err := checkKeyName("username", name, maxUsername); err != nil {
		return err
	}
	if strings.ContainsFunc(norm.NFKC.String(name), func(r rune) bool { return r == '@' || unicode.IsSpace(r) }) {
		return badInput("INVALID_NAME", "The username must contain neither @ nor blanks")
	}
	return checkLooks("username", name)
}

// CheckName refuses an invalid name of a person.
func CheckName(name string) error {
	return checkDisplayed("name", name, maxName)
}

// CheckEmail refuses an invalid e-mail address.
func CheckEmail(address string) error {
	parsed, err := mail.ParseAddress(address)
	if err != nil || parsed.Address != address || len(address) > maxEmail || len(Fold(address)) > maxSought || strings.ContainsAny(Fold(address), "# ") {
		return badInput("INVALID_EMAIL", "The e-mail address is not valid")
	}
	return nil
}

// CheckPassword refuses a password of invalid length.
func CheckPassword(password string) error {
	if n := len(password); n < minPassword || n > maxPassword {
		return badInput("INVALID_PASSWORD", "The password has %d to %d bytes, not %d", minPassword, maxPassword, n)
	}
	return nil
}

// CheckBio refuses a text that is too long. Nil means unset.
func CheckBio(bio *string) error { return checkOptional("bio", bio, maxBio) }

func checkOptional(what string, text *string, most int) error {
	if text == nil {
		return nil
	}
	return input.Length(what, *text, 0, most)
}

// CheckURL refuses anything but an absolute https URL. Nil means unset.
func CheckURL(address *string) error {
	if address == nil {
		return nil
	}
	u, err := url.Parse(*address)
	if err != nil || u.Scheme != "https" || u.Hostname() == "" || len(*address) > maxURL {
		return badInput("INVALID_URL", "An image address is an absolute https URL of at most %d bytes", maxURL)
	}
	return nil
}

// Location is the location of a user or a community.
type Location struct {
	City    string `dynamo:"City"`
	State   string `dynamo:"State"`
	Country string `dynamo:"Country"`
}

// Check refuses an invalid location.
func (l Location) Check() error {
	if err := checkKeyName("city", l.City, maxCity); err != nil {
		return err
	}
	if err := checkKeyName("state", l.State, maxState); err != nil {
		return err
	}
	return checkKeyName("country", l.Country, maxCountry)
}

// Folded returns l in the form used for comparisons.
func (l Location) Folded() Location { return Location{Fold(l.City), Fold(l.State), Fold(l.Country)} }

// Trimmed returns l without leading and trailing white space in its names.
func (l Location) Trimmed() Location {
	return Location{strings.TrimSpace(l.City), strings.TrimSpace(l.State), strings.TrimSpace(l.Country)}
}

// CheckCommunityName refuses an invalid name of a community.
func CheckCommunityName(name string) error {
	if err := checkKeyName("community name", name, maxCommunityName); err != nil {
		return err
	}
	return checkLooks("community name", name)
}

// CheckDescription refuses an invalid description of a community.
func CheckDescription(text string) error {
	return input.Length("description", strings.TrimSpace(text), 1, maxDescription)
}

// CheckChatName refuses an invalid name of a group chat.
func CheckChatName(name string) error {
	return checkDisplayed("chat name", name, maxChatName)
}

// CheckChatDescription refuses an invalid description of a group chat.
func CheckChatDescription(text string) error {
	return input.Length("chat description", strings.TrimSpace(text), 1, maxChatText)
}

// CheckNote refuses a request's note that is too long. Nil means unset.
func CheckNote(note *string) error { return checkOptional("note", note, maxNote) }

// CheckContent returns the trimmed content of a message, or an error if it is empty or too
// long.
func CheckContent(content string) (string, error) {
	content = strings.TrimSpace(content)
	return content, input.Length("message", content, 1, maxContent)
}

// CheckClientID refuses a client id that is empty or too long. Nil means unset.
func CheckClientID(id *string) error {
	if id == nil {
		return nil
	}
	return input.Length("clientId", *id, 1, maxClientID)
}

// clip truncates text to a maximum number of characters.
func clip(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}
