// Package control carries commands to a running server through a socket in its data
// directory. The command and the server are the same program, so there is no other contract
// than that of Request.
//
// Only the user who runs the server can connect: the socket has mode 0600, and a socket of
// somebody else is refused at both ends.
package control

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// Name is the name of the socket in the data directory.
const Name = "control.sock"

// Request is what a command was called with.
type Request struct {
	Args []string `json:"args,omitempty"`
	// Settings are those that concern the command, by name, as text.
	Settings map[string]string `json:"settings,omitempty"`
	// Switches are the flags that are set.
	Switches map[string]bool `json:"switches,omitempty"`
}

// Command does what a request asks for and writes what the caller prints. It ends early when
// ctx is done because the caller has gone or the server ends.
type Command func(ctx context.Context, r Request, out *Output) error

// Output is what a command writes, which is sent at once: the caller watches it.
type Output struct {
	io.Writer
	// Result is a text for the caller besides the output; empty for none.
	Result string
}

// ErrNotServing means that no server listens in a directory.
var ErrNotServing = errors.New("control: no server listens")

// ErrCut means that the server ended before the command was done.
var ErrCut = errors.New("the server ended before the command was done")

// OwnedError means that the socket belongs to another user.
type OwnedError struct {
	Path string
	User uint32
}

func (e *OwnedError) Error() string {
	return fmt.Sprintf("the socket %s belongs to another user (id %d): run stoa as that user, or remove the socket if no server uses it", e.Path, e.User)
}

// Failure is the error of a command as the server returned it.
type Failure struct {
	Text string
	// Code is the exit code.
	Code int
}

func (f *Failure) Error() string { return f.Text }

// trailers of a response tell how the command ended: a response without them was cut off.
const (
	codeTrailer   = "Stoa-Exit-Code"
	errorTrailer  = "Stoa-Error"
	resultTrailer = "Stoa-Result"
)

// Server runs commands for callers on this machine.
type Server struct {
	path     string
	web      *http.Server
	commands sync.WaitGroup
	stop     context.CancelFunc
}

// Listen serves commands by name on the socket in dir, until Close. The caller must be the
// only process that uses dir: a socket that is already there was left behind by a process
// that was killed, and is replaced. Code returns the exit code of an error.
func Listen(dir string, commands map[string]Command, code func(error) int) (*Server, error) {
	path := filepath.Join(dir, Name)
	if err := demandOwn(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	listener, err := listen(dir)
	if err != nil {
		return nil, fmt.Errorf("control: %w", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &Server{path: path, stop: stop}
	mux := http.NewServeMux()
	for name, c := range commands {
		mux.HandleFunc("POST /"+name, s.handler(c, code))
	}
	s.web = &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute, BaseContext: func(net.Listener) context.Context { return ctx }}
	go s.web.Serve(listener)
	return s, nil
}

// Close ends all commands, waits for them and removes the socket.
func (s *Server) Close() error {
	err := os.Remove(s.path)
	s.stop()
	deadline, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if s.web.Shutdown(deadline) != nil {
		s.web.Close() // a caller that does not read what it asked for
	}
	s.commands.Wait()
	return err
}

func (s *Server) handler(c Command, code func(error) int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.commands.Add(1)
		defer s.commands.Done()
		var request Request
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Trailer", codeTrailer+", "+errorTrailer+", "+resultTrailer)
		w.WriteHeader(http.StatusOK)
		out := &Output{Writer: flushed{w, http.NewResponseController(w)}}
		err := c(r.Context(), request, out)
		w.Header().Set(resultTrailer, strconv.QuoteToASCII(out.Result))
		if err != nil {
			w.Header().Set(codeTrailer, strconv.Itoa(code(err)))
			w.Header().Set(errorTrailer, strconv.QuoteToASCII(err.Error()))
			return
		}
		w.Header().Set(codeTrailer, "0")
	}
}

// flushed sends what is written at once.
type flushed struct {
	io.Writer
	control *http.ResponseController
}

func (f flushed) Write(p []byte) (int, error) {
	n, err := f.Writer.Write(p)
	if err == nil {
		err = f.control.Flush()
	}
	return n, err
}

// Call lets the server in dir run a command, writes its output to out and returns its result.
// It fails with ErrNotServing, an *OwnedError, the command's *Failure, or ErrCut.
func Call(ctx context.Context, dir, command string, r Request, out io.Writer) (result string, err error) {
	path := filepath.Join(dir, Name)
	switch err := demandOwn(path); {
	case errors.Is(err, fs.ErrNotExist):
		return "", ErrNotServing
	case err != nil:
		return "", err
	}
	body, err := json.Marshal(r)
	if err != nil {
		return "", err
	}
	// One connection for one call: nothing to keep alive.
	web := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return dial(ctx, dir)
	}}}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://stoa/"+command, bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	response, err := web.Do(request)
	switch {
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, fs.ErrNotExist):
		return "", ErrNotServing
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", ErrCut
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return "", &Failure{Text: fmt.Sprintf("the server that has the data open does not know stoa %s: it is of another version", command), Code: 1}
	}
	_, copyErr := io.Copy(out, response.Body)
	return outcome(ctx, response.Trailer, copyErr)
}

// outcome returns how a command ended whose output has been copied.
func outcome(ctx context.Context, trailer http.Header, copyErr error) (result string, err error) {
	var written *fs.PathError
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.As(copyErr, &written): // the caller's file
		return "", copyErr
	case errors.Is(copyErr, io.ErrUnexpectedEOF), errors.Is(copyErr, syscall.ECONNRESET):
		return "", ErrCut
	case copyErr != nil:
		return "", copyErr
	}
	code, codeErr := strconv.Atoi(trailer.Get(codeTrailer))
	result, resultErr := strconv.Unquote(trailer.Get(resultTrailer))
	switch {
	case codeErr != nil || resultErr != nil:
		return "", ErrCut
	case code == 0:
		return result, nil
	}
	text, err := strconv.Unquote(trailer.Get(errorTrailer))
	if err != nil {
		return "", ErrCut
	}
	return "", &Failure{Text: text, Code: code}
}

// demandOwn returns an error unless the socket belongs to the user who runs this process.
func demandOwn(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if owner, known := ownerOf(info); known && int64(owner) != int64(os.Geteuid()) {
		return &OwnedError{Path: path, User: owner}
	}
	if info.Mode().Type() != fs.ModeSocket {
		return fmt.Errorf("%s is not a socket: remove it", path)
	}
	return nil
}
