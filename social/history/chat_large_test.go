package history_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"stoa/app"
	"stoa/internal/apptest"
	"stoa/internal/kit/page"
	"stoa/social"
	"stoa/social/socialtest"
	"stoa/store"
	"stoa/store/storetest"
)

// largeChats is history of chats in which groups of more than one member are large, or, with
// two, of more than two.
func largeChats(limit, faults int) apptest.History {
	h := chatHistory(faults)
	h.System = socialtest.With(func(o *app.Options) { o.FollowedByAll, o.LargeChat = leader, limit })
	h.New = func() apptest.Player { return &chatPlayer{player{newModel(), postIDs}} }
	return h
}

// Whether messages move memberships or chats have their places makes no difference to the model,
// nor to pages of chats and their tokens.
func TestHistoriesOfLargeChats(t *testing.T) {
	largeChats(1, 0).Run(t, *seed, *seed+2**histories)
}

func TestHistoriesOfGrowingChats(t *testing.T) {
	largeChats(2, 0).Run(t, *seed+1000, *seed+1000+2**histories)
}

func TestHistoriesOfLargeChatsWithFaults(t *testing.T) {
	largeChats(1, 15).Run(t, *seed+2000, *seed+2000+2**histories)
}

// chatPlayer is a player that also compares lists of chats with those of a store in which messages
// move all memberships.
type chatPlayer struct{ player }

func (p *chatPlayer) End(w *apptest.World) string {
	if failure := p.player.End(w); failure != "" {
		return failure
	}
	return unlikeMoved(w)
}

// unlikeMoved describes the first difference between the lists of chats that users read and lists
// in which each message has moved its chat, or returns "".
func unlikeMoved(w *apptest.World) string {
	s, ctx := store.Open(w.DB), w.T.Context()
	moved, _ := storetest.Open(w.T)
	fill := moved.NewFill()
	for _, id := range chatIDs {
		facts, err := s.Chats.Facts(ctx, "", []social.ChatID{social.ChatID(id)}, 0)
		if err != nil {
			return err.Error()
		}
		c := facts[social.ChatID(id)].Chat
		if c == nil {
			continue
		}
		members, err := s.Chats.Members(ctx, c.ChatID)
		if err != nil {
			return err.Error()
		}
		step := c.Step(members)
		for _, m := range step.Moves {
			m.After.LastMessageActivityAt = c.LastMessageActivityAt
		}
		fill.Chat(step)
	}
	if err := fill.Run(ctx); err != nil {
		return err.Error()
	}
	for _, viewer := range everybody {
		profile, err := s.Users.Profile(ctx, w.ID(viewer))
		if err != nil {
			return err.Error()
		}
		if profile == nil {
			continue
		}
		for _, limit := range []int{1, 2, 3} {
			for after, token := "", ""; ; after = fmt.Sprintf(`, nextToken: %q`, token) {
				want, err := moved.Chats.ByUser(ctx, w.ID(viewer), page.Query{First: limit, After: token})
				if err != nil {
					return err.Error()
				}
				var got struct {
					Self struct {
						Chats struct {
							Items     []struct{ ChatID social.ChatID }
							NextToken string
						}
					}
				}
				answer := w.Ask(viewer, fmt.Sprintf(`{ self { chats(limit: %d%s) { items { chatId } nextToken } } }`, limit, after))
				if err := json.Unmarshal(answer.Data, &got); err != nil {
					return err.Error()
				}
				items := got.Self.Chats.Items
				same := len(items) == len(want.Items)
				for i := 0; same && i < len(items); i++ {
					same = items[i].ChatID == want.Items[i].ChatID
				}
				if !same {
					return fmt.Sprintf("%s reads the chats %v on a page, want %v", viewer, items, page.Map(want, func(m *social.ChatMember) social.ChatID { return m.ChatID }).Items)
				}
				if got.Self.Chats.NextToken != want.Next {
					return fmt.Sprintf("%s gets the token %q after the chats %v, want %q", viewer, got.Self.Chats.NextToken, items, want.Next)
				}
				if token = want.Next; token == "" {
					break
				}
			}
		}
	}
	return ""
}
