package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"
)

const archivePath = "/archive/graphql"

// places is the number of places of the gazetteer, loaded 500 at a time.
const places = 5000

// prepareArchive loads a gazetteer and creates a collection, as the operator, and makes the
// attacker a contributor.
func (t *target) prepareArchive() error {
	operator := t.tokens[0]
	for _, token := range []string{operator, t.attacker()} {
		if _, err := t.inArchive(token, `mutation{signIn{level}}`, nil); err != nil {
			return err
		}
	}
	for from := 1; from <= places; from += 500 {
		var rows []map[string]any
		for id := from; id < from+500; id++ {
			name := fmt.Sprintf("%c%c place of the usual length %d", 'a'+id%26, 'a'+id/26%26, id)
			rows = append(rows, map[string]any{"id": fmt.Sprint(id), "name": name, "fullName": name + ", Ohio, United States", "level": 4, "count": id})
		}
		if _, err := t.inArchive(operator, `mutation($r:[PlaceInput!]!){loadPlaces(rows:$r)}`, map[string]any{"r": rows}); err != nil {
			return err
		}
	}
	data, err := t.inArchive(operator, `mutation{createCategory(name:"Censuses"){id}}`, nil)
	if err != nil {
		return err
	}
	data, err = t.inArchive(
		operator,
		`mutation($c:ID!){createCollection(input:{name:"Census",categoryIds:[$c],fields:[{header:"Name"},`+
			`{header:"Birth"}],mappings:[{header:"Birth",dbField:"birthDate"}]}){id}}`,
		map[string]any{"c": data["createCategory"].ID},
	)
	t.collection = data["createCollection"].ID
	return err
}

// importRecords imports rows into a post.
const importRecords = `mutation($p:ID!,$c:String!){importRecords(postId:$p,csv:$c){__typename}}`

// archive makes a request as the attacker.
func (t *target) archive(query string, variables map[string]any) (int, []byte, error) {
	return t.post(archivePath, t.attacker(), map[string]any{"query": query, "variables": variables})
}

// archivePost creates a post, with one more field unless it is "", and returns its id.
func (t *target) archivePost(field string, value any) (string, error) {
	in := map[string]any{"name": "x", "collectionId": t.collection}
	if field != "" {
		in[field] = value
	}
	data, err := t.inArchive(t.attacker(), `mutation($i:CreatePostInput!){createPost(input:$i){id}}`, map[string]any{"i": in})
	return data["createPost"].ID, err
}

// inArchive makes a request that must succeed and returns its objects, by field.
func (t *target) inArchive(token, query string, variables map[string]any) (map[string]archived, error) {
	_, body, err := t.post(archivePath, token, map[string]any{"query": query, "variables": variables})
	var answer struct {
		Data   map[string]json.RawMessage
		Errors []any
	}
	if err != nil || json.Unmarshal(body, &answer) != nil || len(answer.Errors) > 0 {
		return nil, fmt.Errorf("archive: %.300s %w", body, err)
	}
	all := map[string]archived{}
	for field, data := range answer.Data {
		var one archived
		_ = json.Unmarshal(data, &one) // numbers are not of interest
		all[field] = one
	}
	return all, nil
}

type archived struct{ ID, URL, Key string }

// upload uploads a file and returns its key.
func (t *target) upload(kind string, content []byte) (string, error) {
	data, err := t.inArchive(t.attacker(), `mutation($k:String!){requestUpload(contentType:$k){url key}}`, map[string]any{"k": kind})
	if err != nil {
		return "", err
	}
	ticket := data["requestUpload"]
	return ticket.Key, put(ticket.URL, kind, bytes.NewReader(content))
}

// put uploads to a signed URL.
func put(url, kind string, body io.Reader) error {
	r, err := http.NewRequest(http.MethodPut, url, body)
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", kind)
	if status, text, err := do(r); err != nil || status != http.StatusOK {
		return fmt.Errorf("upload: %d %.100s %w", status, text, err)
	}
	return nil
}

// csvBombs are files that are no tables, or hardly any.
func csvBombs() map[string][]byte {
	const header = "Name,Birth\n"
	return map[string][]byte{
		"one line":        bytes.Repeat([]byte("x"), 10<<20),
		"columns":         bytes.Repeat([]byte(","), 1_000_000),
		"an open quote":   append([]byte(header+`"`), bytes.Repeat([]byte("x\n"), 10<<20)...),
		"quotes":          append([]byte(header), bytes.Repeat([]byte(`""`), 5<<20)...),
		"cells of a row":  append([]byte(header), bytes.Repeat([]byte("x,"), 5<<20)...),
		"rows of nothing": append([]byte(header), bytes.Repeat([]byte(",\n"), 1_000_000)...),
		"dates":           append([]byte(header), bytes.Repeat([]byte("x,"+strings.Repeat("1 may ", 5_000)+"\n"), 200)...),
	}
}

