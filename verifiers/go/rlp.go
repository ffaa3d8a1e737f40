package verify

import (
	"errors"
	"math/big"
)

const mostNesting = 8

var errRLP = errors.New("the bytes are not canonical RLP")

// item is a value in RLP: bytes, or a list.
type item struct {
	bytes  []byte
	list   []item
	isList bool
}

func decodeRLP(data []byte) (item, error) {
	found, rest, err := nextItem(data, 0)
	if err == nil && len(rest) > 0 {
		err = errRLP
	}
	return found, err
}

func nextItem(data []byte, depth int) (found item, rest []byte, err error) {
	if len(data) == 0 || depth > mostNesting {
		return item{}, nil, errRLP
	}
	first, start, length := data[0], 1, 0
	found.isList = first >= 0xc0
	switch short := int(first) - map[bool]int{false: 0x80, true: 0xc0}[found.isList]; {
	case short < 0:
		start, length = 0, 1
	case short <= 55:
		length = short
	default:
		start += short - 55
		if len(data) < start || data[1] == 0 || start > 5 {
			return item{}, nil, errRLP
		}
		length = int(new(big.Int).SetBytes(data[1:start]).Int64())
		if length <= 55 {
			return item{}, nil, errRLP
		}
	}
	if len(data)-start < length {
		return item{}, nil, errRLP
	}
	content, rest := data[start:start+length], data[start+length:]
	if !found.isList {
		if first == 0x81 && content[0] < 0x80 {
			return item{}, nil, errRLP
		}
		found.bytes = content
		return found, rest, nil
	}
	for len(content) > 0 {
		var one item
		if one, content, err = nextItem(content, depth+1); err != nil {
			return item{}, nil, err
		}
		found.list = append(found.list, one)
	}
	return found, rest, nil
}

// number reads a number without a leading zero below 2^53.
func (i item) number() (int64, error) {
	number := new(big.Int).SetBytes(i.bytes)
	if i.isList || len(i.bytes) > 0 && i.bytes[0] == 0 || number.BitLen() > 53 {
		return 0, errRLP
	}
	return number.Int64(), nil
}

func encodeIndex(number int64) []byte {
	digits := big.NewInt(number).Bytes()
	if len(digits) == 1 && digits[0] < 0x80 {
		return digits
	}
	return append([]byte{0x80 + byte(len(digits))}, digits...)
}
