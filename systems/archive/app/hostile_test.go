package app_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/png"
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

// Malicious files, in requests and as uploads: the error gives the reason, and nothing
// changes.
func TestHostileFiles(t *testing.T) {
	const row = "Ana,7,1850,,\nBen,7,1851,,\nCal,,1852,,\nDan,8,1853,,\n" // those of families
	cell := func(n int) string { return strings.Repeat("x", n) }
	refusedFiles := map[string]struct{ csv, want string }{
		"nothing":             {"", "Row 1: the file is empty"},
		"a mark alone":        {"\ufeff", "Row 1: the file is empty"},
		"blank lines":         {"\n\n\n", "Row 1: the file is empty"},
		"two of a header":     {"Name,Household,Birth,Place,Image,NÁME\n", `Row 1: the header "Name" is there twice`},
		"two foreign headers": {"Name,Household,Birth,Place,Image,,\n", `The headers are not those of the collection: missing [], unknown ["" ""]`},
		"a header too many":   {"Name,Household,Birth,Place,Image,Colour\n", `The headers are not those of the collection: missing [], unknown ["Colour"]`},
		"other separators": {
			strings.ReplaceAll(header+row, ",", ";"),
			`The headers are not those of the collection: missing ["Name" "Household" "Birth" "Place" "Image"], unknown ["Name;Household;Birth;Place;Image"]`,
		},
		"headers of standard forms": {"Name,Household,Birth,Place,Image,birthDate_std\n", `The headers are not those of the collection: missing [], unknown ["birthDate_std"]`},
		"a cell too few":            {header + row + "Eve,9,1854,\n", "Row 6: 4 cells, but 5 headers"},
		"a cell too many":           {header + row + "Eve,9,1854,,,\n", "Row 6: 6 cells, but 5 headers"},
		"an open quote":             {header + row + "\"Eve,9,1854,,\n" + row, `Row 6: extraneous or missing " in quoted-field`},
		"a quote in the middle":     {header + "E\"ve,9,1854,,\n", `Row 2: bare " in non-quoted-field`},
		"text behind a quote":       {header + "\"Eve\"x,9,1854,,\n", `Row 2: extraneous or missing " in quoted-field`},
		"a megabyte":                {header + cell(1<<20) + ",9,1854,,\n", `Row 2: a value has at most 65536 bytes, not 1048576 under "Name"`},
		"a value over the limit":    {header + "Eve,9,1854," + cell(1<<16+1) + ",\n", `Row 2: a value has at most 65536 bytes, not 65537 under "Place"`},
		"a zero byte":               {header + "Eve,9,1854,a\x00b,\n", `Row 2: a value has a zero byte under "Place"`},
		"a long household":          {header + "Eve," + cell(201) + ",1854,,\n", "Row 2: a number of a household has at most 200 characters"},
		"Latin-1":                   {header + "Zo\xeb,9,1854,,\n", `Row 2: a value is not valid UTF-8 under "Name"`},
		"half a character":          {header + "Eve,9,1854,\xe2\x82,\n", `Row 2: a value is not valid UTF-8 under "Place"`},
		"a header in Latin-1":       {"N\xe4me,Household,Birth,Place,Image\n", "Row 1: a header is not valid UTF-8"},
		"UTF-16, little endian":     {"\xff\xfeN\x00a\x00", "Row 1: the file is in UTF-16: save it as UTF-8"},
		"UTF-16, big endian":        {"\xfe\xff\x00N\x00a", "Row 1: the file is in UTF-16: save it as UTF-8"},
	}
	test(t, func(w *world) {
		w.is("ADMIN")
		post := w.held(families)
		for name, c := range refusedFiles {
			if utf8.ValidString(c.csv) { // as JSON has it
				a := w.Asks("oz", importRecords, vars{"p": post, "c": c.csv})
				if len(a.Errors) != 1 || a.Errors[0].Message != "ClientError: "+c.want || a.Errors[0].Extensions.Code != "BAD_INPUT" {
					t.Errorf("%s: a request is refused with %v, want %s", name, a.Errors, c.want)
				}
			}
			w.Does("oz", updatePost, vars{"i": post, "c": vars{"recordsKey": w.uploads("text/csv", []byte(c.csv))}, "t": w.at("post", post)})
			w.Settle()
			d := w.Does("oz", `query($p: ID!) { post(id: $p) { recordsStatus recordsError } }`, vars{"p": post})
			if got := d.Text("post.recordsStatus") + " " + d.Text("post.recordsError"); got != "ERROR "+c.want {
				t.Errorf("%s: an upload ends with %s, want %s", name, got, c.want)
			}
			w.families(post)
		}
		// A file that was never uploaded.
		w.Does("oz", updatePost, vars{"i": post, "c": vars{"recordsKey": someFile}, "t": w.at("post", post)})
		w.Settle()
		w.Asked("oz", `query($p: ID!) { post(id: $p) { recordsStatus recordsError } }`, vars{"p": post}, "post", `{"recordsError":"There is no such file","recordsStatus":"ERROR"}`)
		w.families(post)
		w.whole()
	})
}

