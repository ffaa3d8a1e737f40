"""Two hashes that Python's standard library lacks: Keccak-256 as Ethereum has it, and RIPEMD-160, which OpenTimestamps allows."""
import struct


# Keccak-256.
def keccak(data):
    mask, rate = 2**64 - 1, 136
    turn = lambda value, by: (value << by | value >> (64 - by)) & mask if by else value
    data = data + b"\1" + bytes(-(len(data) + 1) % rate)
    data = data[:-1] + bytes([data[-1] | 0x80])
    state = [0] * 25
    for at in range(0, len(data), rate):
        for lane in range(rate // 8): state[lane] ^= int.from_bytes(data[at + 8 * lane:at + 8 * lane + 8], "little")
        for constant in CONSTANTS:
            columns = [state[x] ^ state[x + 5] ^ state[x + 10] ^ state[x + 15] ^ state[x + 20] for x in range(5)]
            moved = [0] * 25
            for place in range(25):
                x, y = place % 5, place // 5
                lane = state[place] ^ columns[(x + 4) % 5] ^ turn(columns[(x + 1) % 5], 1)
                moved[y + 5 * ((2 * x + 3 * y) % 5)] = turn(lane, ROTATIONS[place])
            for place in range(25):
                row = place // 5 * 5
                state[place] = moved[place] ^ ~moved[row + (place + 1) % 5] & mask & moved[row + (place + 2) % 5]
            state[0] ^= constant
    return b"".join(lane.to_bytes(8, "little") for lane in state[:4])


def tables():
    constants, register = [], 1
    for _ in range(24):
        constant = 0
        for bit in range(7):
            if register & 1: constant |= 1 << ((1 << bit) - 1)
            register = (register << 1) ^ (0x171 if register & 0x80 else 0)
        constants.append(constant)
    rotations, x, y = [0] * 25, 1, 0
    for at in range(24):
        rotations[x + 5 * y] = (at + 1) * (at + 2) // 2 % 64
        x, y = y, (2 * x + 3 * y) % 5
    return constants, rotations


CONSTANTS, ROTATIONS = tables()


# RIPEMD-160: two lines of 80 steps.
PERMUTATION = 7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8
SHIFTS = (
    (11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8), (12, 13, 11, 15, 6, 9, 9, 7, 12, 15, 11, 13, 7, 8, 7, 7),
    (13, 15, 14, 11, 7, 7, 6, 8, 13, 14, 13, 12, 5, 5, 6, 9), (14, 11, 12, 14, 8, 6, 5, 5, 15, 12, 15, 14, 9, 9, 8, 6),
    (15, 12, 13, 13, 9, 5, 8, 6, 14, 11, 12, 11, 8, 6, 5, 5))
ADDED = (0, 0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xA953FD4E), (0x50A28BE6, 0x5C4DD124, 0x6D703EF3, 0x7A6D76E9, 0)
MIXED = (
    lambda x, y, z: x ^ y ^ z, lambda x, y, z: x & y | ~x & z, lambda x, y, z: (x | ~y) ^ z, lambda x, y, z: x & z | y & ~z,
    lambda x, y, z: x ^ (y | ~z))


def ripemd160(message):
    mask, state = 2**32 - 1, [0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0]
    turn = lambda value, by: (value << by | (value & mask) >> (32 - by)) & mask
    padded = message + b"\x80" + bytes((55 - len(message)) % 64) + struct.pack("<Q", 8 * len(message))
    for at in range(0, len(padded), 64):
        words, lines = struct.unpack("<16I", padded[at:at + 64]), []
        for line, order in enumerate((list(range(16)), [(9 * word + 5) % 16 for word in range(16)])):
            a, b, c, d, e = state
            for each in range(5):
                for word in order:
                    mixed = MIXED[each if line == 0 else 4 - each](b, c, d) & mask
                    total = (a + mixed + words[word] + ADDED[line][each]) & mask
                    a, b, c, d, e = e, (turn(total, SHIFTS[each][word]) + e) & mask, b, turn(c, 10), d
                order = [PERMUTATION[word] for word in order]
            lines.append((a, b, c, d, e))
        left, right = lines
        state = [(state[(one + 1) % 5] + left[(one + 2) % 5] + right[(one + 3) % 5]) & mask for one in range(5)]
    return struct.pack("<5I", *state)
