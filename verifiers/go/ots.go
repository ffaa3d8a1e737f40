package verify

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
)

// Header is a block header of Bitcoin that the reader trusts: 80 bytes.
type Header [80]byte

// ReadHeader reads 160 hex digits.
func ReadHeader(text string) (found Header, err error) {
	data, err := hex.DecodeString(text)
	if err != nil || len(data) != len(found) {
		return found, errors.New("a header has 160 hex digits")
	}
	copy(found[:], data)
	return found, nil
}

func (h Header) root() []byte { return h[36:68] }

// seconds since 1970.
func (h Header) seconds() int64 { return int64(binary.LittleEndian.Uint32(h[68:72])) }

const (
	otsMagic      = "\x00OpenTimestamps\x00\x00Proof\x00\xbf\x89\xe2\xe8\x84\xe8\x92\x94\x01\x08"
	otsMostBytes  = 65_536
	otsMostItems  = 1_024
	otsMostNodes  = 256
	otsMessage    = 4_096
	bitcoinTag    = "\x05\x88\x96\x0d\x73\xd7\x19\x01"
	promisedTag   = "\x83\xdf\xe3\x0d\x2e\xf9\x0c\x8e"
	bitcoinSlack  = 2 * 60 * 60
	otsAttested   = 0x00
	otsMore       = 0xff
	appendOpcode  = 0xf0
	prependOpcode = 0xf1
)

var (
	errOTS     = errors.New("the proof is not in the form of OpenTimestamps")
	calendarOK = regexp.MustCompile(`^[A-Za-z0-9._/:-]{1,1000}$`)
)

// otsProof has the messages that the attestations of Bitcoin commit to; none, if all are promises of calendars.
type otsProof struct {
	hash     []byte
	messages [][]byte
	promised int
}

// parseOTS is step 1 of section 4.16.
func parseOTS(file []byte) (*otsProof, error) {
	if len(file) > otsMostBytes || len(file) < len(otsMagic)+32 || !bytes.HasPrefix(file, []byte(otsMagic)) {
		return nil, errOTS
	}
	found := &otsProof{hash: file[len(otsMagic) : len(otsMagic)+32]}
	reader := &otsReader{rest: file[len(otsMagic)+32:], found: found}
	if err := reader.node(found.hash, 1); err != nil {
		return nil, err
	}
	if len(reader.rest) > 0 || len(found.messages) > 0 && found.promised > 0 {
		return nil, errOTS
	}
	return found, nil
}

type otsReader struct {
	rest  []byte
	items int
	found *otsProof
}

func (r *otsReader) take(count int) ([]byte, error) {
	if count > len(r.rest) {
		return nil, errOTS
	}
	taken := r.rest[:count]
	r.rest = r.rest[count:]
	return taken, nil
}

// number reads LEB128 in its shortest form, at most 2^53 - 1.
func (r *otsReader) number() (int64, error) {
	value, length := binary.Uvarint(r.rest)
	if length <= 0 || value > mostNumber || length > 1 && r.rest[length-1] == 0 {
		return 0, errOTS
	}
	r.rest = r.rest[length:]
	return int64(value), nil
}

func (r *otsReader) block(most int64) ([]byte, error) {
	length, err := r.number()
	if err != nil || length < 1 || length > most {
		return nil, errOTS
	}
	return r.take(int(length))
}

// node reads the items of one message. They are sorted, and none occurs twice.
func (r *otsReader) node(message []byte, depth int) error {
	if depth > otsMostNodes {
		return errOTS
	}
	var last []byte
	for more := true; more; {
		first, err := r.take(1)
		if err != nil {
			return err
		}
		if more = first[0] == otsMore; more {
			if first, err = r.take(1); err != nil {
				return err
			}
		}
		if r.items++; r.items > otsMostItems {
			return errOTS
		}
		order, err := r.item(first[0], message, depth)
		if err != nil {
			return err
		}
		if last != nil && bytes.Compare(last, order) >= 0 {
			return errOTS
		}
		last = order
	}
	return nil
}

