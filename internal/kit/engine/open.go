package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/guregu/dynamo/v2/dynamodbiface"

	"stoa/internal/kit/engine/itemcache"
	"stoa/internal/kit/engine/keyfilter"
)

// Engine is an open database. It is safe for concurrent use.
type Engine struct {
	dir   string // empty in memory
	db    *pebble.DB
	cache *pebble.Cache
	items *itemcache.Cache
	pages *itemcache.Cache  // of the beginnings of ranges
	keys  *keyfilter.Filter // of all items
	lock  *pebble.Lock
	now   func() time.Time
	log   *slog.Logger

	// shape is held for reading by every write from its checks until it is applied, and for
	// writing while the set of tables changes, so that no write sees a partial change of a
	// table. Reads use a tables value and need no lock.
	shape  sync.RWMutex
	tables atomic.Pointer[tables]

	counts   countsOf
	stripes  stripes
	tokens   tokenRing
	sequence sequence
	commits  *groupCommit // nil in memory
	disk     *disk        // nil in memory

	appearances appearances

	builders sync.WaitGroup
	sweeper  sync.WaitGroup
	keeper   sync.WaitGroup // of keys
	watcher  sync.WaitGroup // of the disk
	late     sync.WaitGroup // writes without callers
	users    users
	stalls   *stalls
	closed   context.Context
	close    context.CancelFunc
}

var _ dynamodbiface.DynamoDBAPI = (*Engine)(nil)

// Option configures an Engine when it is opened.
type Option func(*options)

type options struct {
	now         func() time.Time
	log         *slog.Logger
	cacheSize   int64
	itemCache   int
	pageCache   int
	keyFilter   int // maximum bytes; 0 means maxKeyFilter
	expireEvery time.Duration
	diskPause   time.Duration // between checks for space; 0 means diskInterval

	stateDelay time.Duration
}

// WithClock sets the clock, by default time.Now. It is used for creation times and for the
// ten-minute lifetime of request tokens.
func WithClock(now func() time.Time) Option { return func(o *options) { o.now = now } }

// WithLogger sets the logger. By default nothing is logged.
func WithLogger(log *slog.Logger) Option { return func(o *options) { o.log = log } }

// WithItemCache sets the size of the cache of whole items in bytes, by default 42 MiB, or 8
// MiB in memory. 0 disables it.
func WithItemCache(bytes int) Option { return func(o *options) { o.itemCache = bytes } }

// Open opens the database in dir, creating both if necessary. It fails with a *LockedError
// if another process has the database open, with a *FormatError if its data has another
// format, and with an *ExposedError if other users can read it.
func Open(dir string, opts ...Option) (*Engine, error) {
	return open(dir, privateFiles{vfs.Default}, options{cacheSize: 18 << 20, itemCache: 42 << 20, pageCache: 22 << 20}, opts)
}

// OpenMemory opens an empty in-memory database, which is discarded when closed.
func OpenMemory(opts ...Option) (*Engine, error) {
	return open("", vfs.NewMem(), options{cacheSize: 8 << 20, itemCache: 8 << 20, pageCache: 4 << 20}, opts)
}

func open(dir string, fs vfs.FS, o options, opts []Option) (_ *Engine, err error) {
	o.now, o.log, o.expireEvery = time.Now, slog.New(slog.DiscardHandler), time.Hour
	for _, set := range opts {
		set(&o)
	}
	e := &Engine{dir: dir, now: o.now, log: o.log, appearances: appearances{delay: o.stateDelay, now: o.now}}
	e.stalls = &stalls{now: e.now}
	e.users.idle = make(chan struct{}, 1)
	e.closed, e.close = context.WithCancel(context.Background())
	defer func() {
		if err != nil {
			e.release()
		}
	}()
	if e.lock, err = lockDirectory(dir, fs); err != nil {
		return nil, err
	}
	if err = checkFormat(dir, fs); err != nil {
		return nil, err
	}
	e.cache = newBlockCache(o.cacheSize)
	e.items = itemcache.New(o.itemCache)
	e.pages = itemcache.New(o.pageCache)
	e.keys = keyfilter.New(cmp.Or(o.keyFilter, maxKeyFilter))
	if dir != "" {
		e.disk = newDisk(dir, fs, e.log)
		e.disk.pause = cmp.Or(o.diskPause, diskInterval)
		fs = e.disk.files()
	}
	if err = e.openStorage(fs); err != nil {
		return nil, err
	}
	if err = e.loadTables(); err != nil {
		return nil, err
	}
	if err = e.loadCounts(); err != nil {
		return nil, err
	}
	if dir != "" {
		e.commits = newGroupCommit(e.syncLog)
		e.commits.stuck = e.disk.stuck.now
		go e.commits.run()
		e.disk.look()
		e.disk.sayLittle()
		e.watcher.Go(func() { e.disk.watch(e.closed.Done()) })
	}
	e.resumeBuilding()
	e.keepKeys()
	e.sweep(o.expireEvery)
	return e, nil
}

// openStorage opens the storage in files of fs. It fails if that has to wait for space; the
// waiting goroutine still holds the directory.
func (e *Engine) openStorage(fs vfs.FS) error {
	type opened struct {
		db  *pebble.DB
		err error
	}
	done := make(chan opened, 1)
	go func() {
		db, err := pebble.Open(e.dir, e.settings(fs))
		done <- opened{db, err}
	}()
	select {
	case o := <-done:
		if o.err != nil {
			return fmt.Errorf("engine: open %q: %w", e.dir, o.err)
		}
		e.db = o.db
		return nil
	case <-e.disk.stalled():
		e.lock, e.cache = nil, nil
		return fmt.Errorf("engine: open %q: free some space and start again: %w", e.dir, ErrDiskFull)
	}
}

// Close stops background work and closes the database when running requests have ended;
// later ones fail. Closing again does nothing.
//
// If the disk is so full that nothing can be written, Close fails with ErrDiskFull and
// leaves the files as after a crash: acknowledged writes are recovered at the next start.
// The directory remains locked until the process ends.
func (e *Engine) Close() error {
	if e.closed.Err() != nil {
		return nil
	}
	e.close()
	e.watcher.Wait()
	done := make(chan error, 1)
	go func() { done <- e.closeStorage() }()
	for looks := 0; ; looks++ {
		select {
		case err := <-done:
			return err
		case <-e.disk.stalled():
			if looks > 0 { // the first may be outdated
				return ErrDiskFull
			}
		}
	}
}

func (e *Engine) closeStorage() error {
	e.awaitUsers()
	e.late.Wait()
	e.builders.Wait()
	e.sweeper.Wait()
	e.keeper.Wait()
	if e.commits != nil {
		e.commits.stop()
	}
	return errors.Join(e.saveCounts(), e.release())
}

// release closes open resources in reverse order.
func (e *Engine) release() error {
	var errs []error
	if e.db != nil {
		errs = append(errs, e.db.Close())
	}
	if e.cache != nil {
		e.cache.Unref()
	}
	if e.lock != nil {
		errs = append(errs, e.lock.Close())
	}
	return errors.Join(errs...)
}
