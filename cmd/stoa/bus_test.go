package main

import (
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

func startNATS(t *testing.T) (url string) {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	go s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the NATS server does not start")
	}
	t.Cleanup(s.Shutdown)
	return s.ClientURL()
}

// Two processes on one store are one service: events caused by one reach the subscribers of
// the other.
func TestTwoProcessesShareEvents(t *testing.T) {
	useCredentials(t, "id", "secret")
	endpoint, bus := startDynamoDB(t), startNATS(t)
	if out, err := run(t, "tables", "apply", "--store", endpoint); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	one, two := serve(t, "--store", endpoint, "--bus", bus), serve(t, "--store", endpoint, "--bus", bus)
	ana := signUp(t, one, "ana")
	elsewhere := *ana
	elsewhere.url = two
	here, there := ana.listen(), elsewhere.listen()
	for i, writer := range []*person{ana, &elsewhere} {
		writer.ask(`mutation($id: ID!) { addPost(postId: $id, postType: TEXT_ONLY, text: "Hello") { postId } }`, map[string]any{"id": []string{"p1", "p2"}[i]})
		for name, l := range map[string]*listener{"one": here, "two": there} {
			heard := map[string]bool{}
			for !heard["POST_COMPLETED"] {
				heard[l.event()] = true
			}
			t.Logf("a post by way of process %d is heard in process %s", i+1, name)
		}
	}
}

func TestBusSetting(t *testing.T) {
	for value, want := range map[string]string{
		"memory": "memory", "nats://10.0.0.1:4222": "nats://10.0.0.1:4222", "nats://ana:secret@bus.example": "nats://ana:xxxxx@bus.example",
		"nats://secret@bus.example": "nats://xxxxx@bus.example",
	} {
		var b BusAddress
		if err := b.UnmarshalText([]byte(value)); err != nil {
			t.Errorf("%s: %v", value, err)
		}
		if shown, err := b.MarshalText(); err != nil || string(shown) != want {
			t.Errorf("%s is shown as %s, %v", value, shown, err)
		}
	}
	for _, value := range []string{"", "nats:", "http://bus.example", "bus.example:4222"} {
		if err := new(BusAddress).UnmarshalText([]byte(value)); err == nil {
			t.Errorf("%q passes for a bus", value)
		}
	}
}
