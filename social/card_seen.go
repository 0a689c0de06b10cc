package social

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
func (s *SeenCard) Title() string     { return s.card.ShownTitle() }
func (s *SeenCard) SubTitle() *string { return shownIfSet(true, s.card.SubTitle) }
func (s *SeenCard) Action() string    { return s.card.Action }