// brokenTables loads such files, both from uploads and in requests.
func brokenTables(ctx context.Context, t *target) string {
	var o outcomes
	var files []string
	var texts [][]byte
	for name, content := range csvBombs() {
		files, texts = append(files, name), append(texts, content)
	}
	several(ctx, 2, func(i int) {
		n := rand.IntN(len(files))
		if i == 1 {
			post, err := t.archivePost("", nil)
			if err != nil {
				o.note("post refused")
				return
			}
			o.note("import " + code(t.archive(importRecords, map[string]any{"p": post, "c": string(texts[n][:min(len(texts[n]), 5<<20)])})))
			return
		}
		o.note(t.load("text/csv", "recordsKey", texts[n], "records"))
	})
	return o.String()
}

// load uploads a file, creates a post with it and returns how the load ends.
func (t *target) load(kind, field string, content []byte, what string) string {
	key, err := t.upload(kind, content)
	if err != nil {
		return "upload refused"
	}
	var value any = key
	if what == "images" {
		value = []string{key}
	}
	post, err := t.archivePost(field, value)
	if err != nil {
		return "post refused"
	}
	// To the end: what is still being loaded would count as an effect of the next attack.
	for range 2400 {
		_, body, err := t.archive(`query($p:ID!){post(id:$p){`+what+`Status}}`, map[string]any{"p": post})
		if _, rest, ok := strings.Cut(string(body), what+`Status":"`); err == nil && ok {
			if status, _, _ := strings.Cut(rest, `"`); !strings.Contains(status, "LOAD") || status == "LOADED" {
				return status
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	return "still loading"
}

// bombs are archives of images that become large.
func bombs() [][]byte {
	pack := func(files int, content []byte) []byte {
		var b, one bytes.Buffer
		z := zip.NewWriter(&one)
		w, _ := z.Create("x") // a buffer takes everything
		_, _ = w.Write(content)
		_ = z.Close()
		r, _ := zip.NewReader(bytes.NewReader(one.Bytes()), int64(one.Len()))
		raw, _ := r.File[0].OpenRaw()
		packed, _ := io.ReadAll(raw)
		z = zip.NewWriter(&b)
		for i := range files {
			w, _ := z.CreateRaw(
				&zip.FileHeader{
					Name:               fmt.Sprintf("%d.jpg", i),
					Method:             zip.Deflate,
					CRC32:              crc32.ChecksumIEEE(content),
					CompressedSize64:   uint64(len(packed)),
					UncompressedSize64: uint64(len(content)),
				},
			)
			_, _ = w.Write(packed)
		}
		_ = z.Close()
		return b.Bytes()
	}
	return [][]byte{
		pack(200, append(hugeJPEG(), make([]byte, 60<<20)...)),
		pack(20_000, nil),
		pack(1, make([]byte, 200<<20)),
		pack(50_000, []byte("x")),
	}
}

func zipBombs(ctx context.Context, t *target) string {
	var o outcomes
	all := bombs()
	several(ctx, 2, func(int) { o.note(t.load("application/zip", "imagesKeys", all[rand.IntN(len(all))], "images")) })
	return o.String()
}

// prefixes completes names of places and looks places up, without a token.
func prefixes(ctx context.Context, t *target) string {
	ids := `["` + strings.Repeat(`1","`, 99) + `2"]`
	var o outcomes
	several(ctx, 2, func(i int) {
		field := `places(prefix:"` + string(rune('a'+rand.IntN(26))) + string(rune('a'+rand.IntN(26))) + `",count:20){fullName}`
		if i == 1 {
			field = `placesById(ids:` + ids + `){fullName}`
		}
		for times := 400; ; times = times * 3 / 4 {
			_, body, err := t.post(archivePath, "", map[string]any{"query": repeated("", times, field)})
			if got := code(200, body, err); got != "COMPLEXITY_LIMIT_EXCEEDED" || times < 2 {
				o.note(got)
				return
			}
		}
	})
	return o.String()
}

// lookUps reads large records by as many ids as may be.
func lookUps(ctx context.Context, t *target) string {
	ids, err := t.largeRecords()
	if err != nil {
		return "FAILED: " + err.Error()
	}
	var o outcomes
	query := strings.Replace(repeated("", 50, `recordsById(ids:$i){id}`), "{", "query($i:[ID!]!){", 1)
	several(ctx, 8, func(int) { o.note(code(t.archive(query, map[string]any{"i": ids}))) })
	return o.String()
}

// largeRecords loads 100 records of 10 KB and returns their ids.
func (t *target) largeRecords() (ids []string, err error) {
	post, err := t.archivePost("", nil)
	if err != nil {
		return nil, err
	}
	csv := "Name,Birth\n" + strings.Repeat(strings.Repeat("x", 10_000)+",1 may 1900\n", 100)
	if _, err := t.inArchive(t.attacker(), importRecords, map[string]any{"p": post, "c": csv}); err != nil {
		return nil, err
	}
	_, body, err := t.archive(`query($p:ID!){records(postId:$p,limit:100){items{id}}}`, map[string]any{"p": post})
	var answer struct {
		Data struct{ Records struct{ Items []archived } }
	}
	if err != nil || json.Unmarshal(body, &answer) != nil || len(answer.Data.Records.Items) != 100 {
		return nil, fmt.Errorf("records: %.300s %w", body, err)
	}
	for _, r := range answer.Data.Records.Items {
		ids = append(ids, r.ID)
	}
	return ids, nil
}
