// Package dump exports the items of tables to a file and imports them again, unmodified:
// for backups, and for migrations between an embedded engine and DynamoDB.
//
// A file is newline-delimited JSON in gzip, readable by `zcat` and `jq`. It contains
// checksums and an end marker, and an interrupted one can be resumed. Everything returned
// by a Reader is verified; only io.EOF means that nothing is missing.
package dump
