package blob

import (
	"bytes"
	"context"
	"encoding/pem"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"stoa/internal/media/blob/s3test"
)

// forEachStore runs a test with a directory and with a bucket.
func forEachStore(t *testing.T, test func(t *testing.T, s Store)) {
	t.Run("file", func(t *testing.T) {
		t.Parallel()
		test(t, newDir(t))
	})
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		test(t, NewMemory())
	})
	t.Run("s3", func(t *testing.T) {
		t.Parallel()
		test(t, newBucket(t))
	})
}

func newDir(t *testing.T) *Dir {
	d, err := OpenDir(filepath.Join(t.TempDir(), "media"))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func newBucket(t *testing.T) *Bucket { return NewBucket(s3test.Client(t, "pictures"), "pictures") }

// noise returns n bytes that depend on seed.
func noise(n int, seed byte) []byte {
	data := make([]byte, n)
	rand.NewChaCha8([32]byte{seed}).Read(data)
	return data
}

func put(t *testing.T, s Store, key string, data []byte) {
	t.Helper()
	if n, err := s.Put(t.Context(), key, bytes.NewReader(data)); err != nil || n != int64(len(data)) {
		t.Fatalf("Put %s: %d, %v", key, n, err)
	}
}

// read returns the object, or nil if it does not exist.
func read(t *testing.T, s Store, key string, part Range) []byte {
	t.Helper()
	r, _, err := s.Open(t.Context(), key, part)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		t.Fatalf("Open %s: %v", key, err)
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatalf("read %s: %v", key, err)
	}
	return append([]byte{}, data...)
}

func TestPutAndOpen(t *testing.T) {
	forEachStore(t, func(t *testing.T, s Store) {
		for name, size := range map[string]int{
			"empty": 0, "small": 10, "one part": partSize, "one part and a byte": partSize + 1, "two parts": 2 * partSize, "many parts": 2*partSize + 777,
		} {
			data := noise(size, 1)
			put(t, s, "a:b/pictures/native.jpg", noise(30, 2))
			put(t, s, "a:b/pictures/native.jpg", data)
			if got := read(t, s, "a:b/pictures/native.jpg", Range{}); !bytes.Equal(got, data) {
				t.Errorf("%s: %d bytes came back that differ", name, len(got))
			}
			info, err := s.Head(t.Context(), "a:b/pictures/native.jpg")
			if err != nil || info.Size != int64(size) || !strings.HasPrefix(info.ETag, `"`) || time.Since(info.ModifiedAt) > time.Minute {
				t.Errorf("%s: Head: %+v, %v", name, info, err)
			}
		}
	})
}

func TestRanges(t *testing.T) {
	forEachStore(t, func(t *testing.T, s Store) {
		put(t, s, "digits", []byte("0123456789"))
		for part, want := range map[Range]string{
			{}: "0123456789", {Start: 4}: "456789", {Start: 4, Length: 3}: "456", {Length: 2}: "01", {Start: 8, Length: 50}: "89",
		} {
			if got := read(t, s, "digits", part); string(got) != want {
				t.Errorf("%+v: got %q, want %q", part, got, want)
			}
			r, info, err := s.Open(t.Context(), "digits", part)
			if err != nil || info.Size != 10 {
				t.Errorf("%+v: size of the whole: %d, %v", part, info.Size, err)
			}
			r.Close()
		}
		info, err := s.Head(t.Context(), "digits")
		if err != nil {
			t.Fatal(err)
		}
		seeker := NewSeeker(t.Context(), s, "digits", info)
		defer seeker.Close()
		if err := iotest.TestReader(seeker, []byte("0123456789")); err != nil {
			t.Error(err)
		}
	})
}

func TestETagFollowsContent(t *testing.T) {
	forEachStore(t, func(t *testing.T, s Store) {
		put(t, s, "k", []byte("one"))
		before, _ := s.Head(t.Context(), "k")
		put(t, s, "k", []byte("two"))
		after, _ := s.Head(t.Context(), "k")
		if before.ETag == after.ETag {
			t.Errorf("both contents have %s", before.ETag)
		}
	})
}

