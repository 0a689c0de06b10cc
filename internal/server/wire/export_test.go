package wire

// Quick and Slow are the two ways to read a request.
var Quick = quick

func Slow(data []byte) (Request, error) {
	var b body
	if err := b.decode(data); err != nil {
		return Request{}, err
	}
	return b.request()
}
