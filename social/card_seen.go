package social

import "encoding/json"

// SeenCard is a card as its user sees it. Nobody else can see it.
type SeenCard struct{ card Card }

// See returns the card if the viewer is its user, and otherwise nil.
func (c *Card) See(v Viewer) *SeenCard {
	if c.UserID != v.UserID {
		return nil
	}
	return &SeenCard{*c}
}

// PostID is the post that the card is about, or "".
func (s *SeenCard) PostID() PostID { return s.card.PostID }

func (s *SeenCard) CardID() CardID    { return s.card.CardID }
func (s *SeenCard) Title() string     { return s.card.Title }
func (s *SeenCard) SubTitle() *string { return set(true, s.card.SubTitle) }
func (s *SeenCard) Action() string    { return s.card.Action }

// MarshalJSON encodes the card for the bus, which takes it to its user's subscriptions.
func (s SeenCard) MarshalJSON() ([]byte, error) { return json.Marshal(s.card) }

// UnmarshalJSON decodes the result of MarshalJSON.
func (s *SeenCard) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, &s.card) }