func TestFailedPutChangesNothing(t *testing.T) {
	forEachStore(t, func(t *testing.T, s Store) {
		put(t, s, "k", []byte("before"))
		broken := errors.New("line is down")
		for _, size := range []int{3, 2*partSize + 3} {
			source := io.MultiReader(bytes.NewReader(noise(size, 1)), iotest.ErrReader(broken))
			if _, err := s.Put(t.Context(), "k", source); !errors.Is(err, broken) {
				t.Errorf("%d bytes: got %v, want the reader's error", size, err)
			}
		}
		if got := read(t, s, "k", Range{}); string(got) != "before" {
			t.Errorf("object is now %.20q", got)
		}
	})
}

func TestCopyAndDelete(t *testing.T) {
	forEachStore(t, func(t *testing.T, s Store) {
		ctx := t.Context()
		put(t, s, "u:1/post/p/native.jpg", []byte("one"))
		put(t, s, "u:1/post/p2/native.jpg", []byte("two"))
		for from, to := range map[string]string{
			"u:1/post/p/native.jpg":  "u:1/photo/native.jpg",
			"u:1/post/p2/native.jpg": "u:1/post/p2/native.jpg",
		} {
			for range 2 { // the second time the copy exists
				if err := s.Copy(ctx, from, to); err != nil {
					t.Fatal(err)
				}
			}
		}
		put(t, s, "u:1/post/p/native.jpg", []byte("new")) // must not affect the copy
		if err := s.Copy(ctx, "u:1/nothing", "u:1/post/p/native.jpg"); !errors.Is(err, ErrNotFound) {
			t.Errorf("copy of nothing: %v", err)
		}
		wantObjects(t, s, map[string]string{"u:1/photo/native.jpg": "one", "u:1/post/p/native.jpg": "new", "u:1/post/p2/native.jpg": "two"})

		for range 2 { // deleting twice is not an error
			if err := s.DeleteTree(ctx, "u:1/post/p"); err != nil {
				t.Fatal(err)
			}
			if err := s.Delete(ctx, "u:1/photo/native.jpg"); err != nil {
				t.Fatal(err)
			}
		}
		wantObjects(t, s, map[string]string{"u:1/photo/native.jpg": "", "u:1/post/p/native.jpg": "", "u:1/post/p2/native.jpg": "two"})
		if _, err := s.Head(ctx, "u:1/post"); !errors.Is(err, ErrNotFound) {
			t.Errorf("Head of what is only a prefix: %v", err)
		}
		if _, _, err := s.Open(ctx, "u:1/post/p2/native.jpg/deeper", Range{}); !errors.Is(err, ErrNotFound) {
			t.Errorf("Open below an object: %v", err)
		}
	})
}

func wantObjects(t *testing.T, s Store, want map[string]string) {
	t.Helper()
	for key, content := range want {
		if got := read(t, s, key, Range{}); string(got) != content {
			t.Errorf("%s: got %q, want %q", key, got, content)
		}
	}
}

func TestDeleteTreeOfManyPages(t *testing.T) {
	forEachStore(t, func(t *testing.T, s Store) {
		count := 1100 // S3 returns pages of 1,000
		if _, ok := s.(*Dir); ok {
			count = 30
		}
		for i := range count {
			put(t, s, "tree/"+strings.Repeat("x", i%7+1)+"/"+string(rune('a'+i%26))+strings.Repeat("y", i/26), nil)
		}
		put(t, s, "treetop", []byte("stays"))
		if err := s.DeleteTree(t.Context(), "tree"); err != nil {
			t.Fatal(err)
		}
		wantObjects(t, s, map[string]string{"tree/x/a": "", "treetop": "stays"})
	})
}

