package social

// UserEdit are changes to a profile. Nil keeps a value; an empty text removes it, except
// for the username.
type UserEdit struct {
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
	// MatchGenders is nil if not given, which differs from an empty list.
	MatchGenders        []UserGender
	MatchLocationRadius *int
	MatchHeightRange    *RangeInput
}

// NewPost is a client's request to publish a post. Nil switches default to the owner's
// settings.
type NewPost struct {
	PostID PostID
	Type   PostType
	// Lifetime is an ISO 8601 duration, or "" for a post that does not expire.
	Lifetime string
	// AlbumID is "" for a post outside of albums.
	AlbumID AlbumID
	// Text may be empty. Keywords is nil if none were given.
	Text     string
	Keywords []string
	// Image is nil if the client says nothing about one. SetAsUserPhoto makes it the
	// owner's photo. Text-only posts have neither.
	Image                               *NewImage
	SetAsUserPhoto                      *bool
	CommentsDisabled, LikesDisabled     *bool
	SharingDisabled, VerificationHidden *bool
}

// PostEdit describes changes to a post. Nil keeps a value; an empty text removes it.
type PostEdit struct {
	Text                                *string
	Keywords                            []string
	CommentsDisabled, LikesDisabled     *bool
	SharingDisabled, VerificationHidden *bool
}
