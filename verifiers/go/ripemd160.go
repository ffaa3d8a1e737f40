package verify

import (
	"encoding/binary"
	"math/bits"
)

// The standard library has no RIPEMD-160, which OpenTimestamps allows.

var (
	ripemdOrders = [2][80]int{
		ripemdOrder([16]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}),
		ripemdOrder([16]int{5, 14, 7, 0, 9, 2, 11, 4, 13, 6, 15, 8, 1, 10, 3, 12}),
	}
	ripemdShifts = [5][16]int{
		{11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8},
		{12, 13, 11, 15, 6, 9, 9, 7, 12, 15, 11, 13, 7, 8, 7, 7},
		{13, 15, 14, 11, 7, 7, 6, 8, 13, 14, 13, 12, 5, 5, 6, 9},
		{14, 11, 12, 14, 8, 6, 5, 5, 15, 12, 15, 14, 9, 9, 8, 6},
		{15, 12, 13, 13, 9, 5, 8, 6, 14, 11, 12, 11, 8, 6, 5, 5},
	}
	ripemdConstants = [2][5]uint32{
		{0, 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xa953fd4e},
		{0x50a28be6, 0x5c4dd124, 0x6d703ef3, 0x7a6d76e9, 0},
	}
)

// ripemdOrder applies the permutation of the standard to the order of the first round, once for each later round.
func ripemdOrder(round [16]int) (order [80]int) {
	next := [16]int{7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8}
	for at := range order {
		order[at] = round[at%16]
		if at%16 == 15 {
			for word := range round {
				round[word] = next[round[word]]
			}
		}
	}
	return order
}

func ripemdMix(round int, x, y, z uint32) uint32 {
	switch round {
	case 0:
		return x ^ y ^ z
	case 1:
		return x&y | ^x&z
	case 2:
		return (x | ^y) ^ z
	case 3:
		return x&z | y&^z
	}
	return x ^ (y | ^z)
}

func ripemd160(message []byte) []byte {
	padded := append(append([]byte{}, message...), 0x80)
	padded = append(padded, make([]byte, (120-len(padded)%64)%64)...)
	padded = binary.LittleEndian.AppendUint64(padded, uint64(len(message))*8)
	state := [5]uint32{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}
	for ; len(padded) > 0; padded = padded[64:] {
		lines := [2][5]uint32{state, state}
		for side := range lines {
			for step := 0; step < 80; step++ {
				l, round := &lines[side], step/16
				mix := round
				if side == 1 {
					mix = 4 - round
				}
				word := ripemdOrders[side][step]
				input := binary.LittleEndian.Uint32(padded[4*word:])
				sum := bits.RotateLeft32(l[0]+ripemdMix(mix, l[1], l[2], l[3])+input+ripemdConstants[side][round],
					ripemdShifts[round][word]) + l[4]
				*l = [5]uint32{l[4], sum, l[1], bits.RotateLeft32(l[2], 10), l[3]}
			}
		}
		var next [5]uint32
		for at := range next {
			next[at] = state[(at+1)%5] + lines[0][(at+2)%5] + lines[1][(at+3)%5]
		}
		state = next
	}
	var sum []byte
	for _, word := range state {
		sum = binary.LittleEndian.AppendUint32(sum, word)
	}
	return sum
}
