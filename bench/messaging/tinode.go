package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
)

// tinode is a person's connection to a Tinode server.
type tinode struct {
	conn  *websocket.Conn
	ctx   context.Context
	heard chan string

	mu    sync.Mutex
	calls int
	// answers holds the pending responses by call id.
	answers map[string]chan control
}

// control is a response of Tinode.
type control struct {
	ID     string
	Code   int
	Text   string
	Params struct{ User string }
}

func dialTinode(ctx context.Context, addr, key string) (*tinode, error) {
	conn, _, err := websocket.Dial(ctx, "ws://"+addr+"/v0/channels?apikey="+key, nil)
	if err != nil {
		return nil, err
	}
	t := &tinode{conn: conn, ctx: ctx, heard: make(chan string, 64), answers: map[string]chan control{}}
	go t.read()
	_, err = t.call("hi", variables{"ver": "0.25", "ua": "bench/1"})
	return t, err
}

func (t *tinode) read() {
	defer close(t.heard)
	for {
		var m struct {
			Ctrl *control
			Data *struct{ Content string }
		}
		if wsjson.Read(t.ctx, t.conn, &m) != nil {
			return
		}
		if m.Data != nil {
			t.heard <- m.Data.Content
		}
		if m.Ctrl == nil {
			continue
		}
		t.mu.Lock()
		answer := t.answers[m.Ctrl.ID]
		delete(t.answers, m.Ctrl.ID)
		t.mu.Unlock()
		if answer != nil {
			answer <- *m.Ctrl
		}
	}
}

// call sends a message and waits for its response.
func (t *tinode) call(verb string, arguments variables) (control, error) {
	answer := make(chan control, 1)
	t.mu.Lock()
	t.calls++
	id := strconv.Itoa(t.calls)
	t.answers[id] = answer
	t.mu.Unlock()
	arguments["id"] = id
	if err := wsjson.Write(t.ctx, t.conn, variables{verb: arguments}); err != nil {
		return control{}, err
	}
	select {
	case c := <-answer:
		if c.Code >= 400 {
			return c, fmt.Errorf("%s: %d %s", verb, c.Code, c.Text)
		}
		return c, nil
	case <-time.After(4 * patience):
		return control{}, fmt.Errorf("no response to %s", verb)
	}
}

func tinodePair(ctx context.Context, addr, key string, n int) (*pair, error) {
	var people [2]*tinode
	var ids [2]string
	for i, name := range []string{"ana", "ben"} {
		t, err := dialTinode(ctx, addr, key)
		if err != nil {
			return nil, err
		}
		login := fmt.Sprintf("%s%dx%d", name, n, time.Now().UnixMilli())
		made, err := t.call("acc", variables{
			"user": "new" + login, "scheme": "basic", "login": true, "secret": base64.StdEncoding.EncodeToString([]byte(login + ":secret123")),
			"desc": variables{"public": variables{"fn": login}},
		})
		if err != nil {
			return nil, err
		}
		people[i], ids[i] = t, made.Params.User
	}
	for i, t := range people {
		if _, err := t.call("sub", variables{"topic": ids[1-i]}); err != nil {
			return nil, err
		}
	}
	return &pair{heard: people[1].heard, publish: func(text string) error {
		_, err := people[0].call("pub", variables{"topic": ids[1], "noecho": true, "content": text})
		return err
	}}, nil
}
