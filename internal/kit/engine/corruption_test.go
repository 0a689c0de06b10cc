package engine

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// damage inverts bytes in the middle of the largest file that matches pattern.
func damage(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	var largest string
	var data []byte
	for _, f := range files {
		if d, err := os.ReadFile(f); err != nil {
			t.Fatal(err)
		} else if len(d) > len(data) {
			largest, data = f, d
		}
	}
	if len(data) < 100 {
		t.Fatalf("no file matches %s", pattern)
	}
	for i := range 16 {
		data[len(data)/3+i] ^= 0xFF
	}
	if err := os.WriteFile(largest, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return filepath.Base(largest)
}

func TestDamagedFileIsNamed(t *testing.T) {
	dir := t.TempDir()
	e := openDir(t, dir)
	create(t, e, testTable("things"))
	for i := range 100 {
		var writes []types.WriteRequest
		for j := range 20 {
			writes = append(writes, putRequest(item("pk", fmt.Sprint(i, j), "sk", "1", "x", long(200))))
		}
		if _, err := e.BatchWriteItem(ctx, batchWrite(writes...)); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.db.Flush(); err != nil {
		t.Fatal(err)
	}
	shut(t, e)
	file := damage(t, filepath.Join(dir, "*.sst"))
	var log bytes.Buffer
	e, err := Open(dir, WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	if err != nil {
		t.Fatal(err)
	}
	var failed error
	in := &dynamodb.ScanInput{TableName: aws.String("things")}
	for failed == nil {
		var out *dynamodb.ScanOutput
		if out, failed = e.Scan(ctx, in); failed != nil || out.LastEvaluatedKey == nil {
			break
		}
		in.ExclusiveStartKey = out.LastEvaluatedKey
	}
	if failed == nil || !strings.Contains(failed.Error(), "checksum") {
		t.Errorf("scanning damaged data: %v", failed)
	}
	shut(t, e) // background work also finds the damage and logs it
	if !strings.Contains(log.String(), file) || !strings.Contains(log.String(), "level=ERROR") {
		t.Errorf("the log does not name %s:\n%s", file, log.String())
	}
}

// Damage within the synced part of the log must not be taken for its end: the writes after
// it have been acknowledged.
func TestDamagedLogIsRefused(t *testing.T) {
	dir := t.TempDir()
	e := openDir(t, dir)
	create(t, e, testTable("things"))
	for i := range 500 {
		put(t, e, item("pk", fmt.Sprint(i), "sk", "1", "x", long(500)))
	}
	copied := filepath.Join(t.TempDir(), "copy") // as if the process had been killed
	if err := copyDir(copied, dir); err != nil {
		t.Fatal(err)
	}
	shut(t, e)
	damage(t, filepath.Join(copied, "*.log"))
	e, err := Open(copied)
	if err == nil {
		shut(t, e)
		t.Fatal("a damaged log was opened as if it had ended there")
	}
	if !strings.Contains(err.Error(), copied) || !strings.Contains(err.Error(), "WAL") {
		t.Errorf("the error does not say where and what: %v", err)
	}
}
