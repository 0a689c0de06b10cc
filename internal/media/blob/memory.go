package blob

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Memory is a Store in memory.
type Memory struct {
	mu      sync.RWMutex
	objects map[string]object
	puts    int
}

type object struct {
	data []byte
	info Info
}

// NewMemory returns an empty store.
func NewMemory() *Memory { return &Memory{objects: map[string]object{}} }

// Put implements Store.
func (m *Memory) Put(ctx context.Context, key string, r io.Reader) (int64, error) {
	if err := CheckKey(key); err != nil {
		return 0, err
	}
	data, err := io.ReadAll(&contextReader{ctx, r})
	if err != nil {
		return 0, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.puts++
	m.objects[key] = object{data, Info{Size: int64(len(data)), ETag: fmt.Sprintf(`"%d"`, m.puts), ModifiedAt: time.Now()}}
	return int64(len(data)), nil
}

// Open implements Store.
func (m *Memory) Open(_ context.Context, key string, part Range) (io.ReadCloser, Info, error) {
	o, err := m.object(key)
	if err != nil {
		return nil, Info{}, err
	}
	data := o.data[min(part.Start, o.info.Size):]
	if part.Length > 0 {
		data = data[:min(part.Length, int64(len(data)))]
	}
	return io.NopCloser(bytes.NewReader(data)), o.info, nil
}

// Head implements Store.
func (m *Memory) Head(_ context.Context, key string) (Info, error) {
	o, err := m.object(key)
	return o.info, err
}

func (m *Memory) object(key string) (object, error) {
	if err := CheckKey(key); err != nil {
		return object{}, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	o, found := m.objects[key]
	if !found {
		return object{}, ErrNotFound
	}
	return o, nil
}

// Copy implements Store. Data is never modified in place, so copies share it.
func (m *Memory) Copy(_ context.Context, from, to string) error {
	if err := CheckKey(to); err != nil {
		return err
	}
	o, err := m.object(from)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.objects[to] = o
	return nil
}

// Delete implements Store.
func (m *Memory) Delete(_ context.Context, key string) error {
	if err := CheckKey(key); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.objects, key)
	return nil
}

// DeleteTree implements Store.
func (m *Memory) DeleteTree(_ context.Context, prefix string) error {
	if err := CheckKey(prefix); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.DeleteFunc(m.objects, func(key string, _ object) bool { return strings.HasPrefix(key, prefix+"/") })
	return nil
}

// Keys returns the keys of all objects, in no particular order.
func (m *Memory) Keys() []string {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return slices.Collect(maps.Keys(m.objects))
}
