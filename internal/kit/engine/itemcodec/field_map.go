package itemcodec

// AppendMap appends fields as AppendValue appends a Map of the same attributes. They
// come in the order of their names and none is Removed. Numbers are appended as they
// are, in any notation.
func AppendMap(dst []byte, fields []Field) ([]byte, error) {
	e := encoder{dst: dst}
	at := e.open(Map, len(fields))
	for i := range fields {
		f := &fields[i]
		if i > 0 && f.Name <= fields[i-1].Name {
			return nil, ErrFields
		}
		e.dst = appendSized(e.dst, f.Name)
		switch f.Form {
		case Text:
			e.text(String, f.Text)
		case Decimal:
			e.text(Number, f.Text)
		case True:
			e.dst = append(e.dst, byte(Bool))
		case False:
			e.dst = append(e.dst, falseByte)
		default: // a Removed one has no value, which is refused
			if err := e.value(f.Value); err != nil {
				return nil, err
			}
		}
	}
	e.close(at)
	return e.dst, nil
}
