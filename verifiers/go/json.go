package verify

import (
	"bytes"
	"errors"
	"math"
	"regexp"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// mostBytes is the size of a receipt or an evidence file (section 2.2).
const mostBytes = 1 << 20

// mostDepth bounds the nesting of values. The protocol does not: a file that is nested deeper is refused.
const mostDepth = 10_000

var (
	errJSON    = errors.New("the file is not JSON in UTF-8, or in UTF-16 behind its byte order mark")
	jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`)
)

// parseFile reads a JSON file (section 2.2). Values are nil, bool, float64, string, []any and map[string]any. A string
// with an unpaired surrogate is no valid UTF-8, which encoding/json would not show.
func parseFile(data []byte) (any, error) {
	if len(data) > mostBytes {
		return nil, errors.New("the file has more than 1,048,576 bytes")
	}
	if bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) {
		text, err := fromUTF16(data[2:], data[0] == 0xff)
		if err != nil {
			return nil, err
		}
		return parseText(text)
	}
	return parseText(bytes.TrimPrefix(data, []byte("\ufeff")))
}

func fromUTF16(data []byte, little bool) ([]byte, error) {
	if len(data)%2 != 0 {
		return nil, errJSON
	}
	units := make([]uint16, len(data)/2)
	for at := range units {
		high, low := data[2*at], data[2*at+1]
		if little {
			high, low = low, high
		}
		units[at] = uint16(high)<<8 | uint16(low)
	}
	var text []byte
	for at := 0; at < len(units); at++ {
		point := rune(units[at])
		if utf16.IsSurrogate(point) {
			if at+1 == len(units) {
				return nil, errJSON
			}
			at++
			if point = utf16.DecodeRune(point, rune(units[at])); point == utf8.RuneError {
				return nil, errJSON
			}
		}
		text = utf8.AppendRune(text, point)
	}
	return text, nil
}

// parseText reads JSON in UTF-8 without a byte order mark.
func parseText(data []byte) (any, error) {
	if !utf8.Valid(data) {
		return nil, errJSON
	}
	reader := &jsonReader{data: data}
	value, err := reader.value(0)
	if err == nil && reader.next() != 0 {
		err = errJSON
	}
	return value, err
}

type jsonReader struct {
	data []byte
	at   int
}

// next skips white space and returns the next byte, or 0 at the end. A NUL is no JSON anywhere, so 0 is not ambiguous.
func (r *jsonReader) next() byte {
	for r.at < len(r.data) {
		switch b := r.data[r.at]; b {
		case ' ', '\t', '\n', '\r':
			r.at++
		case 0:
			return 1
		default:
			return b
		}
	}
	return 0
}

func (r *jsonReader) take(b byte) bool {
	if r.next() != b {
		return false
	}
	r.at++
	return true
}

func (r *jsonReader) value(depth int) (any, error) {
	if depth > mostDepth {
		return nil, errors.New("the file is nested too deep")
	}
	switch r.next() {
	case '{':
		return r.object(depth)
	case '[':
		return r.list(depth)
	case '"':
		return r.text()
	}
	rest := r.data[r.at:]
	for word, value := range map[string]any{"null": nil, "true": true, "false": false} {
		if bytes.HasPrefix(rest, []byte(word)) {
			r.at += len(word)
			return value, nil
		}
	}
	digits := jsonNumber.Find(rest)
	if digits == nil {
		return nil, errJSON
	}
	r.at += len(digits)
	number, _ := strconv.ParseFloat(string(digits), 64) // too large is infinite, as in IEEE 754
	return number, nil
}

func (r *jsonReader) object(depth int) (any, error) {
	found := map[string]any{}
	r.at++
	for more := !r.take('}'); more; more = !r.take('}') {
		if len(found) > 0 && !r.take(',') || r.next() != '"' {
			return nil, errJSON
		}
		name, err := r.text()
		if err != nil || !r.take(':') {
			return nil, errJSON
		}
		if found[name], err = r.value(depth + 1); err != nil {
			return nil, err
		}
	}
	return found, nil
}

func (r *jsonReader) list(depth int) (any, error) {
	found := []any{}
	r.at++
	for more := !r.take(']'); more; more = !r.take(']') {
		if len(found) > 0 && !r.take(',') {
			return nil, errJSON
		}
		value, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		found = append(found, value)
	}
	return found, nil
}

func (r *jsonReader) text() (string, error) {
	var found []byte
	for r.at++; r.at < len(r.data); r.at++ {
		switch b := r.data[r.at]; {
		case b == '"':
			r.at++
			return string(found), nil
		case b < 0x20:
			return "", errJSON
		case b != '\\':
			found = append(found, b)
		default:
			point, ok := r.escape()
			if !ok {
				return "", errJSON
			}
			if utf16.IsSurrogate(point) { // its three bytes, which are no valid UTF-8
				found = append(found, 0xe0|byte(point>>12), 0x80|byte(point>>6&0x3f), 0x80|byte(point&0x3f))
			} else {
				found = utf8.AppendRune(found, point)
			}
		}
	}
	return "", errJSON
}

// escape reads an escape from its backslash to its last byte.
func (r *jsonReader) escape() (rune, bool) {
	if r.at++; r.at == len(r.data) {
		return 0, false
	}
	if point, known := map[byte]rune{
		'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
	}[r.data[r.at]]; known {
		return point, true
	}
	unit, ok := r.unit()
	if !ok || !utf16.IsSurrogate(unit) {
		return unit, ok
	}
	if after := *r; bytes.HasPrefix(r.data[r.at+1:], []byte(`\u`)) {
		after.at += 2
		if second, ok := after.unit(); ok {
			if point := utf16.DecodeRune(unit, second); point != utf8.RuneError {
				r.at = after.at
				return point, true
			}
		}
	}
	return unit, true
}

// unit reads u and four digits, from the u to the last digit.
func (r *jsonReader) unit() (rune, bool) {
	if r.data[r.at] != 'u' || r.at+4 >= len(r.data) {
		return 0, false
	}
	digits, err := strconv.ParseUint(string(r.data[r.at+1:r.at+5]), 16, 16)
	r.at += 4
	return rune(digits), err == nil
}

// wholeNumber returns the integer that a JSON number is.
func wholeNumber(value any) (int64, bool) {
	number, ok := value.(float64)
	if !ok || number != math.Trunc(number) || math.Abs(number) > mostNumber {
		return 0, false
	}
	return int64(number), true
}

// KindOf returns receipt, evidence or index: what the file of this content is checked as.
func KindOf(data []byte) string {
	value, _ := parseFile(data)
	found := asObject(value)
	switch _, answer := found["account_root"]; {
	case answer:
		return "index"
	case found["_format"] == "svc-evidence:v1":
		return "evidence"
	case found["_format"] == "svc-opening:v1":
		return "opening"
	}
	return "receipt"
}