// item reads an attestation or an operation and returns bytes by which the items of a node are sorted.
func (r *otsReader) item(first byte, message []byte, depth int) ([]byte, error) {
	if first == otsAttested {
		return r.attestation(message)
	}
	var argument []byte
	if first == appendOpcode || first == prependOpcode {
		var err error
		if argument, err = r.block(otsMessage); err != nil {
			return nil, err
		}
	}
	result, err := applyOTS(first, message, argument)
	if err != nil {
		return nil, err
	}
	return append([]byte{first}, argument...), r.node(result, depth+1)
}

func (r *otsReader) attestation(message []byte) ([]byte, error) {
	tag, err := r.take(8)
	if err != nil {
		return nil, err
	}
	payload, err := r.block(otsMostBytes)
	if err != nil {
		return nil, err
	}
	inner := &otsReader{rest: payload}
	switch string(tag) {
	case bitcoinTag:
		height, err := inner.number()
		if err != nil || len(inner.rest) > 0 {
			return nil, errOTS
		}
		r.found.messages = append(r.found.messages, message)
		return binary.BigEndian.AppendUint64([]byte{otsAttested}, uint64(height)), nil
	case promisedTag:
		calendar, err := inner.block(1_000)
		if err != nil || len(inner.rest) > 0 || !calendarOK.Match(calendar) {
			return nil, errOTS
		}
		r.found.promised++
		return append([]byte{otsAttested}, calendar...), nil
	}
	return nil, errOTS
}

func applyOTS(opcode byte, message, argument []byte) (result []byte, err error) {
	switch opcode {
	case 0x02:
		sum := sha1.Sum(message)
		result = sum[:]
	case 0x03:
		result = ripemd160(message)
	case 0x08:
		result = sha(message)
	case 0x67:
		result = keccak256(message)
	case appendOpcode:
		result = append(append([]byte{}, message...), argument...)
	case prependOpcode:
		result = append(append([]byte{}, argument...), message...)
	case 0xf2:
		for at := len(message) - 1; at >= 0; at-- {
			result = append(result, message[at])
		}
	case 0xf3:
		result = []byte(hex.EncodeToString(message))
	default:
		return nil, errOTS
	}
	if len(result) > otsMessage {
		return nil, errOTS
	}
	return result, nil
}

// attestedHash is the SHA-256 of the attestation data of the commitment or of the tombstone (section 4.9); nil without one.
func attestedHash(r *receipt, of string) []byte {
	tree, kind := r.committed(), byte(0)
	if of == "tombstone" {
		tree, kind = r.tombstone, 1
	}
	if tree == nil {
		return nil
	}
	word := func(number int64) []byte { return binary.BigEndian.AppendUint64(make([]byte, 24), uint64(number)) }
	return sha(bytesOf(tree.root), word(int64(kind)), word(tree.version), word(tree.size))
}

// checkOTS combines all proofs of a file (section 4.16). stated is the stated time, or "".
func checkOTS(r *receipt, witnesses []any, headers []Header, stated string) Finding {
	earliest, seen := int64(0), false
	for at, one := range witnesses {
		witness := one.(object)
		if witness["kind"] != "ots" {
			continue
		}
		proof, err := parseOTS(bytesOf(witness["proof"]))
		if err == nil && !bytes.Equal(proof.hash, attestedHash(r, textOf(witness["of"]))) {
			err = errors.New("the proof is of another hash")
		}
		if err != nil {
			return Finding{Fail, fmt.Sprintf("witnesses[%d]: %v", at, err)}
		}
		if witness["of"] != "commitment" {
			continue
		}
		for _, message := range proof.messages {
			seen = true
			for _, header := range headers {
				if bytes.Equal(message, header.root()) && (earliest == 0 || header.seconds() < earliest) {
					earliest = header.seconds()
				}
			}
		}
	}
	switch {
	case earliest != 0 && stated != "" && (earliest+bitcoinSlack)*1000 < milliseconds(stated):
		return Finding{Fail, "the block of Bitcoin is before the stated time"}
	case earliest != 0:
		return Finding{Pass, "in a block of Bitcoin of " + showSeconds(earliest)}
	case seen && len(headers) > 0:
		return Finding{Fail, "no given header of Bitcoin has the root of the proof"}
	}
	return Finding{Wait, "no block of Bitcoin is given that confirms it"}
}
