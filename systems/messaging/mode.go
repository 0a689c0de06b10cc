package messaging

import "strings"

// Mode is what somebody may do in a topic, as bits.
type Mode int

const (
	Join     Mode = 1 << iota // subscribe and attach
	Read                      // read messages, send receipts
	Write                     // publish, tell that one is typing
	Presence                  // hear who comes and goes
	Approve                   // approve, remove and ban
	Share                     // invite
	Delete                    // delete for everybody
	Own
)

// letters are those of the bits, from the lowest.
const letters = "JRWPASDO"

// Sets of permissions that have names.
const (
	Nothing      Mode = 0
	OwnerMode         = Join | Read | Write | Presence | Approve | Share | Delete | Own
	GroupDefault      = Join | Read | Write | Presence | Share
	PairMode          = Join | Read | Write | Presence | Approve
	HiddenMode        = Join | Read | Presence | Delete // of topics of one person
)

// nothing is the text of no permission at all.
const nothing = "N"

// ParseMode reads letters in any order and case, N for nothing.
func ParseMode(text string) (Mode, error) {
	if strings.EqualFold(text, nothing) {
		return Nothing, nil
	}
	mode := Nothing
	for _, letter := range strings.ToUpper(text) {
		i := strings.IndexRune(letters, letter)
		if i < 0 {
			return 0, badInput("INVALID_MODE", "A mode consists of the letters %s, or is %s: not %.20q", letters, nothing, text)
		}
		mode |= 1 << i
	}
	return mode, nil
}

// ModeOr is ParseMode of what may be left out: nil and "" stand for a default.
func ModeOr(text *string, fallback Mode) (Mode, error) {
	if text == nil || *text == "" {
		return fallback, nil
	}
	return ParseMode(*text)
}

// String lists the letters of m, N for none.
func (m Mode) String() string {
	if m&OwnerMode == 0 {
		return nothing
	}
	var text []byte
	for i := range letters {
		if m&(1<<i) != 0 {
			text = append(text, letters[i])
		}
	}
	return string(text)
}

// Has reports whether m has all permissions of some.
func (m Mode) Has(some Mode) bool { return m&some == some }

// IsAdmin and IsSharer report who manages members, and who may invite.
func (m Mode) IsAdmin() bool  { return m&(Approve|Own) != 0 }
func (m Mode) IsSharer() bool { return m&(Approve|Own|Share) != 0 }

// InPair is what of m can be had in a two-person topic, where whoever may do anything may
// also approve.
func (m Mode) InPair() Mode {
	if m &= PairMode; m != Nothing {
		m |= Approve
	}
	return m
}

// Access is what others get in a topic without further ado.
type Access struct{ Auth, Anon Mode }

// For is what somebody of a level gets.
func (a Access) For(l Level) Mode {
	if l == Anon {
		return a.Anon
	}
	return a.Auth
}

// SeenDefault is a default access as clients get it.
type SeenDefault struct{ Access }

func (s *SeenDefault) Auth() string { return s.Access.Auth.String() }
func (s *SeenDefault) Anon() string { return s.Access.Anon.String() }

// AccessPlan is a default access as it is to be; what is nil or "" stays.
type AccessPlan struct{ Auth, Anon *string }

// On applies the plan to what there is.
func (p *AccessPlan) On(a Access) (Access, error) {
	if p == nil {
		return a, nil
	}
	auth, err := ModeOr(p.Auth, a.Auth)
	if err != nil {
		return a, err
	}
	anon, err := ModeOr(p.Anon, a.Anon)
	return Access{auth, anon}, err
}

// SeenAccess is what a subscriber may do, as clients get it.
type SeenAccess struct{ WantMode, GivenMode Mode }

func (s *SeenAccess) Want() string  { return s.WantMode.String() }
func (s *SeenAccess) Given() string { return s.GivenMode.String() }
func (s *SeenAccess) Mode() string  { return (s.WantMode & s.GivenMode).String() }
func (s *SeenAccess) Bits() int     { return int(s.WantMode & s.GivenMode) }
