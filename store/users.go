package store

import (
	"context"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/search"
	"stoa/social"
)

// Users stores profiles, and the names and contacts they are found by.
type Users struct {
	db    *keyspec.DB
	words *search.Finder
}

func profileKey(id social.UserID) keyspec.Key { return profiles.Key(string(id)) }

// Profile returns a profile, or nil if it does not exist.
func (s *Users) Profile(ctx context.Context, id social.UserID) (*social.User, error) {
	item, err := profiles.Get(ctx, s.db, profileKey(id))
	if !item.isThere() {
		return nil, err
	}
	return item.user(), nil
}

// isThere reports whether the profile exists and is not being removed. Rows written by
// other programs may still show a removal in progress.
func (i *profileItem) isThere() bool {
	return i != nil && i.UserStatus != social.UserDeleting && i.UserStatus != social.UserResetting
}

// Facts returns those users that exist, with the viewer's relation to each and the details
// in d. Relations older than either profile are leftovers of a former one and are ignored.
// One call reads up to 33 users, or 19 with BothWays. The ids must be distinct.
func (s *Users) Facts(ctx context.Context, viewer social.UserID, ids []social.UserID, d social.Detail) (map[social.UserID]social.UserFacts, error) {
	return s.facts(ctx, viewer, nil, ids, d)
}

// FactsFor is Facts for a viewer whose profile is known and not read again.
func (s *Users) FactsFor(ctx context.Context, viewer *social.User, ids []social.UserID, d social.Detail) (map[social.UserID]social.UserFacts, error) {
	return s.facts(ctx, viewer.UserID, viewer, ids, d)
}

// facts reads the viewer's profile unless it is given.
func (s *Users) facts(ctx context.Context, viewer social.UserID, mine *social.User, ids []social.UserID, d social.Detail) (map[social.UserID]social.UserFacts, error) {
	b := s.db.NewBatch()
	others := make([]social.UserID, 0, len(ids))
	for _, id := range ids {
		if id != viewer {
			others = append(others, id)
		}
	}
	people := profiles.FetchEach(b, len(ids), func(i int) keyspec.Key { return profileKey(ids[i]) })
	var own keyspec.Fetched[profileItem]
	if mine == nil && len(others) > 0 {
		own = profiles.Fetch(b, profileKey(viewer))
	}
	to := fetchTies(b, viewer, others, d)
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	var mySignUp *keyspec.Stamp
	switch {
	case mine != nil:
		at := keyspec.StampOf(mine.SignedUpAt)
		mySignUp = &at
	case own.Len() > 0 && own.At(0).isThere():
		mySignUp = &own.At(0).SignedUpAt
	}
	facts := make(map[social.UserID]social.UserFacts, len(ids))
	other := 0
	for i, id := range ids {
		item := people.At(i)
		if !item.isThere() {
			if id != viewer {
				other++
			}
			continue
		}
		f := social.UserFacts{Viewer: viewer, Read: d & (social.BothWays | social.MatchTie), User: item.user()}
		if id != viewer {
			to.put(&f, other, mySignUp)
			other++
		}
		facts[id] = f
	}
	return facts, nil
}

// ties are the follows and blocks between a viewer and others. The reverse directions are
// empty unless requested.
type ties struct {
	follows, followedBy keyspec.Fetched[followItem]
	blocks, blockedBy   keyspec.Fetched[blockItem]
	matches             fetchedMatches
}

func fetchTies(b *keyspec.Batch, viewer social.UserID, others []social.UserID, d social.Detail) ties {
	n := len(others)
	t := ties{
		follows:   follows.FetchEach(b, n, func(i int) keyspec.Key { return followKey(viewer, others[i]) }),
		blockedBy: blocks.FetchEach(b, n, func(i int) keyspec.Key { return blockKey(others[i], viewer) }),
	}
	if d.Has(social.FollowerTie) {
		t.followedBy = follows.FetchEach(b, n, func(i int) keyspec.Key { return followKey(others[i], viewer) })
	}
	if d.Has(social.BlockedTie) {
		t.blocks = blocks.FetchEach(b, n, func(i int) keyspec.Key { return blockKey(viewer, others[i]) })
	}
	if d.Has(social.MatchTie) {
		t.matches = fetchMatches(b, viewer, others)
	}
	return t
}

