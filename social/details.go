package social

// UserDetails are changes to a profile. Nil means "as before"; an empty text removes
// the value, except for the username.
type UserDetails struct {
	Username, FullName, DisplayName, Bio *string
	LanguageCode, ThemeCode              *string
	AcceptedEULAVersion                  *string
	Privacy                              *PrivacyStatus
	FollowCountsHidden, ViewCountsHidden *bool
	CommentsDisabled, LikesDisabled      *bool
	SharingDisabled, VerificationHidden  *bool

	PhotoPostID *PostID
	DateOfBirth *string
	Gender      *UserGender
	Location    *Location
	Height      *int

	MatchAgeRange *RangeInput
	// MatchGenders differ from nil when they are given, even if there are none.
	MatchGenders        []UserGender
	MatchLocationRadius *int
	MatchHeightRange    *RangeInput
}

// NewPost is what a client says about a post to be published. Nil switches leave the
// choice to the owner's settings.
type NewPost struct {
	PostID PostID
	Type   PostType
	// Lifetime is an ISO 8601 duration, empty for ever.
	Lifetime string
	// AlbumID is empty for no album.
	AlbumID AlbumID
	// Text may be empty; nil Keywords means that none were given.
	Text     string
	Keywords []string
	// Image is nil unless something is said about one. SetAsUserPhoto asks that it become
	// the owner's photo. Posts of text have neither.
	Image                               *NewImage
	SetAsUserPhoto                      *bool
	CommentsDisabled, LikesDisabled     *bool
	SharingDisabled, VerificationHidden *bool
}

// PostEdit are changes to a post. Nil means "as before"; an empty text removes it.
type PostEdit struct {
	Text                                *string
	Keywords                            []string
	CommentsDisabled, LikesDisabled     *bool
	SharingDisabled, VerificationHidden *bool
}
