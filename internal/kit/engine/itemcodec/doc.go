// Package itemcodec is the stored form of items: compact, decodable without
// reflection, and readable in place.
//
// An item is
//
//	version (1) | size (3) | number of attributes | attributes ordered by name
//
// where size is the item's size as counted by DynamoDB, on which limits, pages and
// capacity are based; it differs from the number of bytes stored. An attribute is a name
// and a value. Names in the table's Dictionary take one or two bytes; others are stored in
// full. Equal items with the same Dictionary have equal bytes, except that sets keep their
// order.
//
// A View reads stored bytes in place. It is valid only as long as those bytes are, which
// for a view passed to a callback is until the callback returns: copy values that must
// live longer.
package itemcodec