// put adds the ties between the viewer and the user at i to the facts about that user.
// mySignUp is when the viewer signed up, nil if they have no profile.
func (t ties) put(f *social.UserFacts, i int, mySignUp *keyspec.Stamp) {
	if mySignUp == nil {
		return // all of it belongs to a former profile
	}
	since := max(keyspec.StampOf(f.User.SignedUpAt), *mySignUp)
	f.Since = since.Time()
	follow := func(found keyspec.Fetched[followItem]) (status social.FollowStatus, at time.Time) {
		if found.Len() == 0 || found.At(i) == nil {
			return "", time.Time{}
		}
		item := found.At(i)
		if item.FollowedAt < since {
			f.Former = append(f.Former, item.follow())
			return "", time.Time{}
		}
		return item.FollowStatus, item.FollowedAt.Time()
	}
	block := func(found keyspec.Fetched[blockItem]) bool {
		return found.Len() > 0 && found.At(i) != nil && found.At(i).BlockedAt >= since
	}
	f.Relation.Follows, f.FollowsAt = follow(t.follows)
	f.Relation.FollowedBy, f.FollowedByAt = follow(t.followedBy)
	f.Relation.Blocks, f.Relation.BlockedBy = block(t.blocks), block(t.blockedBy)
	if t.matches.mine.Len() > 0 {
		if pair := t.matches.at(i); !pair.Before(f.Since) {
			f.Match = pair
		}
	}
}

func (i *profileItem) user() *social.User {
	return &social.User{
		UserID:                  i.UserID,
		Username:                i.Username,
		FullName:                i.FullName,
		DisplayName:             i.DisplayName,
		Bio:                     i.Bio,
		Email:                   i.Email,
		PhoneNumber:             i.PhoneNumber,
		Status:                  i.UserStatus,
		Privacy:                 i.PrivacyStatus,
		Subscription:            i.SubscriptionLevel,
		SubscriptionGrantedAt:   i.SubscriptionGrantedAt.Time(),
		SubscriptionExpiresAt:   i.SubscriptionExpiresAt.Time(),
		LanguageCode:            i.LanguageCode,
		ThemeCode:               i.ThemeCode,
		AcceptedEULAVersion:     i.AcceptedEULAVersion,
		SignedUpAt:              i.SignedUpAt.Time(),
		LastPostedAt:            i.LastPostedAt.Time(),
		LastClient:              i.LastClient,
		UsernameLastValue:       i.UsernameLastValue,
		UsernameLastChangedAt:   i.UsernameLastChangedAt.Time(),
		LastFoundContactsAt:     i.LastFoundContactsAt.Time(),
		DateOfBirth:             i.DateOfBirth,
		Age:                     i.Age,
		Gender:                  i.Gender,
		Location:                (*social.Location)(i.Location),
		Height:                  i.Height,
		PhotoPostID:             i.PhotoPostID,
		PlaceholderPhotoCode:    i.PlaceholderPhotoCode,
		MatchAgeRange:           (*social.Range)(i.MatchAgeRange),
		MatchGenders:            i.MatchGenders,
		MatchLocationRadius:     i.MatchLocationRadius,
		MatchHeightRange:        (*social.Range)(i.MatchHeightRange),
		DatingStatus:            i.DatingStatus,
		UserDisableDatingDate:   i.UserDisableDatingDate.Time(),
		DatingEndsOn:            i.DatingEndsOn,
		FollowCountsHidden:      i.FollowCountsHidden,
		ViewCountsHidden:        i.ViewCountsHidden,
		CommentsDisabled:        i.CommentsDisabled,
		LikesDisabled:           i.LikesDisabled,
		SharingDisabled:         i.SharingDisabled,
		VerificationHidden:      i.VerificationHidden,
		FollowedCount:           i.FollowedCount,
		FollowerCount:           i.FollowerCount,
		FollowersRequestedCount: i.FollowersRequestedCount,
		PostCount:               i.PostCount,
		AlbumCount:              i.AlbumCount,
		CardCount:               i.CardCount,
		PostViewedByCount:       i.PostViewedByCount,
		ChatCount:               i.ChatCount,

		LastDisabledAt:                  i.LastDisabledAt.Time(),
		PostArchivedCount:               i.PostArchivedCount,
		CommentCount:                    i.CommentCount,
		CommentDeletedCount:             i.CommentDeletedCount,
		CommentForcedDeletionCount:      i.CommentForcedDeletionCount,
		ChatMessagesCreationCount:       i.ChatMessagesCreationCount,
		ChatMessagesForcedDeletionCount: i.ChatMessagesForcedDeletionCount,
		PostForcedArchivingCount:        i.PostForcedArchivingCount,
		ChatsWithUnviewedMessagesCount:  i.ChatsWithUnviewedMessagesCount,
	}
}

