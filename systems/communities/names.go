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

// Lengths of texts, in characters as Unicode counts them; that of a password in bytes.
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

// Fold returns the form in which names are compared and stand in keys: without blanks
// around, with single ones inside, compatible forms and cases of a letter made one.
func Fold(name string) string {
	folded := norm.NFKC.String(strings.Map(foldRune, norm.NFKC.String(name)))
	return strings.Join(strings.Fields(folded), " ")
}

// foldRune is the simple case folding of Unicode. A letter without other cases is itself.
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

// checkKeyName refuses names that are too short or long, and those that no key can hold.
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

// CheckUsername refuses what no user can be called. A name with @ would be taken for an
// address at sign-in.
func CheckUsername(name string) error {
	if err := checkKeyName("username", name, maxUsername); err != nil {
		return err
	}
	if strings.ContainsFunc(norm.NFKC.String(name), func(r rune) bool { return r == '@' || unicode.IsSpace(r) }) {
		return badInput("INVALID_NAME", "The username must contain neither @ nor blanks")
	}
	return nil
}

// CheckName refuses what no person is called.
func CheckName(name string) error { return input.Length("name", strings.TrimSpace(name), 1, maxName) }

// CheckEmail refuses what is no address.
func CheckEmail(address string) error {
	parsed, err := mail.ParseAddress(address)
	if err != nil || parsed.Address != address || len(address) > maxEmail || strings.ContainsAny(Fold(address), "# ") {
		return badInput("INVALID_EMAIL", "The e-mail address is not valid")
	}
	return nil
}

// CheckPassword refuses passwords that are too short or too long.
func CheckPassword(password string) error {
	if n := len(password); n < minPassword || n > maxPassword {
		return badInput("INVALID_PASSWORD", "The password has %d to %d bytes, not %d", minPassword, maxPassword, n)
	}
	return nil
}

// CheckBio refuses texts that are too long. Nil is none.
func CheckBio(bio *string) error { return checkOptional("bio", bio, maxBio) }

func checkOptional(what string, text *string, most int) error {
	if text == nil {
		return nil
	}
	return input.Length(what, *text, 0, most)
}

// CheckURL refuses what is no absolute https address. Nil is none.
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

// Location is where somebody or something is.
type Location struct{ City, State, Country string }

// Check refuses what is no place.
func (l Location) Check() error {
	if err := checkKeyName("city", l.City, maxCity); err != nil {
		return err
	}
	if err := checkKeyName("state", l.State, maxState); err != nil {
		return err
	}
	return checkKeyName("country", l.Country, maxCountry)
}

// Folded is l in the form in which places are compared.
func (l Location) Folded() Location { return Location{Fold(l.City), Fold(l.State), Fold(l.Country)} }

// Trimmed is l without blanks around its names.
func (l Location) Trimmed() Location {
	return Location{strings.TrimSpace(l.City), strings.TrimSpace(l.State), strings.TrimSpace(l.Country)}
}

// CheckCommunityName refuses what no community can be called.
func CheckCommunityName(name string) error {
	return checkKeyName("community name", name, maxCommunityName)
}

// CheckDescription refuses what describes no community.
func CheckDescription(text string) error {
	return input.Length("description", strings.TrimSpace(text), 1, maxDescription)
}

// CheckChatName refuses what no group chat can be called.
func CheckChatName(name string) error {
	return input.Length("chat name", strings.TrimSpace(name), 1, maxChatName)
}

// CheckChatDescription refuses what describes no group chat.
func CheckChatDescription(text string) error {
	return input.Length("chat description", strings.TrimSpace(text), 1, maxChatText)
}

// CheckNote refuses notes of requests that are too long. Nil is none.
func CheckNote(note *string) error { return checkOptional("note", note, maxNote) }

// CheckContent returns the content of a message without blanks around it, and refuses an
// empty or too long one.
func CheckContent(content string) (string, error) {
	content = strings.TrimSpace(content)
	return content, input.Length("message", content, 1, maxContent)
}

// CheckClientID refuses ids by clients that are empty or too long. Nil is none.
func CheckClientID(id *string) error {
	if id == nil {
		return nil
	}
	return input.Length("clientId", *id, 1, maxClientID)
}

// clip shortens text to a number of characters.
func clip(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}
