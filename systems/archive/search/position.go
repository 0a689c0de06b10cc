package search

import (
	"fmt"
	"strconv"
	"strings"

	"stoa/internal/kit/page"
	"stoa/systems/archive"
)

// position is where a page starts: after a record of a post in a block. A record of
// archive.MaxID means after the post.
type position struct {
	post, record archive.ID
	// block is the beginning of the block; empty for the first one.
	block string
}

// after reports whether all of a post is before the position.
func (p position) after(post archive.ID) bool {
	return post < p.post || post == p.post && p.record == archive.MaxID
}

// text returns the position in the form that parsePosition reads, "" for nil.
func (p *position) text() string {
	if p == nil {
		return ""
	}
	return fmt.Sprintf("%d.%d.%s", p.post, p.record, p.block)
}

// parsePosition parses the result of text. "" is the beginning.
func parsePosition(text string) (p position, err error) {
	if text == "" {
		return p, nil
	}
	parts := strings.SplitN(text, ".", 3)
	if len(parts) == 3 {
		p.block = parts[2]
	}
	for i, id := range []*archive.ID{&p.post, &p.record} {
		if i >= len(parts) {
			return p, page.Refused(page.ErrToken)
		}
		n, err := strconv.ParseInt(parts[i], 10, 32)
		if err != nil {
			return p, page.Refused(page.ErrToken)
		}
		*id = archive.ID(n)
	}
	return p, nil
}

// listing is a position in the posts of a category, in the order in which they are listed.
type listing struct {
	// collections is the token of a page of the category's collections.
	collections string
	collection  archive.ID
	// posts is the token of a page of the collection's posts.
	posts string
}

func (l listing) text() string {
	return strings.Join([]string{l.collections, strconv.Itoa(int(l.collection)), l.posts}, " ")
}

// parseListing parses the result of text. "" is the beginning.
func parseListing(text string) (l listing, err error) {
	if text == "" {
		return l, nil
	}
	parts := strings.Split(text, " ")
	if len(parts) != 3 {
		return l, page.Refused(page.ErrToken)
	}
	id, err := strconv.ParseInt(parts[1], 10, 32)
	if err != nil {
		return l, page.Refused(page.ErrToken)
	}
	return listing{parts[0], archive.ID(id), parts[2]}, nil
}
