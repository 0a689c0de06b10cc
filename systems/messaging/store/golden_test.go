package store

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/designtest"
	"stoa/internal/ops"
	"stoa/systems/messaging"
)

// ours lists attributes that are not in the design, with the reason.
var ours = map[string]string{
	"TinodeMessages ClientId":    "a field of the API; absent where no client was named",
	"TinodeUsers Identity":       "by which verified addresses and numbers are known; absent where none was proven",
	"TinodeTopics Revision":      "tells whether the subscribers have changed, without reading them",
	"TinodeTopics HeldId":        "numbers messages that the content check holds, which take no number of their topic",
	"TinodeSubscriptions Held":   "the author's held messages, read with the subscription: a topic without any costs no call more",
	"TinodeMessages Unchecked":   "a later case says that the content check failed",
	"TinodeMessages HeldIn":      "the topic of a message held under a name that does not tell its people, which cases have",
	"TinodeMessages PublishedAs": "leads from a case about a held message to the published one",
}

// TestTablesAreAsDesigned compares tables, indexes and the types of stored attributes with
// the design, literally (messaging 2.1, 2.2, 2.3, 2.4, 2.5 and 2.6).
func TestTablesAreAsDesigned(t *testing.T) {
	text, err := os.ReadFile("testdata/design.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if !strings.HasPrefix(line, "#") {
			want = append(want, line)
		}
	}
	var got []string
	for _, table := range Tables {
		sk := table.SK
		if table.Number {
			sk += ":N"
		}
		got = append(got, strings.TrimRight(strings.Join([]string{"table", table.Name, table.PK, sk, table.Expiry}, "\t"), "\t"))
		for _, ix := range table.Indexes {
			got = append(got, strings.TrimRight(strings.Join([]string{"index", table.Name, ix.Name, ix.PK, ix.SK}, "\t"), "\t"))
		}
	}
	stored := map[string][]string{} // types of each attribute
	for _, line := range want {
		if cells := strings.Split(line, "\t"); cells[0] == "attribute" {
			stored[cells[1]+" "+cells[2]] = nil
		} else if !slices.Contains(got, line) {
			t.Errorf("not declared:\n%s", line)
		}
	}
	for _, line := range got {
		if !slices.Contains(want, line) {
			t.Errorf("declared beyond the design:\n%s", line)
		}
	}
	for name, items := range samples(t) {
		for _, item := range items {
			for attribute, value := range item {
				name := name + " " + attribute
				if _, known := stored[name]; !known && ours[name] == "" {
					t.Errorf("%s is beyond the design", name)
				}
				kind := strings.TrimPrefix(fmt.Sprintf("%T", value), "*types.AttributeValueMember")
				if !slices.Contains(stored[name], kind) {
					stored[name] = append(stored[name], kind)
				}
			}
		}
	}
	for _, line := range want {
		cells := strings.Split(line, "\t")
		if cells[0] != "attribute" {
			continue
		}
		kinds := stored[cells[1]+" "+cells[2]]
		slices.Sort(kinds)
		if cells[3] == "any" && slices.Contains(kinds, "NULL") && len(kinds) > 1 {
			continue
		}
		allowed := strings.Split(cells[3], "|")
		if slices.Sort(allowed); !slices.Equal(kinds, allowed) {
			t.Errorf("%s %s is stored as %v, want %v", cells[1], cells[2], kinds, allowed)
		}
	}
}

// samples returns items of each table, with all and with the fewest possible attributes.
func samples(t *testing.T) map[string][]map[string]types.AttributeValue {
	at := time.Date(2026, 1, 2, 3, 4, 5, 678_000_000, time.UTC)
	id, topic := messaging.UserID("AAAAAAAAAAA"), messaging.TopicID("grpAAAAAAAAAAA")
	device := messaging.Device{ID: "d", Platform: messaging.IOS, LastSeen: at}
	sub := messaging.NewSubscription(topic, id, 1, 1, at)
	full := sub.Ended(at)
	full.Private, full.Held = `{"a":1}`, []int{-1}
	all := map[string][]map[string]types.AttributeValue{}
	put := func(name string, item map[string]types.AttributeValue, err error) {
		if err != nil {
			t.Fatal(err)
		}
		all[name] = append(all[name], item)
	}
	for _, u := range []messaging.User{
		{ID: id, CreatedAt: at, UpdatedAt: at, State: messaging.InUse},
		{ID: id, CreatedAt: at, UpdatedAt: at, DeletedAt: at, State: messaging.Suspended, LastSeen: at, UserAgent: "a", Public: `{"fn":"x"}`, Tags: []string{"t"},
			Devices: []messaging.Device{device}},
	} {
		item, err := users.Item(userItemOf(&u))
		put(Users.Name, item, err)
	}
	item, err := secrets.Item(secretItemOf(&messaging.Secret{Key: "basic:kestrel", User: id, Hash: []byte("h"), Level: messaging.Auth}))
	put(Auth.Name, item, err)
	if got := item["expires"].(*types.AttributeValueMemberS).Value; got != never {
		t.Errorf("a secret that does not expire does so at %s", got)
	}
	item, err = tags.Item(tagItem{"basic:kestrel", id})
	put(TagUnique.Name, item, err)
	for _, some := range []messaging.Topic{
		{ID: topic, CreatedAt: at, UpdatedAt: at},
		{ID: topic, CreatedAt: at, UpdatedAt: at, DeletedAt: at, TouchedAt: at, Owner: id, Public: `"x"`, HeldID: 1},
	} {
		item, err := topics.Item(topicItemOf(&some))
		put(Topics.Name, item, err)
	}
	for _, some := range []*messaging.Subscription{sub, full} {
		item, err := subscriptions.Item(subscriptionItem{Subscription: *some, Held: heldSet(some.Held)})
		put(Subscriptions.Name, item, err)
		if got := item["Id"].(*types.AttributeValueMemberS).Value; got != string(topic)+":"+string(id) {
			t.Errorf("a subscription has the id %s", got)
		}
	}
	ref := messaging.MessageRef{Topic: topic, Seq: 1}
	for _, m := range []messaging.Message{
		{MessageRef: ref, From: id, CreatedAt: at, Expires: at},
		{MessageRef: ref, From: id, CreatedAt: at, DeletedAt: at, Expires: at, Head: `{"mime":"text/plain"}`, Content: `"x"`, ClientID: "c", Unchecked: true, PublishedAs: 1},
		{MessageRef: messaging.MessageRef{Topic: messaging.PairTopic(id, "BAAAAAAAAAA"), Seq: -1}, From: id, CreatedAt: at, Expires: at},
	} {
		item, err := messages.Item(messageItemOf(&m))
		put(Messages.Name, item, err)
		if stamp := item["CreatedAt"].(*types.AttributeValueMemberS).Value; stamp != "2026-01-02T03:04:05.678Z" {
			t.Errorf("a time is stored as %s", stamp)
		}
	}
	return all
}

func TestRowsConform(t *testing.T) {
	designtest.RowsConform(t, append(slices.Clone(Tables), ops.Table)...)
}
