package desk

import "time"

// Backup is a backup that a process has begun.
type Backup struct {
	ID        string    `dynamo:"backupId,keyonly"`
	StartedAt time.Time `dynamo:"startedAt,keyonly"`
	// EndedAt is zero while it is written, and if the process died over it.
	EndedAt time.Time `dynamo:"endedAt"`
	Bytes   int64     `dynamo:"bytes"`
	Items   int64     `dynamo:"items"`
	// Place is the file, or the object in S3, and Key its name there.
	Place string `dynamo:"place"`
	Key   string `dynamo:"key"`
	// Failure is why it failed; "" if it did not.
	Failure string `dynamo:"failure"`
}

// Complete reports whether the backup can be restored.
func (b *Backup) Complete() bool { return !b.EndedAt.IsZero() && b.Failure == "" }
