package wire_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"stoa/internal/kit/hostile"
	"stoa/internal/server/wire"
)

func TestDecodeMessage(t *testing.T) {
	for frame, want := range map[string]wire.Message{
		`{"type":"ping"}`: {Type: "ping"},
		`{"payload": {"a" : [1]} ,"id":"7","type":"next","more":{}}`: {ID: "7", Type: "next", Payload: []byte(`{"a" : [1]}`)},
		`{"type":"ping","payload":null}`:                             {Type: "ping"},
		`{"type":"ping","payload":[1, 2]}`:                           {Type: "ping", Payload: []byte(`[1, 2]`)},
		`{"TYPE":"pong","type":"ping","Id":7,"PAYLOAD":1}`:           {Type: "ping"},
	} {
		got, err := wire.DecodeMessage([]byte(frame))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v", frame, got, err)
		}
	}
	for frame, want := range map[string]string{
		``:                               "message is empty",
		`[]`:                             "message must be a JSON object",
		`null`:                           "message must be a JSON object",
		`{}`:                             "`type` is missing",
		`{"Type":"ping"}`:                "`type` is missing",
		`{"type":"a","type":"a"}`:        "`type` is given twice",
		`{"id":"1","type":"a","id":"2"}`: "`id` is given twice",
		`{"payload":{"a":1},"type":"a","payload":{"b":2}}`: "`payload` is given twice",
		`{"type":null}`:       "`type` is missing",
		`{"type":"a","id":1}`: "`id` must be a string",
		`{"type":"a"} x`:      "not valid JSON: something follows the value at byte 13",
		"{\"type\":\"\xff\"}": "not valid UTF-8",
	} {
		if _, err := wire.DecodeMessage([]byte(frame)); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", frame, err, want)
		}
	}
}

func TestDecodeStart(t *testing.T) {
	for payload, want := range map[string][2]string{
		`{"data":"{}","extensions":{"authorization":{"host":"h"}}}`:                                   {"{}", `{"host":"h"}`},
		`{"data":"{}","Data":5,"EXTENSIONS":[],"extensions":{"Authorization":[],"authorization":{}}}`: {"{}", "{}"},
		`{"data":"{}","extensions":null}`:                                                             {"{}", ""},
	} {
		data, authorization, err := wire.DecodeStart([]byte(payload))
		if err != nil || data == nil || *data != want[0] || string(authorization) != want[1] {
			t.Errorf("%s: got %v, %s, %v", payload, data, authorization, err)
		}
	}
	for _, payload := range []string{``, `{}`, `{"Data":"{}"}`, `{"query":"{a}"}`, `{"data":null}`, `null`} {
		var given []byte
		if payload != "" {
			given = []byte(payload)
		}
		if data, _, err := wire.DecodeStart(given); data != nil || err != nil {
			t.Errorf("%s: got %v, %v", payload, data, err)
		}
	}
	for payload, want := range map[string]string{
		`[]`:                      "`payload` must be an object or null",
		`{"data":{}}`:             "`payload.data` must be a string",
		`{"data":"a","data":"b"}`: "`payload.data` is given twice",
		`{"data":"","extensions":{"authorization":{"Authorization":"a"},"authorization":{"host":"h"}}}`: "`payload.extensions.authorization` is given twice",
	} {
		if _, _, err := wire.DecodeStart([]byte(payload)); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", payload, err, want)
		}
	}
}

func TestDecodeObject(t *testing.T) {
	if got, err := wire.DecodeObject(nil); got != nil || err != nil {
		t.Errorf("nothing: %v, %v", got, err)
	}
	if got, err := wire.DecodeObject([]byte(`{"a":"b"}`)); err != nil || got["a"] != "b" {
		t.Errorf("object: %v, %v", got, err)
	}
	for _, payload := range []string{`[]`, `1`, `"x"`, `{`} {
		if _, err := wire.DecodeObject([]byte(payload)); err == nil {
			t.Errorf("%s was accepted", payload)
		}
	}
}

func TestAppendMessage(t *testing.T) {
	answer := func(data string, errs ...*gqlerror.Error) func([]byte) []byte {
		return func(dst []byte) []byte { return wire.AppendResult(dst, []byte(data), errs) }
	}
	for want, got := range map[string][]byte{
		`{"type":"pong"}`: wire.AppendMessage(nil, "", "pong", nil),
		`{"id":"a\"b","type":"error","payload":[]}`:        wire.AppendMessage(nil, `a"b`, "error", []byte("[]")),
		`{"id":"1","type":"next","payload":{"data":null}}`: wire.AppendNext(nil, "1", answer("null")),
		`{"id":"1","type":"next","payload":{"data":{},"errors":[{"message":"m","errorType":null,"errorInfo":null,"data":null,"path":null,"locations":null}]}}`: wire.AppendNext(
			nil, "1", answer("{}", &gqlerror.Error{Message: "m"})),
	} {
		if string(got) != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// FuzzFrames looks for client messages that are slow to parse.
func FuzzFrames(f *testing.F) {
	for _, frame := range []string{
		`{"type":"connection_init"}`, `{"id":"1","type":"subscribe","payload":{"query":"{a}","variables":{"a":[1,2.5,1e400]}}}`, `{"type":"ping","payload":null}`,
		strings.Repeat("[", hostile.Size), strings.Repeat(`{"payload":`, 9000) + "1" + strings.Repeat("}", 9000), `{"type":"a","payload":[` + strings.Repeat("1e9,", 25_000) + `1]}`,
		`{"type":"a","payload":{"query":"","variables":{"a":` + strings.Repeat("9", 90_000) + `}}}`,
		`{"type":"a","payload":{"query":"","variables":{"a":0.` + strings.Repeat("0", 90_000) + `1}}}`,
		`{` + strings.Repeat(`"type":"a",`, 9000) + `"type":"b"}`, `{"type":"` + strings.Repeat(`\u0041`, 16_000) + `"}`,
		`{"type":"a","payload":{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"` + strings.Repeat("a", 90_000) + `"}}}}`,
	} {
		f.Add(frame)
	}
	f.Fuzz(func(t *testing.T, frame string) {
		hostile.Check(t, frame, func() {
			wire.DecodeRequest([]byte(frame))
			message, err := wire.DecodeMessage([]byte(frame))
			if err != nil {
				return
			}
			wire.DecodeObject(message.Payload)
			wire.DecodeStart(message.Payload)
			wire.DecodeRequest(message.Payload)
		})
	})
}
