package social

// SeenCard is a card as its user sees it. Nobody else ever sees one.
type SeenCard struct{ Stored Card }

// See shows the card to a viewer, nil to any but its user.
func (c *Card) See(v Viewer) *SeenCard {
	if c.UserID != v.UserID {
		return nil
	}
	return &SeenCard{*c}
}

// PostID is the post that the card is about, empty for none.
func (s *SeenCard) PostID() PostID { return s.Stored.PostID }

func (s *SeenCard) CardID() CardID    { return s.Stored.CardID }
func (s *SeenCard) Title() string     { return s.Stored.Title }
func (s *SeenCard) SubTitle() *string { return set(true, s.Stored.SubTitle) }
func (s *SeenCard) Action() string    { return s.Stored.Action }
