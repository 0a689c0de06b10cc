package picture

import (
	"bytes"
	"strings"
)

// xmp removes the places from an XMP packet: spaces replace them.
func (c *cleaner) xmp(packet []byte) verdict {
	s := &xmpScanner{cleaner: c, b: packet, blanking: -1}
	if s.scan() {
		for _, r := range s.found {
			fill(packet[r.start:r.end])
		}
		if len(s.found) > 0 {
			return cleaned
		}
		return clean
	}
	if len(s.found) > 0 || bytes.Contains(packet, []byte("<!DOCTYPE")) || mentions(packet, xmpWords) {
		fill(packet)
		return dropped
	}
	return clean
}

// xmpWords occur in a packet that cannot be parsed but has a place.
var xmpWords = append([]string{"location", "altitude", "city", "country", "province", "state>", "state=", "gps", "geo:", "georss"}, placeWords...)

func fill(b []byte) {
	for i := range b {
		b[i] = ' '
	}
}

type span struct{ start, end int }

// xmpScanner finds the properties with places in a packet. It does not judge XML: what it does
// not understand is an error.
type xmpScanner struct {
	*cleaner
	b     []byte
	at    int
	open  []span // names of open elements
	found []span
	// blanking is the number of open elements around one that is a place, and from is where that
	// begins, or -1.
	blanking, from int
}

// maxOpen is the maximum depth of elements. Packets have fewer than twenty.
const maxOpen = 1000

// scan returns false if the packet cannot be parsed.
func (s *xmpScanner) scan() bool {
	for {
		next := bytes.IndexByte(s.b[s.at:], '<')
		if next < 0 {
			rest := bytes.TrimRight(s.b[s.at:], "\x00")
			return len(s.open) == 0 && bytes.IndexByte(rest, 0) < 0
		}
		if text := s.b[s.at : s.at+next]; bytes.IndexByte(text, 0) >= 0 {
			return false // another encoding
		} else if s.holdsCoded(text) {
			s.add(s.at, s.at+next)
		}
		s.at += next
		rest := s.b[s.at:]
		ok := false
		switch {
		case bytes.HasPrefix(rest, []byte("<!--")):
			ok = s.skip("-->")
		case bytes.HasPrefix(rest, []byte("<![CDATA[")):
			ok = s.skip("]]>")
		case bytes.HasPrefix(rest, []byte("<?")):
			ok = s.skip("?>")
		case bytes.HasPrefix(rest, []byte("<!")):
			return false
		case bytes.HasPrefix(rest, []byte("</")):
			ok = s.closeTag()
		default:
			ok = s.openTag()
		}
		if !ok {
			return false
		}
	}
}

func (s *xmpScanner) skip(end string) bool {
	n := bytes.Index(s.b[s.at:], []byte(end))
	if n < 0 {
		return false
	}
	s.at += n + len(end)
	return true
}

// add records a part that is a place, unless it is within one.
func (s *xmpScanner) add(start, end int) {
	if s.blanking < 0 {
		s.found = append(s.found, span{start, end})
	}
}

// name reads a name.
func (s *xmpScanner) name() (span, bool) {
	start := s.at
	for s.at < len(s.b) && strings.IndexByte(" \t\r\n/>=<\"'\x00", s.b[s.at]) < 0 {
		s.at++
	}
	return span{start, s.at}, s.at > start && s.at < len(s.b)
}

func (s *xmpScanner) spaces() {
	for s.at < len(s.b) && strings.IndexByte(" \t\r\n", s.b[s.at]) >= 0 {
		s.at++
	}
}

func (s *xmpScanner) text(n span) string { return string(s.b[n.start:n.end]) }

func (s *xmpScanner) accept(c byte) bool {
	if s.at < len(s.b) && s.b[s.at] == c {
		s.at++
		return true
	}
	return false
}

func (s *xmpScanner) closeTag() bool {
	s.at += len("</")
	n, ok := s.name()
	s.spaces()
	if !ok || !s.accept('>') || len(s.open) == 0 {
		return false
	}
	last := len(s.open) - 1
	if s.text(s.open[last]) != s.text(n) {
		return false
	}
	s.open = s.open[:last]
	if last == s.blanking {
		s.blanking = -1
		s.add(s.from, s.at)
	}
	return true
}

func (s *xmpScanner) openTag() bool {
	start := s.at
	s.at++
	n, ok := s.name()
	if !ok || len(s.open) == maxOpen {
		return false
	}
	place := placeName(s.text(n))
	var attributes []span
	for {
		before := s.at
		s.spaces()
		switch {
		case s.accept('/'):
			if !s.accept('>') {
				return false
			}
			if place {
				s.add(start, s.at)
			} else {
				for _, a := range attributes {
					s.add(a.start, a.end)
				}
			}
			return true
		case s.accept('>'):
			if place && s.blanking < 0 {
				s.blanking, s.from = len(s.open), start
			}
			for _, a := range attributes {
				s.add(a.start, a.end)
			}
			s.open = append(s.open, n)
			return true
		case s.at == before:
			return false
		}
		a, value, ok := s.attribute()
		if !ok {
			return false
		}
		if placeName(s.text(a)) || s.holdsCoded(s.b[value.start:value.end]) {
			attributes = append(attributes, span{a.start, s.at})
		}
	}
}

func (s *xmpScanner) attribute() (name, value span, ok bool) {
	name, ok = s.name()
	s.spaces()
	if !ok || !s.accept('=') {
		return name, value, false
	}
	s.spaces()
	for _, quote := range []byte(`"'`) {
		if s.accept(quote) {
			n := bytes.IndexByte(s.b[s.at:], quote)
			if n < 0 {
				return name, value, false
			}
			value = span{s.at, s.at + n}
			s.at += n + 1
			return name, value, true
		}
	}
	return name, value, false
}
