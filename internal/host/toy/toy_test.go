package toy_test

import (
	"testing"

	"stoa/internal/apptest"
	"stoa/internal/host/toy"
)

func identities(names ...string) apptest.Step {
	return func(w *apptest.World) {
		for _, name := range names {
			w.People.Identity(name)
		}
	}
}

func TestASystemOfOneNoun(t *testing.T) {
	const add = `mutation { addNote(noteId: "1", text: "hello") { noteId text } }`
	listening := apptest.Listening("ana", `subscription { onNote(userId: "{ana}") { text } }`)
	apptest.Run(t, toy.System(), []apptest.Scenario{
		{Name: "a note is stored, is the latest when the mutation has answered, and is told of",
			Given: []apptest.Step{identities("ana", "ben"), listening}, As: "ana", Query: add,
			Want:   `{"addNote":{"noteId":"1","text":"hello"}}`,
			Events: apptest.Events{"toy.note.added": 1},
			Hears:  apptest.Hears{"ana": {`{"onNote":{"text":"hello"}}`}},
			Then: []apptest.Scenario{
				{As: "ana", Query: `{ latest { text } }`, Want: `{"latest":{"text":"hello"}}`},
				{As: "ben", Query: `{ latest { text } }`, Want: `{"latest":null}`},
			}},
		{Name: "an id is taken once", Given: []apptest.Step{identities("ana", "ben"), apptest.Does("ben", add)}, As: "ana", Query: add,
			Error: "ClientError: Note `1` already exists"},
	})
}
