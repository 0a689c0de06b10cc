package control

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
)

// pathLimit is the length of paths that an address of a socket can hold everywhere.
const pathLimit = 100

// reach calls use with a path of a file in dir that is short enough for an address: a long
// one is replaced by a path through an open directory, which Linux has.
func reach(dir, name string, use func(path string) error) error {
	path := filepath.Join(dir, name)
	if len(path) <= pathLimit {
		return use(path)
	}
	open, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer open.Close() // only read
	return use(fmt.Sprintf("/proc/self/fd/%d/%s", open.Fd(), name))
}

// listen creates the socket under another name, gives it its mode and then its name, so that
// it never can be reached by others and replaces one that was left behind.
func listen(dir string) (net.Listener, error) {
	name := Name + ".new"
	private := filepath.Join(dir, name)
	if err := os.RemoveAll(private); err != nil {
		return nil, err
	}
	var listener *net.UnixListener
	err := reach(dir, name, func(path string) (err error) {
		listener, err = net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
		return err
	})
	if err != nil {
		return nil, err
	}
	listener.SetUnlinkOnClose(false)
	if err = os.Chmod(private, 0o600); err == nil {
		err = os.Rename(private, filepath.Join(dir, Name))
	}
	if err != nil {
		listener.Close()
		os.Remove(private)
		return nil, err
	}
	return listener, nil
}

func dial(ctx context.Context, dir string) (conn net.Conn, err error) {
	var d net.Dialer
	err = reach(dir, Name, func(path string) (err error) {
		conn, err = d.DialContext(ctx, "unix", path)
		return err
	})
	return conn, err
}
