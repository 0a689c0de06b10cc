package store

import (
	"strings"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/stamp"
	"stoa/systems/pantry"
)

// A join link of a group. Its key contains its creation time, so that it stays the same
// when the link is extended.
var joinLinks = keyspec.Define[joinLinkItem](Pantry, keyspec.Row{
	Key: keyspec.K("{GroupID}", linkPrefix+"{CreatedDatetime}"),
	On: keyspec.Indexes{
		JoinLink:        keyspec.K("{GroupID}", "{LinkExpiredDatetime}"),
		ExpiredJoinLink: keyspec.K("{LinkKind}", "{LinkExpiredDatetime}"),
	},
})

const (
	linkPrefix = "ShareLink#"
	// linkKind puts all links into one index partition. There is at most one for each
	// group.
	linkKind = "JoinLink"
)

type joinLinkItem struct {
	pantry.JoinLink
	Kind   string `dynamo:"LinkKind"`
	EndsAt int64  `dynamo:"ExpiresAt"`
}

// Maps a code to its link.
var linkCodes = keyspec.Define[linkCodeItem](Pantry, keyspec.Row{Key: keyspec.K("JoinLink#{Code}", "JoinLink")})

type linkCodeItem struct {
	Code     string         `dynamo:"Code,keyonly"`
	GroupRef pantry.GroupID `dynamo:"GroupRef"`
	LinkSK   string         `dynamo:"LinkSK"`
	EndsAt   int64          `dynamo:"ExpiresAt"`
}

func linkCodeKey(code string) keyspec.Key { return linkCodes.Key(code) }

func joinLinkKey(ref pantry.LinkRef) keyspec.Key {
	return joinLinks.Key(string(ref.GroupID), strings.TrimPrefix(ref.Key, linkPrefix))
}

// refOf returns the reference by which a link is read again.
func refOf(l *pantry.JoinLink) pantry.LinkRef {
	return pantry.LinkRef{GroupID: l.GroupID, Key: linkPrefix + stamp.MilliOf(l.CreatedAt)}
}

func joinLinkItemOf(l *pantry.JoinLink) joinLinkItem { return joinLinkItem{*l, linkKind, expiryOf(l)} }

func linkCodeItemOf(l *pantry.JoinLink) linkCodeItem {
	return linkCodeItem{Code: l.Code, GroupRef: l.GroupID, LinkSK: refOf(l).Key, EndsAt: expiryOf(l)}
}

// expiryOf returns the Unix time from which the store may delete a link that has not been
// purged.
func expiryOf(l *pantry.JoinLink) int64 {
	return l.ExpiresAt.Add(pantry.LinkEnd).Add(time.Second - 1).Unix()
}

func (i *joinLinkItem) link() *pantry.JoinLink { return &i.JoinLink }