func TestKeys(t *testing.T) {
	good := []string{"a", "us-east-1:0b1c/post/P.1/image/native.jpg", "auth0|5f7c/a+b=@c.jpg", strings.Repeat("x", maxSegment) + "/y"}
	bad := []string{"", "/", "/a", "a/", "a//b", ".", "..", "../etc/passwd", "a/../b", "a/./b", ".incoming/x", `a\b`, "a\x00b", "a b", "é", "a%2e", "a?b", "~",
		strings.Repeat("x", maxSegment+1), strings.Repeat("x/", maxKey/2) + "xyz"}
	for _, key := range good {
		if err := CheckKey(key); err != nil {
			t.Error(err)
		}
	}
	forEachStore(t, func(t *testing.T, s Store) {
		ctx := t.Context()
		put(t, s, "good", nil)
		for _, key := range bad {
			_, putErr := s.Put(ctx, key, strings.NewReader("x"))
			_, _, openErr := s.Open(ctx, key, Range{})
			_, headErr := s.Head(ctx, key)
			for i, err := range []error{putErr, openErr, headErr, s.Copy(ctx, "good", key), s.Copy(ctx, key, "good"), s.Delete(ctx, key), s.DeleteTree(ctx, key)} {
				if !errors.Is(err, ErrKey) {
					t.Errorf("%q, call %d: got %v, want ErrKey", key, i, err)
				}
			}
		}
	})
}

func TestReadAllIsBounded(t *testing.T) {
	s := newDir(t)
	put(t, s, "k", noise(100, 1))
	if data, err := ReadAll(t.Context(), s, "k", 100); err != nil || !bytes.Equal(data, noise(100, 1)) {
		t.Errorf("got %d bytes, %v", len(data), err)
	}
	if _, err := ReadAll(t.Context(), s, "k", 99); !errors.Is(err, ErrTooLarge) {
		t.Errorf("got %v, want ErrTooLarge", err)
	}
}

func TestPutUsesConstantMemory(t *testing.T) {
	for name, s := range map[string]Store{"file": newDir(t)} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		source := io.LimitReader(rand.NewChaCha8([32]byte{}), 50<<20)
		if _, err := s.Put(t.Context(), "k", source); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
			t.Errorf("%s: 50 MiB took %d bytes of memory", name, used)
		}
	}
}

