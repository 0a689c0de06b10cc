package store

import (
	"slices"

	"stoa/internal/kit/keyspec"
	"stoa/internal/ops"
	"stoa/systems/communities"
)

// Reserves what a unique name looks like, so that no other name looks like it. Most names
// look like themselves only, and have no such row.
var looks = keyspec.Define[lookItem](ops.Table, keyspec.Row{Key: keyspec.K("communities/look/{kind}/{look}", "-")})

type lookItem struct {
	Kind  lookKind `dynamo:"kind,keyonly"`
	Look  string   `dynamo:"look,keyonly"`
	Owner string   `dynamo:"owner"`
}

// lookKind is a kind of unique names.
type lookKind string

const (
	usernameLooks  lookKind = "username"
	communityLooks lookKind = "community"
)

func (k lookKind) key(look string) keyspec.Key { return looks.Key(string(k), look) }

// ownersLook is the condition that a look is its owner's, or nobody's: names from before
// there were looks have none.
const ownersLook = "attribute_not_exists(owner) OR owner = ?"

// reserve reserves the looks of a name instead of those of the owner's previous name, which
// is "" if there is none; a name "" reserves none. It requires that no other name looks like
// it; absent checks that nobody has a folded name. The actions are those that are refused if
// one does.
func (k lookKind) reserve(tx *keyspec.Tx, owner, before, after string, absent func(folded string) keyspec.Action) (refused []keyspec.Action) {
	old, now := communities.Looks(before), communities.Looks(after)
	for _, look := range now {
		refused = append(refused, looks.Put(tx, lookItem{k, look, owner}).If(ownersLook, owner))
		if look != communities.Fold(before) {
			refused = append(refused, absent(look))
		}
	}
	for _, look := range old {
		if !slices.Contains(now, look) {
			looks.Delete(tx, k.key(look)).If(ownersLook, owner)
		}
	}
	if folded := communities.Fold(after); after != "" && !slices.Contains(old, folded) {
		refused = append(refused, looks.Check(tx, k.key(folded)).Absent())
	}
	return refused
}
