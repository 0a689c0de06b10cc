package outbox

import "sync"

// locks are mutexes by key, of which only those in use exist. Deliveries hold them during
// store calls, so waiting for one must count as idle in testing/synctest, which waiting for
// a sync.Mutex does not. The zero value is ready for use.
type locks struct {
	mu    sync.Mutex
	inUse map[string]*keyLock
}

type keyLock struct {
	held chan struct{}
	// users are those who hold the lock or wait for it.
	users int
}

func (l *locks) of(key string) *keyLock {
	if l.inUse == nil {
		l.inUse = map[string]*keyLock{}
	}
	k := l.inUse[key]
	if k == nil {
		k = &keyLock{held: make(chan struct{}, 1)}
		l.inUse[key] = k
	}
	return k
}

// lock waits until nobody else holds the lock of key.
func (l *locks) lock(key string) (unlock func()) {
	l.mu.Lock()
	k := l.of(key)
	k.users++
	l.mu.Unlock()
	k.held <- struct{}{}
	return func() { l.unlock(key, k) }
}

// lockAll locks keys, which are sorted.
func (l *locks) lockAll(keys []string) (unlock func()) {
	if len(keys) == 1 {
		return l.lock(keys[0])
	}
	unlocks := make([]func(), len(keys))
	for i, key := range keys {
		unlocks[i] = l.lock(key)
	}
	return func() {
		for _, unlock := range unlocks {
			unlock()
		}
	}
}

// try locks key if nobody holds its lock or waits for it.
func (l *locks) try(key string) (unlock func(), ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	k := l.of(key)
	if k.users > 0 {
		return nil, false
	}
	k.users++
	k.held <- struct{}{}
	return func() { l.unlock(key, k) }, true
}

func (l *locks) unlock(key string, k *keyLock) {
	<-k.held
	l.mu.Lock()
	defer l.mu.Unlock()
	if k.users--; k.users == 0 {
		delete(l.inUse, key)
	}
}