// All files in a directory are private to its owner, and a failed Put leaves nothing
// behind.
func TestFilesArePrivate(t *testing.T) {
	d := newDir(t)
	put(t, d, "a/b/c.jpg", []byte("x"))
	d.Put(t.Context(), "a/b/d.jpg", iotest.ErrReader(io.ErrUnexpectedEOF))
	if err := d.Copy(t.Context(), "a/b/c.jpg", "a/e.jpg"); err != nil {
		t.Fatal(err)
	}
	if err := d.Copy(t.Context(), "a/e.jpg", "a/b/c.jpg"); err != nil { // the same file already
		t.Fatal(err)
	}
	var files []string
	err := filepath.WalkDir(d.root, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		if !e.IsDir() {
			files = append(files, strings.TrimPrefix(path, d.root))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"/a/b/c.jpg", "/a/e.jpg"}; !slices.Equal(files, want) {
		t.Errorf("got files %v, want %v", files, want)
	}
	if err := d.DeleteTree(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(d.root); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestSweep(t *testing.T) {
	d := newDir(t)
	old, fresh := filepath.Join(d.root, incoming, "old"), filepath.Join(d.root, incoming, "fresh")
	for _, file := range []string{old, fresh} {
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(old, time.Time{}, time.Now().Add(-abandoned-time.Hour)); err != nil {
		t.Fatal(err)
	}
	tree := filepath.Join(d.root, incoming, removed+"tree")
	if err := os.MkdirAll(filepath.Join(tree, "image"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenDir(d.root); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(old); !os.IsNotExist(err) {
		t.Errorf("the abandoned file is still there: %v", err)
	}
	if _, err := os.Stat(tree); !os.IsNotExist(err) {
		t.Errorf("the tree that was being removed is still there: %v", err)
	}
	if _, err := os.Stat(fresh); err != nil {
		t.Error(err)
	}
}

// Readers see the bytes of a single Put while others write, copy and delete.
func TestWholeObjectsOnly(t *testing.T) {
	d := newDir(t)
	contents := [][]byte{bytes.Repeat([]byte("a"), 50000), bytes.Repeat([]byte("b"), 70000)}
	var writers sync.WaitGroup
	for _, content := range contents {
		writers.Go(func() {
			for range 30 {
				if _, err := d.Put(context.Background(), "x/y/k", bytes.NewReader(content)); err != nil {
					t.Error(err)
				}
				if err := d.Delete(context.Background(), "x/y/k"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { writers.Wait(); close(done) }()
	for {
		select {
		case <-done:
			return
		default:
			if got := read(t, d, "x/y/k", Range{}); got != nil && !bytes.Equal(got, contents[0]) && !bytes.Equal(got, contents[1]) {
				t.Fatalf("read %d bytes that nobody wrote", len(got))
			}
		}
	}
}

func TestPresign(t *testing.T) {
	s := newBucket(t)
	put(t, s, "u:1/native.jpg", []byte("pixels"))
	for method, want := range map[string]string{http.MethodGet: "pixels", http.MethodHead: ""} {
		address, err := s.Presign(t.Context(), method, "u:1/native.jpg", time.Hour, "private, max-age=60")
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(address, "X-Amz-Expires=3600") || !strings.Contains(address, "X-Amz-Signature=") || !strings.Contains(address, "response-cache-control=private") {
			t.Errorf("%s is not signed for an hour", address)
		}
		request, _ := http.NewRequestWithContext(t.Context(), method, address, nil)
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK || string(body) != want || answer.Header.Get("Content-Type") != "image/jpeg" {
			t.Errorf("%s: %d, %q, %v", method, answer.StatusCode, body, answer.Header)
		}
	}
	if _, err := s.Presign(t.Context(), http.MethodGet, "../x", time.Hour, ""); !errors.Is(err, ErrKey) {
		t.Errorf("got %v, want ErrKey", err)
	}
}

func TestOpenAddress(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "id")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	dir := filepath.Join(t.TempDir(), "deep", "media")
	for address, want := range map[string]string{
		"file:" + dir: "", "s3://pictures": "", "s3://pictures?region=eu-west-1&endpoint=http://127.0.0.1:9000": "",
		"": "names no place", "file:": "names no place", "/tmp/x": "names no place", "s3://": "names no place", "s3://b/folder": "names no place",
		"s3://b?regoin=x": `unknown parameter "regoin"`, "s3://b?endpoint=minio:9000": `the endpoint "minio:9000" is not a URL`,
	} {
		s, err := Open(t.Context(), address)
		if want == "" && (err != nil || s == nil) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: got %v, want %q", address, err, want)
		}
	}
	for _, address := range []string{"s3://id:hunter2@b", "s3://b?endpoint=http://id:hunter2@127.0.0.1:9000"} {
		_, err := Open(t.Context(), address)
		if want := "the bucket b: credentials do not belong in the address: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"; err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %q", address, err, want)
		}
	}
	s, err := Open(t.Context(), "s3://pictures?region=eu-west-1&endpoint=http://127.0.0.1:9000")
	if err != nil {
		t.Fatal(err)
	}
	address, err := s.(Presigner).Presign(t.Context(), http.MethodGet, "k", time.Minute, "")
	if err != nil || !strings.HasPrefix(address, "http://127.0.0.1:9000/pictures/k?") || !strings.Contains(address, "eu-west-1") {
		t.Errorf("got %s, %v", address, err)
	}
}

// No call waits forever for a bucket that does not answer.
func TestBucketsHaveATimeout(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "id")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	s, err := Open(t.Context(), "s3://pictures")
	if err != nil {
		t.Fatal(err)
	}
	client, ok := s.(*Bucket).client.Options().HTTPClient.(*awshttp.BuildableClient)
	if !ok || client.GetTransport().ResponseHeaderTimeout != answering {
		t.Errorf("calls are made by %T", s.(*Bucket).client.Options().HTTPClient)
	}
}

// What keeps a bucket from being used is said in one line with the remedy.
func TestCheck(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "id")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	t.Setenv("AWS_MAX_ATTEMPTS", "1")
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodHead || r.URL.Path != "/pictures" {
			t.Errorf("asked %s %s", r.Method, r.URL)
		}
		w.WriteHeader(status)
	}))
	defer server.Close()
	check := func(endpoint string) error {
		t.Helper()
		s, err := Open(t.Context(), "s3://pictures?region=eu-west-1&endpoint="+endpoint)
		if err != nil {
			t.Fatal(err)
		}
		return s.(*Bucket).Check(t.Context())
	}
	if err := check(server.URL); err != nil {
		t.Error(err)
	}
	for code, want := range map[int]string{
		http.StatusNotFound:            "the bucket pictures does not exist: create it",
		http.StatusForbidden:           "the bucket pictures refuses the AWS credentials: ",
		http.StatusMovedPermanently:    "the bucket pictures is not in region eu-west-1: ",
		http.StatusInternalServerError: "the bucket pictures cannot be used: ",
	} {
		status = code
		if err := check(server.URL); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("status %d: got %v, want %s", code, err, want)
		}
	}
	if err := check("http://127.0.0.1:1"); err == nil || !strings.HasPrefix(err.Error(), "the bucket pictures cannot be reached (dial tcp 127.0.0.1:1: ") {
		t.Errorf("nobody there: %v", err)
	}
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	t.Setenv("AWS_CONFIG_FILE", "/dev/null")
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", "/dev/null")
	if err := check(server.URL); err == nil || !strings.HasPrefix(err.Error(), "no usable AWS credentials for the bucket pictures (") {
		t.Errorf("no credentials: %v", err)
	}
}

// S3 refuses a checksum with a part of an upload that was not begun with one, and
// compatible services refuse bodies that are encoded to carry one.
func TestNoChecksumsBesideTheSignature(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "id")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	fake := gofakes3.New(s3mem.New()).Server()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name := range r.Header {
			if r.Method == http.MethodPut && strings.Contains(strings.ToLower(name), "checksum") || r.Header.Get("Content-Encoding") != "" {
				t.Errorf("%s %s: %s %q", r.Method, r.URL, name, r.Header[name])
			}
		}
		fake.ServeHTTP(w, r)
	}))
	defer server.Close()
	bundle := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(bundle, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AWS_CA_BUNDLE", bundle)
	s, err := Open(t.Context(), "s3://pictures?endpoint="+server.URL)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.(*Bucket).client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: aws.String("pictures")}); err != nil {
		t.Fatal(err)
	}
	put(t, s, "small", noise(100, 1))
	put(t, s, "large", noise(partSize+1, 2))
	if err := s.Copy(t.Context(), "small", "copy+plus"); err != nil {
		t.Error(err)
	}
	if err := s.Copy(t.Context(), "copy+plus", "auth0|u=1@x"); err != nil {
		t.Error(err)
	}
	wantObjects(t, s, map[string]string{"auth0|u=1@x": string(noise(100, 1)), "large": string(noise(partSize+1, 2))})
}

// A tree is deleted while objects are stored in it: each either goes or stays, and no call fails.
func TestDeleteTreeWhilePutting(t *testing.T) {
	forEachStore(t, func(t *testing.T, s Store) {
		var putting sync.WaitGroup
		for n := range 4 {
			putting.Go(func() {
				for i := range 100 {
					key := "u:1/album/a1/" + string(rune('a'+n)) + "/" + string(rune('a'+i%5)) + ".jpg"
					if _, err := s.Put(t.Context(), key, strings.NewReader("x")); err != nil {
						t.Errorf("Put: %v", err)
					}
				}
			})
		}
		done := make(chan struct{})
		go func() { putting.Wait(); close(done) }()
		for more := true; more; {
			select {
			case <-done:
				more = false
			default:
			}
			if err := s.DeleteTree(t.Context(), "u:1/album/a1"); err != nil {
				t.Errorf("DeleteTree: %v", err)
			}
		}
		if _, err := s.Head(t.Context(), "u:1/album/a1/a/a.jpg"); !errors.Is(err, ErrNotFound) {
			t.Errorf("an object is left: %v", err)
		}
	})
}
