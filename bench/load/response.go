package load

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// readResponse reads one HTTP/1.1 response into buf and returns its status and body. It
// supports only what the measured servers send: a length, or chunks.
func readResponse(br *bufio.Reader, buf []byte) (status int, body []byte, err error) {
	line, err := br.ReadSlice('\n')
	if err != nil {
		return 0, nil, err
	}
	if len(line) < len("HTTP/1.1 200") {
		return 0, nil, fmt.Errorf("status line %q", line)
	}
	status, _ = strconv.Atoi(string(line[9:12]))
	length, chunked := 0, false
	for {
		if line, err = br.ReadSlice('\n'); err != nil {
			return 0, nil, err
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			break
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimSpace(value)
		switch {
		case bytes.EqualFold(name, []byte("content-length")):
			length, _ = strconv.Atoi(string(value))
		case bytes.EqualFold(name, []byte("transfer-encoding")):
			chunked = bytes.EqualFold(value, []byte("chunked"))
		}
	}
	if chunked {
		body, err = readChunks(br, buf[:0])
		return status, body, err
	}
	body = slices.Grow(buf[:0], length)[:length]
	_, err = io.ReadFull(br, body)
	return status, body, err
}

func readChunks(br *bufio.Reader, body []byte) ([]byte, error) {
	for {
		line, err := br.ReadSlice('\n')
		if err != nil {
			return nil, err
		}
		n, err := strconv.ParseInt(string(bytes.TrimRight(line, "\r\n")), 16, 32)
		if err != nil {
			return nil, err
		}
		from := len(body)
		body = slices.Grow(body, int(n))[:from+int(n)]
		if _, err := io.ReadFull(br, body[from:]); err != nil {
			return nil, err
		}
		if _, err := br.Discard(len("\r\n")); err != nil || n == 0 {
			return body, err
		}
	}
}
