package load

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
)

// Client keeps connections of many requests at once.
var Client = &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 256, MaxIdleConns: 1024}}

// Refusal is an answer with errors.
type Refusal struct {
	Status  int
	Code    string
	Message string
}

func (r *Refusal) Error() string { return fmt.Sprintf("%d %s: %s", r.Status, r.Code, r.Message) }

// Ask sends an operation of GraphQL to a URL and decodes the data of its answer into data, which
// may be nil. Headers without a value are not sent. If the answer has errors, Ask returns a *Refusal.
func Ask(ctx context.Context, url string, headers map[string]string, query string, variables map[string]any, data any) error {
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	for name, value := range headers {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	response, err := Client.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	var answer struct {
		Data   json.RawMessage
		Errors []struct {
			Message    string
			Extensions struct{ Code string }
		}
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return &Refusal{Status: response.StatusCode, Message: fmt.Sprintf("%.200s", text)}
	}
	if len(answer.Errors) > 0 {
		return &Refusal{response.StatusCode, answer.Errors[0].Extensions.Code, answer.Errors[0].Message}
	}
	if data == nil {
		return nil
	}
	return json.Unmarshal(answer.Data, data)
}

// Frame is a message of graphql-transport-ws.
type Frame struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// Dial opens a connection for subscriptions to the URL of an API, whose first message has a payload.
func Dial(ctx context.Context, url string, payload map[string]any) (*websocket.Conn, error) {
	conn, _, err := websocket.Dial(ctx, url, &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	if err != nil {
		return nil, err
	}
	var ack Frame
	if err = wsjson.Write(ctx, conn, map[string]any{"type": "connection_init", "payload": payload}); err == nil {
		err = wsjson.Read(ctx, conn, &ack)
	}
	if err == nil && ack.Type != "connection_ack" {
		err = fmt.Errorf("the connection is answered with %q: %.300s", ack.Type, ack.Payload)
	}
	if err != nil {
		conn.CloseNow()
		return nil, err
	}
	return conn, nil
}
