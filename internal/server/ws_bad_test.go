package server_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"stoa/internal/server/internal/testgraph"
)

// Invalid frames close at most their own socket, with the protocol's code; everything else,
// for the same user or others, continues.
func TestBadFramesConcernTheirSocketAlone(t *testing.T) {
	s := newService(t, nil)
	base := s.listen(t)
	good := dialAppSync(t, base+"/graphql/realtime", "ana", nil).acknowledge()
	good.send(startMessage("s", onTick, "ana"))
	good.expect(`{"type":"start_ack","id":"s"}`)
	<-s.graph.Subscribed
	const text, binary = websocket.MessageText, websocket.MessageBinary
	huge := `{"type":"ping","payload":{"a":"` + strings.Repeat("x", 2<<20) + `"}}`
	deep := `{"type":"ping","payload":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`
	for name, bad := range map[string]struct {
		kind               websocket.MessageType
		frame              string
		appSync, transport websocket.StatusCode
	}{
		"huge":                  {text, huge, 1009, 1009},
		"binary":                {binary, `{"type":"ping"}`, 1003, 4400},
		"empty":                 {text, ``, 1003, 4400},
		"no JSON":               {text, `{"type":`, 1003, 4400},
		"two":                   {text, `{"type":"ping"}{"type":"ping"}`, 1003, 4400},
		"a list":                {text, `[{"type":"ping"}]`, 1003, 4400},
		"a number":              {text, `1e999`, 1003, 4400},
		"no UTF-8":              {text, "{\"type\":\"\xff\"}", 1003, 4400},
		"deep":                  {text, deep, 1003, 4400},
		"no type":               {text, `{"id":"1"}`, 1003, 4400},
		"an id that is no text": {text, `{"id":{"a":1},"type":"stop"}`, 1003, 4400},
	} {
		for protocol, c := range map[string]*wsClient{
			"graphql-ws":           dialAppSync(t, base+"/graphql/realtime", "ana", nil).acknowledge(),
			"graphql-transport-ws": dial(t, base+"/graphql", nil).initialise(),
		} {
			if err := c.conn.Write(t.Context(), bad.kind, []byte(bad.frame)); err != nil {
				t.Fatal(err)
			}
			want := bad.appSync
			if protocol == "graphql-transport-ws" {
				want = bad.transport
			}
			if _, message, err := c.conn.Read(t.Context()); closeOf(err).Code != want {
				t.Errorf("%s: %s answers with %q, %v, want %d", name, protocol, message, err, want)
			}
		}
		s.graph.Ticks <- &testgraph.Tick{Number: 1}
		good.expect(`{"id":"s","type":"data","payload":{"data":{"onTick":{"number":1}}}}`)
	}
	if got := do(t, call(t, http.MethodPost, base+"/graphql", `{"query":"{__typename}"}`)); got.status != http.StatusOK {
		t.Errorf("and then %d %s", got.status, got.body)
	}
}
