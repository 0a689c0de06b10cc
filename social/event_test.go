package social

import "testing"

func TestOneOrderPerOwner(t *testing.T) {
	for _, e := range []interface{ OrderingKey() string }{
		PostStatusChanged{PostID: "p", UserID: ana},
		PostEdited{PostID: "p", UserID: ana},
		FollowStatusChanged{FollowerUserID: ben, FollowedUserID: ana},
		UserCreated{UserID: ana},
		UserChanged{UserID: ana},
		UserMadePublic{UserID: ana},
		UserStatusChanged{UserID: ana},
		UserRemoved{UserID: ana},
		ContentForciblyRemoved{UserID: ana, Kind: ForcedPosts},
		CommentAdded{Owner: ana, Author: ben},
		CommentDeleted{Owner: ana, Author: ben},
		PostLiked{Owner: ana, Liker: ben},
		PostDisliked{Owner: ana, Liker: ben},
	} {
		if e.OrderingKey() != string(ana) {
			t.Errorf("%T about what ana owns is ordered by %q", e, e.OrderingKey())
		}
	}
}
