package store

import "stoa/internal/kit/keyspec"

// Store is the stored state of one deployment.
type Store struct {
	Users    *Users
	Screens  *Screens
	Follows  *Follows
	Posts    *Posts
	Albums   *Albums
	Stories  *Stories
	Likes    *Likes
	Comments *Comments
	Feeds    *Feeds
	Cards    *Cards
	Blocks   *Blocks
	BadWords *BadWords
	Chats    *Chats
	// Subscriptions are what users have paid for.
	Subscriptions *Subscriptions
	Dating        *Dating
	Flags         *Flags
	Views         *Views
	Trends        *Trends
	Devices       *Devices

	// DB holds the tables, those of the host too.
	DB *keyspec.DB
}

// Tables are those that the social system adds to ops.Table, in which it has rows too.
var Tables = []*keyspec.Table{Main, Feed}

// Open takes the store from tables that Tables and ops.Table are among.
func Open(db *keyspec.DB) *Store {
	return &Store{
		Users:    &Users{db, peopleWords.Open(db)},
		Screens:  &Screens{db},
		Follows:  &Follows{db},
		Posts:    &Posts{db, postWords.Open(db)},
		Albums:   &Albums{db},
		Stories:  &Stories{db},
		Likes:    &Likes{db},
		Comments: &Comments{db},
		Feeds:    &Feeds{db},
		Cards:    &Cards{db},
		Blocks:   &Blocks{db},
		BadWords: &BadWords{db},
		Chats:    &Chats{db},
		Devices:  &Devices{db},

		Subscriptions: &Subscriptions{db},
		Dating:        &Dating{db},
		Views:         &Views{db},
		Trends:        &Trends{db},
		Flags:         &Flags{db},
		DB:            db,
	}
}
