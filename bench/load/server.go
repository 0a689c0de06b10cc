package load

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Build compiles a command of this module and returns the path of the binary.
func Build(ctx context.Context, dir, command string) (string, error) {
	binary := filepath.Join(dir, filepath.Base(command))
	cmd := exec.CommandContext(ctx, "go", "build", "-o", binary, "./"+command)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	return binary, cmd.Run()
}

// Server is a child process that serves an address.
type Server struct {
	cmd  *exec.Cmd
	Addr string
}

// Start runs a server with its log in a file, and waits until it accepts connections. The
// server paces its collector itself, whatever the environment says.
func Start(addr, log, binary string, args ...string) (*Server, error) {
	out, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	cmd := exec.Command(binary, args...)
	cmd.Stdout, cmd.Stderr = out, out
	cmd.Env = slices.DeleteFunc(os.Environ(), func(set string) bool {
		return strings.HasPrefix(set, "GOGC=") || strings.HasPrefix(set, "GOMEMLIMIT=")
	})
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &Server{cmd: cmd, Addr: addr}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			return s, conn.Close()
		}
		if time.Now().After(deadline) {
			said, _ := os.ReadFile(log)
			said = said[max(0, len(said)-1000):]
			return nil, errors.Join(fmt.Errorf("%s does not answer on %s; the end of its log: %s", binary, addr, said), s.Stop())
		}
	}
}

// FreeAddress returns an address of this machine on which nothing listens.
func FreeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// PID returns the process id.
func (s *Server) PID() int { return s.cmd.Process.Pid }

// CPUSeconds returns the CPU time of the server.
func (s *Server) CPUSeconds() (float64, error) { return CPUSeconds(s.PID()) }

// Signal sends a signal to the server.
func (s *Server) Signal(signal os.Signal) error { return s.cmd.Process.Signal(signal) }

// Settle waits until the server is idle, for up to a minute.
func (s *Server) Settle() error {
	const idle = 0.03 // CPU seconds a second
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
		before, err := s.CPUSeconds()
		if err != nil {
			return err
		}
		time.Sleep(time.Second)
		after, err := s.CPUSeconds()
		if err != nil || after-before < idle {
			return err
		}
	}
	return nil
}

// Stop shuts the server down gracefully.
func (s *Server) Stop() error { return s.end(syscall.SIGTERM) }

// Kill ends the server at once.
func (s *Server) Kill() error { return s.end(os.Kill) }

func (s *Server) end(signal os.Signal) error {
	if err := s.Signal(signal); err != nil {
		return err
	}
	var exit *exec.ExitError
	if err := s.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		return err
	}
	return nil
}
