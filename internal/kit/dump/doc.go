// Package dump writes the items of tables to a file and the file to tables again,
// item by item as they are: for backup, and for moving between an embedded engine
// and DynamoDB.
//
// A file is newline-delimited JSON in gzip, so `zcat` and `jq` read it. It carries
// checksums and says where it ends, and one that was cut short can be continued. What
// a Reader has returned is verified up to there; only io.EOF says that nothing is
// missing behind.
package dump
