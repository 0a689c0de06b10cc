package messaging

import "strings"

// Mode is a set of a subscriber's permissions in a topic, as bits.
type Mode int

const (
	Join     Mode = 1 << iota // subscribe and attach
	Read                      // read messages, send receipts
	Write                     // publish, send typing notifications
	Presence                  // receive presence events
	Approve                   // approve, remove and ban
	Share                     // invite
	Delete                    // delete for everybody
	Own
)

// letters are the letters of the bits, from the lowest.
const letters = "JRWPASDO"

// Named sets of permissions.
const (
	Nothing      Mode = 0
	OwnerMode         = Join | Read | Write | Presence | Approve | Share | Delete | Own
	GroupDefault      = Join | Read | Write | Presence | Share
	PairMode          = Join | Read | Write | Presence | Approve
	HiddenMode        = Join | Read | Presence | Delete // of topics of a single user
)

// nothing is the text of the empty set.
const nothing = "N"

// ParseMode parses letters in any order and case, with N for the empty set.
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

// ModeOr is like ParseMode, but returns fallback for nil and "".
func ModeOr(text *string, fallback Mode) (Mode, error) {
	if text == nil || *text == "" {
		return fallback, nil
	}
	return ParseMode(*text)
}

// String returns the letters of m, or N for the empty set.
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

// Has reports whether m includes all permissions of some.
func (m Mode) Has(some Mode) bool { return m&some == some }

// IsAdmin and IsSharer report whether the subscriber may manage members, and whether they
// may invite.
func (m Mode) IsAdmin() bool  { return m&(Approve|Own) != 0 }
func (m Mode) IsSharer() bool { return m&(Approve|Own|Share) != 0 }

// InPair returns m restricted to the permissions available in a two-person topic. Any
// permission implies Approve there.
func (m Mode) InPair() Mode {
	if m &= PairMode; m != Nothing {
		m |= Approve
	}
	return m
}

// Access is the default access to a topic, for authenticated and for anonymous users.
type Access struct {
	Auth Mode `dynamo:"Auth"`
	Anon Mode `dynamo:"Anon"`
}

// For returns the default access of a user of a level. It never includes O, which only the
// owner of a topic gives, to one subscriber at a time.
func (a Access) For(l Level) Mode {
	if l == Anon {
		return a.Anon &^ Own
	}
	return a.Auth &^ Own
}

// SeenDefault is a default access in the form that clients get.
type SeenDefault struct{ access Access }

func (s *SeenDefault) Auth() string { return s.access.Auth.String() }
func (s *SeenDefault) Anon() string { return s.access.Anon.String() }

// AccessPlan is a change of a default access. Fields that are nil or "" stay unchanged.
type AccessPlan struct{ Auth, Anon *string }

// On returns a after the change.
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

// SeenAccess is a subscriber's access in the form that clients get.
type SeenAccess struct{ want, given Mode }

func (s *SeenAccess) Want() string  { return s.want.String() }
func (s *SeenAccess) Given() string { return s.given.String() }
func (s *SeenAccess) Mode() string  { return (s.want & s.given).String() }
func (s *SeenAccess) Bits() int     { return int(s.want & s.given) }
