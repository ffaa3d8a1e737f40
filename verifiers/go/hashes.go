package verify

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/bits"
)

func sha(parts ...[]byte) []byte {
	sum := sha256.Sum256(bytes.Join(parts, nil))
	return sum[:]
}

// treeLeaf is a leaf of section 4.2. userID is 16 bytes.
func treeLeaf(version int64, userID, hash []byte) []byte {
	if version == 1 {
		userID = nil
	}
	return sha([]byte{0}, userID, hash)
}

func treeNode(a, b []byte) []byte {
	if bytes.Compare(a, b) > 0 {
		a, b = b, a
	}
	return sha([]byte{1}, a, b)
}

func foldProof(leaf []byte, proof [][]byte) []byte {
	for _, entry := range proof {
		leaf = treeNode(leaf, entry)
	}
	return leaf
}

// possibleLength reports whether a proof of the tree of size leaves can have so many entries.
func possibleLength(length int, size int64) bool {
	return length <= bits.Len64(uint64(size-1)) && (size == 1 || length > 0)
}

func leadsTo(of *tree, userID, hash []byte) bool {
	return possibleLength(len(of.proof), of.size) &&
		hex.EncodeToString(foldProof(treeLeaf(of.version, userID, hash), of.proof)) == of.root
}

// smallOrder has the y of the points of small order, and those from 2^255 - 20 on are checked by strictKey.
var smallOrder = []string{
	"0000000000000000000000000000000000000000000000000000000000000000",
	"0100000000000000000000000000000000000000000000000000000000000000",
	"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
	"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
}

// strictKey is condition 1 of section 4.3, but for the point: crypto/ed25519 decodes it.
func strictKey(key []byte) bool {
	if len(key) != 32 {
		return false
	}
	y := append([]byte{}, key...)
	y[31] &= 0x7f
	for _, small := range smallOrder {
		if hex.EncodeToString(y) == small {
			return false
		}
	}
	// 2^255 - 20 is ec ff ... ff 7f: of small order, and every y above it is too large.
	return y[0] < 0xec || y[31] != 0x7f || !bytes.Equal(y[1:31], bytes.Repeat([]byte{0xff}, 30))
}

// verifies is section 4.3. Steps 2 to 4 are those of crypto/ed25519.
func verifies(key, message, signature []byte) bool {
	return strictKey(key) && len(signature) == 64 && ed25519.Verify(key, message, signature)
}

var keccakConstants, keccakRotations = func() (constants [24]uint64, rotations [25]int) {
	register := byte(1)
	for round := range constants {
		for at := 0; at < 7; at++ {
			if register&1 == 1 {
				constants[round] |= 1 << (1<<at - 1)
			}
			overflow := register >> 7
			register = register<<1 ^ overflow*0x71
		}
	}
	x, y := 1, 0
	for at := 0; at < 24; at++ {
		rotations[x+5*y] = (at + 1) * (at + 2) / 2 % 64
		x, y = y, (2*x+3*y)%5
	}
	return constants, rotations
}()

// keccak256 is the hash of Ethereum: Keccak with the padding from before SHA-3.
func keccak256(data []byte) []byte {
	const rate = 136
	padded := append(append([]byte{}, data...), 1)
	padded = append(padded, make([]byte, (rate-len(padded)%rate)%rate)...)
	padded[len(padded)-1] |= 0x80
	var state [25]uint64
	for ; len(padded) > 0; padded = padded[rate:] {
		for at := 0; at < rate/8; at++ {
			state[at] ^= binary.LittleEndian.Uint64(padded[8*at:])
		}
		permute(&state)
	}
	sum := make([]byte, 32)
	for at := 0; at < 4; at++ {
		binary.LittleEndian.PutUint64(sum[8*at:], state[at])
	}
	return sum
}

func permute(state *[25]uint64) {
	for _, constant := range keccakConstants {
		var columns [5]uint64
		for at, lane := range state {
			columns[at%5] ^= lane
		}
		var moved [25]uint64
		for at := range state {
			x, y := at%5, at/5
			lane := state[at] ^ columns[(x+4)%5] ^ bits.RotateLeft64(columns[(x+1)%5], 1)
			moved[y+5*((2*x+3*y)%5)] = bits.RotateLeft64(lane, keccakRotations[at])
		}
		for at := range state {
			x, row := at%5, at/5*5
			state[at] = moved[at] ^ ^moved[row+(x+1)%5]&moved[row+(x+2)%5]
		}
		state[0] ^= constant
	}
}
