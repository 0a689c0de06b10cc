package app_test

import (
	"slices"
	"strings"

	"stoa/internal/apptest"
)

// model is the expected state: people, communities with their chats by name, and private
// chats by the names of the two users.
type model struct {
	People       map[string]bool
	Places       map[string]*modelCommunity
	PrivateChats map[string]*modelPrivateChat
}

// modelChat is a group chat. Unread contains the unread messages of each member, and
// Cooling the ids of users who must wait after a rejection.
type modelChat struct {
	Closed           bool
	Owner            string
	Members          []string // in the order of joining
	Unread           map[string][]string
	Pending, Cooling []string
	Messages         []modelMessage
}

// modelMessage is a message; its author is "" if they have been removed.
type modelMessage struct {
	Author, Content string
	Deleted         bool
	Reactions       map[string]string
}

type modelCommunity struct {
	Founder string
	Members []string
	Chats   map[string]*modelChat
}

// modelPrivateChat is a private chat, with the messages that each of the two users sees and has
// not read.
type modelPrivateChat struct {
	Seen   map[string][]modelMessage
	Unread map[string][]string
}

// pair returns the name of the private chat of two users.
func pair(a, b string) string { return min(a, b) + " " + max(a, b) }

func without(all []string, one string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(other string) bool { return other == one })
}

// leave removes a user from a chat.
func (c *modelCommunity) leave(name, who string) {
	h := c.Chats[name]
	if !slices.Contains(h.Members, who) {
		return
	}
	h.Members = without(h.Members, who)
	delete(h.Unread, who)
	switch {
	case len(h.Members) == 0:
		delete(c.Chats, name)
	case h.Owner == who:
		h.Owner = h.Members[0]
	}
}

// leaveAll removes a user from a community.
func (c *modelCommunity) leaveAll(who string) {
	c.Members = without(c.Members, who)
	for name, h := range c.Chats {
		h.Pending = without(h.Pending, who)
		c.leave(name, who)
	}
}

func (h *modelChat) enter(who string) {
	h.Members, h.Unread[who] = append(h.Members, who), []string{}
	h.Pending = without(h.Pending, who)
}

// end deletes an account.
func (m model) end(who string) {
	delete(m.People, who)
	for _, c := range m.Places {
		c.leaveAll(who)
		for _, h := range c.Chats {
			for i := range h.Messages {
				delete(h.Messages[i].Reactions, who)
				if h.Messages[i].Author == who {
					h.Messages[i].Author = ""
				}
			}
		}
	}
	for name := range m.PrivateChats {
		if slices.Contains(strings.Fields(name), who) {
			delete(m.PrivateChats, name) // the one left reads on, in a chat with nobody
		}
	}
}

// founds reports whether a user has founded a community.
func (m model) founds(who string) bool {
	for _, c := range m.Places {
		if c.Founder == who {
			return true
		}
	}
	return false
}

// attempt is a request with its expected result.
type attempt = apptest.Attempt[model]