// Unusual but valid files are stored unchanged.
func TestOddFiles(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		post := w.held("")
		for name, c := range map[string]struct{ csv, want string }{
			"formulas": {header + "=1+1,,@SUM(A1),+1,-1\n", `[{"dataMap":{"Birth":"@SUM(A1)","Household":"","Image":"-1","Name":"=1+1","Place":"+1","birthDate_std":"",` +
				`"birthPlace_std":""},"household":null}]`},
			"lines of Windows": {strings.ReplaceAll(header, "\n", "\r\n") + "Eve,9,,,\r\n", `[{"dataMap":{"Birth":"","Household":"9","Image":"","Name":"Eve","Place":"",` +
				`"birthDate_std":"","birthPlace_std":""},"household":{"number":"9"}}]`},
			"blank lines between": {header + "\nEve,,,,\n\n\n", `[{"dataMap":{"Birth":"","Household":"","Image":"","Name":"Eve","Place":"","birthDate_std":"","birthPlace_std":""},` +
				`"household":null}]`},
			"no end of line": {header + "Eve,,,,", `[{"dataMap":{"Birth":"","Household":"","Image":"","Name":"Eve","Place":"","birthDate_std":"","birthPlace_std":""},` +
				`"household":null}]`},
			"lines in a value": {header + "\"Eve\nAdam, \"\"the first\"\"\",,,,\n", `[{"dataMap":{"Birth":"","Household":"","Image":"","Name":"Eve\nAdam, ` +
				`\"the first\"","Place":"","birthDate_std":"","birthPlace_std":""},"household":null}]`},
			"markup": {header + "<script>,{{Name}},,\\,\u202e\n", `[{"dataMap":{"Birth":"","Household":"{{Name}}","Image":"‮","Name":"\u003cscript\u003e","Place":"\\",` +
				`"birthDate_std":"","birthPlace_std":""},"household":{"number":"{{Name}}"}}]`},
			"headers alone": {header, `[]`},
		} {
			for _, upload := range []bool{false, true} {
				if upload {
					w.Does("oz", updatePost, vars{"i": post, "c": vars{"recordsKey": w.uploads("text/csv", []byte(c.csv))}, "t": w.at("post", post)})
					w.Settle()
				} else {
					w.imports(post, c.csv)
				}
				w.Asked("oz", recordsOf, vars{"p": post}, "records.items", c.want)
				if t.Failed() {
					t.Fatalf("%s, upload %v", name, upload)
				}
			}
		}
		var many strings.Builder
		many.WriteString(header)
		for range 10_001 {
			many.WriteString("x,7,,,\n")
		}
		a := w.Asks("oz", importRecords, vars{"p": post, "c": many.String()})
		if len(a.Errors) != 1 || a.Errors[0].Message != "ClientError: Row 10002: a household has at most 10000 records" {
			t.Errorf("a household too large: %v", a.Errors)
		}
		w.whole()
	})
}

// Archives with a false directory, with entries that are not images, or with images that
// are too large.
func TestHostileArchives(t *testing.T) {
	good := entry{"good.jpg", picture(20, 20)}
	named := func(h *zip.FileHeader, data []byte) []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		f, err := z.CreateHeader(h)
		if err == nil {
			_, err = f.Write(data)
		}
		if err == nil {
			err = z.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	link := &zip.FileHeader{Name: "link.jpg"}
	link.SetMode(os.ModeSymlink | 0o777)
	// lying has a directory that declares a smaller size than the entry has.
	lying := zipped(entry{"bomb.jpg", make([]byte, 66<<20)})
	at := bytes.LastIndex(lying, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(lying[at+24:], 10)
	damaged := zipped(entry{"a.jpg", picture(64, 64)})
	damaged[60] ^= 0xff
	huge := func() []byte { // a small file that says that it is a very large image
		var b bytes.Buffer
		if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
			t.Fatal(err)
		}
		data := b.Bytes()
		binary.BigEndian.PutUint32(data[16:], 60_000)
		binary.BigEndian.PutUint32(data[20:], 60_000)
		return data
	}()
	test(t, func(w *world) {
		w.is("ADMIN")
		collection := w.collection(census(w.category("A")))
		for name, data := range map[string][]byte{
			"a link":                 named(link, []byte("/etc/passwd")),
			"a lying directory":      lying,
			"a damaged entry":        damaged,
			"an image of gigapixels": zipped(good, entry{"huge.png", huge}),
			"half an image":          zipped(good, entry{"half.jpg", picture(200, 200)[:500]}),
			"an archive in it":       zipped(good, entry{"more.zip", zipped(good)}),
			"an empty name":          named(&zip.FileHeader{Name: ""}, picture(5, 5)),
			"a zero byte":            named(&zip.FileHeader{Name: "a\x00.jpg"}, picture(5, 5)),
			"a long path":            named(&zip.FileHeader{Name: strings.Repeat("a/", 600) + "x.jpg"}, picture(5, 5)),
			"a drive":                zipped(entry{`C:\evil.jpg`, picture(5, 5)}),
			"a dot":                  zipped(entry{"./a.jpg", picture(5, 5)}),
			"an empty file":          {},
		} {
			post := w.post(collection, vars{"imagesKeys": []string{w.uploads("application/zip", data)}})
			w.Settle()
			d := w.Does("oz", `query($p: ID!) { post(id: $p) { imagesStatus imagesError } }`, vars{"p": post})
			if got := d.Text("post.imagesStatus"); got != "ERROR" || !strings.HasPrefix(fmt.Sprint(d.At("post.imagesError")), "The archive of images cannot be loaded: ") {
				t.Errorf("%s: %v", name, d)
			}
			for _, path := range []string{"huge.png", "half.jpg", "bomb.jpg", "link.jpg", "a.jpg", "evil.jpg"} {
				w.Refused("NOT_FOUND", "oz", imageURL, vars{"p": post, "i": path})
			}
			w.Asked("oz", deletePost, vars{"p": post}, "deletePost", "true")
		}
		w.whole()
	})
}
