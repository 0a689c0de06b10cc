package wire

import (
	"bytes"
	"encoding/json"
	"errors"

	"stoa/internal/kit/jsonstring"
)

// Message is one frame of a WebSocket subprotocol.
type Message struct {
	ID   string `json:"id"`
	Type string `json:"type"`
	// Payload is the JSON text of the payload, nil when absent or null.
	Payload json.RawMessage `json:"payload"`
}

// DecodeMessage reads a frame: a JSON object with a `type`.
func DecodeMessage(frame []byte) (Message, error) {
	var m Message
	if err := decode(frame, "message", &m); err != nil {
		return Message{}, err
	}
	if m.Type == "" {
		return Message{}, errors.New("`type` is missing")
	}
	if bytes.Equal(m.Payload, Null) {
		m.Payload = nil
	}
	return m, nil
}

// DecodeObject reads a payload that must be an object. A nil payload gives a nil map.
func DecodeObject(payload []byte) (object map[string]any, err error) {
	if payload != nil {
		err = decode(payload, "payload", &object)
	}
	return object, err
}

// AppendMessage appends a frame. An empty id is left out, as is a nil payload; the
// payload is JSON that goes out as it is.
func AppendMessage(dst []byte, id, messageType string, payload []byte) []byte {
	dst = appendHead(dst, id, messageType)
	if payload != nil {
		dst = append(append(dst, `,"payload":`...), payload...)
	}
	return append(dst, '}')
}

// AppendNext appends a frame of type "next" whose payload is what appendAnswer appends.
func AppendNext(dst []byte, id string, appendAnswer func([]byte) []byte) []byte {
	dst = append(appendHead(dst, id, "next"), `,"payload":`...)
	return append(appendAnswer(dst), '}')
}

// AppendData appends a frame of type "data" whose payload has data, which is JSON, and
// nothing else.
func AppendData(dst []byte, id string, data []byte) []byte {
	dst = append(appendHead(dst, id, "data"), `,"payload":{"data":`...)
	return append(append(dst, data...), "}}"...)
}

func appendHead(dst []byte, id, messageType string) []byte {
	dst = append(dst, '{')
	if id != "" {
		dst = append(jsonstring.Append(append(dst, `"id":`...), id), ',')
	}
	return jsonstring.Append(append(dst, `"type":`...), messageType)
}
