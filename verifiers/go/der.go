package verify

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// stampFault is a fault of a time stamp, by the names of section 4.9: malformed, unknown, imprint, signature or expired.
type stampFault struct{ kind, why string }

func (f *stampFault) Error() string { return f.kind + ": " + f.why }

func malformed(why string) *stampFault { return &stampFault{"malformed", why} }

// derValue is one value in DER. Reading panics with a *stampFault.
type derValue struct {
	tag           byte
	content, full []byte
}

const (
	tagBoolean, tagInteger, tagBits, tagOctets, tagNull = 0x01, 0x02, 0x03, 0x04, 0x05
	tagOID, tagSequence, tagSet                         = 0x06, 0x30, 0x31
	tagUTCTime, tagTime                                 = 0x17, 0x18
	mostLevels                                          = 33
)

type derReader struct{ rest []byte }

func (r *derReader) next(tag byte) derValue {
	found := r.any()
	if found.tag != tag {
		panic(malformed(fmt.Sprintf("the tag %02x is where %02x must be", found.tag, tag)))
	}
	return found
}

func (r *derReader) optional(tag byte) (derValue, bool) {
	if len(r.rest) == 0 || r.rest[0] != tag {
		return derValue{}, false
	}
	return r.any(), true
}

func (r *derReader) any() derValue {
	data := r.rest
	if len(data) < 2 || data[0]&0x1f == 0x1f {
		panic(malformed("no value in DER"))
	}
	start, length := 2, int(data[1])
	if length >= 0x80 {
		count := length - 0x80
		if count < 1 || count > 3 || len(data) < 2+count || data[2] == 0 {
			panic(malformed("a length in DER is not minimal"))
		}
		length = 0
		for _, digit := range data[2 : 2+count] {
			length = length<<8 | int(digit)
		}
		if start = 2 + count; length < 0x80 {
			panic(malformed("a length in DER is not minimal"))
		}
	}
	if len(data) < start+length {
		panic(malformed("the DER is cut"))
	}
	r.rest = data[start+length:]
	return derValue{data[0], data[start : start+length], data[:start+length]}
}

func (r *derReader) end() {
	if len(r.rest) > 0 {
		panic(malformed("there is a field too many"))
	}
}

func (v derValue) inside() *derReader { return &derReader{v.content} }

// all are the values inside a list.
func (v derValue) all() (found []derValue) {
	for in := v.inside(); len(in.rest) > 0; {
		found = append(found, in.any())
	}
	return found
}

// checkDER applies the rules that hold for every value (step 1 of section 4.9 and the list after the steps).
func checkDER(v derValue) { checkLevel(v, 1) }

func checkLevel(v derValue, level int) {
	wrong := func(truth bool, why string) {
		if truth {
			panic(malformed(why))
		}
	}
	c, isConstructed := v.content, v.tag&0x20 != 0
	wrong(level > mostLevels, "it is nested too deep")
	wrong(v.tag == 0 || v.tag < 0x40 && isConstructed != (v.tag == tagSequence || v.tag == tagSet), "no value in DER")
	switch v.tag {
	case tagBoolean:
		wrong(len(c) != 1 || c[0] != 0 && c[0] != 0xff, "a truth value is neither 00 nor FF")
	case tagInteger:
		wrong(len(c) == 0 || len(c) > 1 && (c[0] == 0 && c[1] < 0x80 || c[0] == 0xff && c[1] >= 0x80), "an integer is not minimal")
	case tagBits:
		wrong(len(c) == 0 || c[0] > 7 || len(c) == 1 && c[0] > 0 || len(c) > 1 && c[len(c)-1]&(1<<c[0]-1) != 0, "unused bits are not 0")
	case tagNull:
		wrong(len(c) > 0, "NULL has content")
	case tagOID:
		wrong(len(c) == 0 || c[len(c)-1] >= 0x80, "an object identifier is cut")
		for at, one := range c {
			wrong(one == 0x80 && (at == 0 || c[at-1] < 0x80), "an object identifier is not minimal")
		}
	case tagUTCTime, tagTime:
		derTime(v)
	}
	if isConstructed {
		for _, one := range v.all() {
			checkLevel(one, level+1)
		}
	}
}

var (
	generalizedPattern = regexp.MustCompile(`^(\d{14})(?:\.(\d*[1-9]))?Z$`)
	utcPattern         = regexp.MustCompile(`^\d{12}Z$`)
)

// derTime is in milliseconds since 1970; a finer fraction is cut.
func derTime(v derValue) int64 {
	text, fraction := string(v.content), ""
	if v.tag == tagUTCTime && utcPattern.MatchString(text) {
		century := "20"
		if text >= "5" {
			century = "19"
		}
		text = century + strings.TrimSuffix(text, "Z")
	} else if parts := generalizedPattern.FindStringSubmatch(text); v.tag == tagTime && parts != nil {
		text, fraction = parts[1], parts[2]
	} else {
		panic(malformed("a time has another form"))
	}
	const layout = "20060102150405"
	moment, err := time.Parse(layout, text)
	if err != nil || moment.Format(layout) != text {
		panic(malformed("a time does not exist"))
	}
	thousandths, _ := strconv.Atoi((fraction + "000")[:3])
	return moment.UnixMilli() + int64(thousandths)
}