func profileOf(u *social.User) profileItem {
	return profileItem{
		UserID:                  u.UserID,
		Username:                u.Username,
		FullName:                u.FullName,
		DisplayName:             u.DisplayName,
		Bio:                     u.Bio,
		Email:                   u.Email,
		PhoneNumber:             u.PhoneNumber,
		UserStatus:              u.Status,
		PrivacyStatus:           u.Privacy,
		SubscriptionLevel:       u.Subscription,
		SubscriptionGrantedAt:   keyspec.StampOf(u.SubscriptionGrantedAt),
		SubscriptionExpiresAt:   keyspec.StampOf(u.SubscriptionExpiresAt),
		LanguageCode:            u.LanguageCode,
		ThemeCode:               u.ThemeCode,
		AcceptedEULAVersion:     u.AcceptedEULAVersion,
		SignedUpAt:              keyspec.StampOf(u.SignedUpAt),
		LastPostedAt:            keyspec.StampOf(u.LastPostedAt),
		LastClient:              u.LastClient,
		UsernameLastValue:       u.UsernameLastValue,
		UsernameLastChangedAt:   keyspec.StampOf(u.UsernameLastChangedAt),
		LastFoundContactsAt:     keyspec.StampOf(u.LastFoundContactsAt),
		DateOfBirth:             u.DateOfBirth,
		Age:                     u.Age,
		Gender:                  u.Gender,
		Location:                (*locationItem)(u.Location),
		Height:                  u.Height,
		PhotoPostID:             u.PhotoPostID,
		PlaceholderPhotoCode:    u.PlaceholderPhotoCode,
		MatchAgeRange:           (*rangeItem)(u.MatchAgeRange),
		MatchGenders:            u.MatchGenders,
		MatchLocationRadius:     u.MatchLocationRadius,
		MatchHeightRange:        (*rangeItem)(u.MatchHeightRange),
		DatingStatus:            u.DatingStatus,
		UserDisableDatingDate:   keyspec.StampOf(u.UserDisableDatingDate),
		DatingEndsOn:            u.DatingEndsOn,
		FollowCountsHidden:      u.FollowCountsHidden,
		ViewCountsHidden:        u.ViewCountsHidden,
		CommentsDisabled:        u.CommentsDisabled,
		LikesDisabled:           u.LikesDisabled,
		SharingDisabled:         u.SharingDisabled,
		VerificationHidden:      u.VerificationHidden,
		FollowedCount:           u.FollowedCount,
		FollowerCount:           u.FollowerCount,
		FollowersRequestedCount: u.FollowersRequestedCount,
		PostCount:               u.PostCount,
		AlbumCount:              u.AlbumCount,
		CardCount:               u.CardCount,
		PostViewedByCount:       u.PostViewedByCount,
		ChatCount:               u.ChatCount,

		LastDisabledAt:                  keyspec.StampOf(u.LastDisabledAt),
		PostArchivedCount:               u.PostArchivedCount,
		CommentCount:                    u.CommentCount,
		CommentDeletedCount:             u.CommentDeletedCount,
		CommentForcedDeletionCount:      u.CommentForcedDeletionCount,
		ChatMessagesCreationCount:       u.ChatMessagesCreationCount,
		ChatMessagesForcedDeletionCount: u.ChatMessagesForcedDeletionCount,
		PostForcedArchivingCount:        u.PostForcedArchivingCount,
		ChatsWithUnviewedMessagesCount:  u.ChatsWithUnviewedMessagesCount,
	}
}
