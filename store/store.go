package store

import (
	"context"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/together"
)

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
	// Subscriptions are the users' subscription levels and purchases.
	Subscriptions *Subscriptions
	Dating        *Dating
	Flags         *Flags
	Views         *Views
	Trends        *Trends
	Devices       *Devices

	// DB holds the tables, including the host's.
	DB *keyspec.DB
}

// Tables are the tables of the social system. It also has rows in ops.Table.
var Tables = []*keyspec.Table{Main, Feed}

// Open returns the store in db, which must have Tables and ops.Table.
func Open(db *keyspec.DB) *Store {
	return &Store{
		Users:    &Users{db: db, words: peopleWords.Open(db)},
		Screens:  &Screens{db},
		Follows:  &Follows{db},
		Posts:    &Posts{concurrent{db}, postWords.Open(db)},
		Albums:   &Albums{db},
		Stories:  &Stories{db},
		Likes:    &Likes{db},
		Comments: &Comments{concurrent{db}},
		Feeds:    &Feeds{db},
		Cards:    &Cards{db},
		Blocks:   &Blocks{db},
		BadWords: &BadWords{db},
		Chats:    &Chats{concurrent{db}},
		Devices:  &Devices{db},

		Subscriptions: &Subscriptions{db},
		Dating:        &Dating{db},
		Views:         &Views{db},
		Trends:        &Trends{db},
		Flags:         &Flags{db},
		DB:            db,
	}
}

// concurrent is a store whose reads may run together.
type concurrent struct{ db *keyspec.DB }

// Together runs independent reads, concurrently if these wait for a server.
func (s concurrent) Together(ctx context.Context, reads ...together.Work) error {
	return s.db.Together(ctx, reads...)
}
