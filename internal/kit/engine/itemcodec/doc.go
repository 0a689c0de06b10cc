// Package itemcodec is the stored form of items: compact, decodable without
// reflection, and readable in place.
//
// An item is
//
//	version (1) | size (3) | number of attributes | attributes ordered by name
//
// where size is the item's size by DynamoDB's rules, which limits, pages and
// capacity are reckoned in; it differs from the number of bytes stored. An
// attribute is a name and a value. Names that the table's Dictionary knows are
// one or two bytes long; other names are spelled out. Equal items have equal
// bytes as long as they come from the same Dictionary, except that sets keep
// the order they were given in.
//
// A View reads stored bytes in place. It is valid only as long as those bytes
// are, which for a view handed to a callback is until the callback returns:
// copy what must live longer.
package itemcodec
