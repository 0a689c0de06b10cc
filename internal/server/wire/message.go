package wire

import (
	"bytes"
	"encoding/json"
	"errors"

	"stoa/internal/kit/jsonstring"
)

// Message is one frame of a WebSocket subprotocol.
type Message struct {
	ID, Type string
	// Payload is the JSON of the payload; nil if absent or null.
	Payload json.RawMessage
}

// DecodeMessage decodes a frame, which must be a JSON object with a `type`. Its members have the
// exact names of the subprotocol, each at most once.
func DecodeMessage(frame []byte) (m Message, err error) {
	if err := decodeWhole(frame, "message", map[string]any{"id": &m.ID, "type": &m.Type, "payload": &m.Payload}); err != nil {
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

// DecodeStart decodes the payload of AppSync's start message: the JSON of a request in a string,
// and the headers that the client gives in `extensions.authorization`. Both are nil if absent.
func DecodeStart(payload []byte) (data *string, authorization json.RawMessage, err error) {
	var extensions json.RawMessage
	if payload != nil {
		err = decodeMembers(payload, "payload", map[string]any{"data": &data, "extensions": &extensions})
	}
	if err == nil && extensions != nil {
		err = decodeMembers(extensions, "payload.extensions", map[string]any{"authorization": &authorization})
	}
	return data, authorization, err
}

// DecodeObject decodes a payload, which must be an object. A nil payload returns a nil map.
func DecodeObject(payload []byte) (object map[string]any, err error) {
	if payload != nil {
		err = decode(payload, "payload", &object)
	}
	return object, err
}

// AppendMessage appends a frame. An empty id or nil payload is omitted; the payload must be
// JSON.
func AppendMessage(dst []byte, id, messageType string, payload []byte) []byte {
	dst = appendHead(dst, id, messageType)
	if payload != nil {
		dst = append(append(dst, `,"payload":`...), payload...)
	}
	return append(dst, '}')
}

// AppendNext appends a frame of type "next", with the output of appendAnswer as the
// payload.
func AppendNext(dst []byte, id string, appendAnswer func([]byte) []byte) []byte {
	dst = append(appendHead(dst, id, "next"), `,"payload":`...)
	return append(appendAnswer(dst), '}')
}

// AppendData appends a frame of type "data", whose payload contains only data, which must
// be JSON.
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
