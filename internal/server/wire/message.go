package wire

import (
	"errors"
	"fmt"
)

// Message is one frame of a WebSocket subprotocol.
type Message struct {
	ID, Type string
	// Payload is the JSON text of the payload, nil when absent or null. It is part
	// of the frame it was decoded from.
	Payload []byte
}

// DecodeMessage reads a frame: a JSON object with a `type`.
func DecodeMessage(frame []byte) (Message, error) {
	p, err := newParser(frame)
	if err != nil {
		return Message{}, err
	}
	if p.peek() != '{' {
		return Message{}, errors.New("message must be a JSON object")
	}
	var m Message
	err = p.object(func(name string) (err error) {
		switch name {
		case "id":
			m.ID, _, err = p.optionalText("id")
		case "type":
			m.Type, _, err = p.optionalText("type")
		case "payload":
			if !p.literal("null") {
				m.Payload, err = p.raw()
			}
		default:
			err = p.skip()
		}
		return err
	})
	if err == nil {
		err = p.end()
	}
	if err == nil && m.Type == "" {
		err = errors.New("`type` is missing")
	}
	return m, err
}

// DecodeObject reads a payload that must be an object. A nil payload gives a nil
// map.
func DecodeObject(payload []byte) (map[string]any, error) {
	if payload == nil {
		return nil, nil
	}
	p, err := newParser(payload)
	if err != nil {
		return nil, err
	}
	object, err := p.optionalObject("payload")
	if err != nil {
		return nil, fmt.Errorf("in a message: %w", err)
	}
	return object, p.end()
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

func appendHead(dst []byte, id, messageType string) []byte {
	dst = append(dst, '{')
	if id != "" {
		dst = append(appendText(append(dst, `"id":`...), id), ',')
	}
	return appendText(append(dst, `"type":`...), messageType)
}
