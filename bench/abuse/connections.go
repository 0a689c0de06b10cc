package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// hold opens connections that send head, followed by a byte now and then, until ctx is
// done.
func hold(ctx context.Context, t *target, n int, head string) string {
	var o outcomes
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			conn, err := net.Dial("tcp", t.addr)
			if err != nil {
				o.note("refused")
				return
			}
			defer conn.Close()
			stop := context.AfterFunc(ctx, func() { conn.Close() })
			defer stop()
			go func() {
				io.WriteString(conn, head)
				for ctx.Err() == nil {
					if _, err := io.WriteString(conn, " "); err != nil {
						return
					}
					time.Sleep(time.Second)
				}
			}()
			answer := make([]byte, 12)
			if _, err := io.ReadFull(conn, answer); err != nil {
				o.note("held to the end")
				return
			}
			o.note(string(answer[9:]))
			<-ctx.Done()
		})
	}
	all.Wait()
	return o.String()
}

const announcing = "POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n"

func strangers(ctx context.Context, t *target) string {
	return hold(ctx, t, 1000, announcing+"\r\n")
}

func endlessBodies(ctx context.Context, t *target) string {
	return hold(ctx, t, 200, announcing+"Authorization: "+t.attacker()+"\r\n\r\n"+strings.Repeat(" ", 900_000))
}

// slowSignUps never end what they send.
func slowSignUps(ctx context.Context, t *target) string {
	return hold(ctx, t, 1000, "POST /auth/sign-up HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 16000\r\n\r\n{")
}

func socket(ctx context.Context, t *target, path string) (*websocket.Conn, error) {
	conn, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(t.url, "http")+path, &websocket.DialOptions{
		Subprotocols: []string{"graphql-transport-ws"},
	})
	return conn, err
}

// deafSockets sends requests on sockets without reading the responses.
func deafSockets(ctx context.Context, t *target) string {
	var o outcomes
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			conn, err := socket(ctx, t, "/graphql")
			if err != nil {
				o.note("refused")
				return
			}
			defer conn.CloseNow()
			say := func(text string) error { return conn.Write(ctx, websocket.MessageText, []byte(text)) }
			if say(`{"type":"connection_init","payload":{"authorization":"`+t.attacker()+`"}}`) != nil {
				o.note("closed")
				return
			}
			for i := 0; ctx.Err() == nil; i++ {
				if say(fmt.Sprintf(`{"id":"%d","type":"subscribe","payload":{"query":"{ self { posts(limit: 5) { items { text } } } }"}}`, i)) != nil && ctx.Err() == nil {
					o.note("closed")
					return
				}
				time.Sleep(100 * time.Millisecond)
			}
			o.note("held to the end")
		})
	}
	all.Wait()
	return o.String()
}

// silentSockets opens sockets without authenticating.
func silentSockets(ctx context.Context, t *target) string {
	var o outcomes
	several(ctx, 200, func(int) {
		conn, err := socket(ctx, t, "/graphql")
		if err != nil {
			o.note("refused")
			return
		}
		if _, _, err = conn.Read(ctx); websocket.CloseStatus(err) > 0 {
			o.note(fmt.Sprint(int(websocket.CloseStatus(err))))
		}
		conn.CloseNow()
	})
	return o.String()
}
