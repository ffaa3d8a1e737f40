"""Checks the time stamps of evidence, as docs/protocol.md says (sections 4.9 and 4.16), with nothing but Python's standard library.

verify_evidence.py calls it with the certificates of time-stamping authorities and the headers of Bitcoin blocks that you trust.
"""
import base64, hashlib, re
from verify_hashes import keccak, ripemd160
from verify_receipt import MOST, Refused, is_time, need, seconds, sha


class Fault(Refused):
    """A fault of a token, by its name in section 4.9: malformed, unknown, imprint, signature or expired."""

    def __init__(self, kind, why):
        super().__init__(f"{kind}: {why}")
        self.kind = kind


def fault_unless(truth, kind, why):
    if not truth: raise Fault(kind, why)


def malformed_unless(truth, why): fault_unless(truth, "malformed", why)


# DER: a value is (tag, content, the bytes of both).
BOOLEAN, INTEGER, BITS, OCTETS, NULL, OBJECT, SEQUENCE, SET, UTC, TIME = 1, 2, 3, 4, 5, 6, 0x30, 0x31, 0x17, 0x18


def values(data):
    found = []
    while data:
        start, length = 2, data[1] if len(data) > 1 else 0
        if length >= 0x80:
            start, digits = 2 + length - 0x80, data[2:2 + length - 0x80]
            length = int.from_bytes(digits, "big")
            malformed_unless(1 <= len(digits) == start - 2 <= 3 and digits[0] and length >= 0x80, "a length is not minimal")
        malformed_unless(len(data) >= max(2, start + length) and data[0] & 0x1F != 0x1F and data[0] != 0, "no value in DER")
        found.append((data[0], data[start:start + length], data[:start + length]))
        data = data[start + length:]
    return found


class Reader:
    """The values inside of one, in their order."""

    def __init__(self, content): self.rest = values(content)

    def maybe(self, *tags): return self.rest.pop(0) if self.rest and self.rest[0][0] in tags else None

    def next(self, *tags):
        found = self.maybe(*tags)
        malformed_unless(found, "a field is missing, or has another type")
        return found

    def inside(self, *tags): return Reader(self.next(*tags)[1])
    def end(self): malformed_unless(not self.rest, "a field too many")


def only(content, *tags):
    reader = Reader(content)
    found = reader.next(*tags)
    reader.end()
    return found


def check_der(value):
    """The rules for every value, up to 32 levels deep."""
    level = [value]
    for _ in range(33):
        for tag, content, _ in level:
            malformed_unless(tag > 0x3F or (tag & 0x20 != 0) == (tag in (SEQUENCE, SET)), "no value in DER")
            if tag in RULES: malformed_unless(RULES[tag](content), "a value is not in DER")
        level = [inner for tag, content, _ in level if tag & 0x20 for inner in values(content)]
    malformed_unless(not level, "it is nested too deep")


def is_integer(content): return len(content) > 0 and (len(content) == 1 or not (content[0] == 0 and content[1] < 0x80 or content[0] == 0xFF and content[1] >= 0x80))
def is_bits(content): return len(content) > 0 and content[0] < 8 and (content[0] == 0 or len(content) > 1 and content[-1] % (1 << content[0]) == 0)


def moment(tag, content):
    """Milliseconds since 1970, or None."""
    form = "([0-9]{12})Z" if tag == UTC else "([0-9]{14})(?:[.]([0-9]*[1-9]))?Z"
    parts = re.fullmatch(form, content.decode("latin-1"))
    if not parts: return None
    digits = parts[1] if tag == TIME else ("19" if parts[1] >= "5" else "20") + parts[1]
    date, clock = "-".join((digits[:4], digits[4:6], digits[6:8])), ":".join((digits[8:10], digits[10:12], digits[12:]))
    stated = f"{date}T{clock}.000Z"
    fraction = parts[2] or "" if tag == TIME else ""
    return seconds(stated) * 1000 + int((fraction + "000")[:3]) if is_time(stated) else None


RULES = {
    BOOLEAN: lambda content: content in (b"\0", b"\xff"),
    INTEGER: is_integer,
    BITS: is_bits,
    NULL: lambda content: content == b"",
    OBJECT: lambda content: re.fullmatch(rb"(?s:(?!\x80)[\x80-\xff]*[\0-\x7f])+", content) is not None,
    UTC: lambda content: moment(UTC, content) is not None,
    TIME: lambda content: moment(TIME, content) is not None,
}


def oid(dotted):
    first, second, *rest = map(int, dotted.split("."))
    found = b""
    for number in (40 * first + second, *rest):
        digits = [number & 0x7F]
        while number := number >> 7: digits.append(number & 0x7F | 0x80)
        found += bytes(reversed(digits))
    return found


SIGNED_DATA, TST_INFO = oid("1.2.840.113549.1.7.2"), oid("1.2.840.113549.1.9.16.1.4")
CONTENT_TYPE, DIGEST = oid("1.2.840.113549.1.9.3"), oid("1.2.840.113549.1.9.4")
NAMED, NAMED_V2 = oid("1.2.840.113549.1.9.16.2.12"), oid("1.2.840.113549.1.9.16.2.47")
SUMS = "sha256", "sha384", "sha512"
DIGESTS = {oid(f"2.16.840.1.101.3.4.2.{at}"): name for at, name in enumerate(SUMS, 1)}
RSA_KEY, EC_KEY = oid("1.2.840.113549.1.1.1"), oid("1.2.840.10045.2.1")
SIGNATURES = {oid(f"1.2.840.113549.1.1.{at}"): (RSA_KEY, name) for at, name in enumerate(SUMS, 11)}
SIGNATURES.update({oid(f"1.2.840.10045.4.3.{at}"): (EC_KEY, name) for at, name in enumerate(SUMS, 2)})
CONSTRAINTS, KEY_USAGE, PURPOSE, POLICIES = (oid(f"2.5.29.{at}") for at in (19, 15, 37, 32))
TIME_STAMPING = oid("1.3.6.1.5.5.7.3.8")


def algorithm(value):
    """The name of an algorithm without parameters, or with NULL."""
    reader = Reader(value[1])
    name = reader.next(OBJECT)[1]
    reader.maybe(NULL)
    reader.end()
    return name


# Signatures: RSA (PKCS #1 v1.5), and ECDSA on three curves of NIST as {name: (p, b, order, x, y)}.
def curve(name, p, b, order, x, y): return {oid(name): (p, int(b, 16), int(order, 16), int(x, 16), int(y, 16))}


CURVES = {
    **curve("1.2.840.10045.3.1.7", 2**256 - 2**224 + 2**192 + 2**96 - 1,
            "5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b", "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
            "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296", "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"),
    **curve("1.3.132.0.34", 2**384 - 2**128 - 2**96 + 2**32 - 1,
            "b3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aef",
            "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973",
            "aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7",
            "3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5f"),
    **curve("1.3.132.0.35", 2**521 - 1,
            "51953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00",
            "1fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409",
            "c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dbaa14b5e77efe75928fe1dc127a2ffa8de3348b3c1856a429bf97e7e31c2e5bd66",
            "11839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e662c97ee72995ef42640c550b9013fad0761353c7086a272c24088be94769fd16650"),
}


def plus(p, a, b):
    if a is None or b is None: return a or b
    if a[0] == b[0] and (a[1] + b[1]) % p == 0: return None
    slope = (3 * a[0] * a[0] - 3) * pow(2 * a[1], -1, p) if a == b else (b[1] - a[1]) * pow(b[0] - a[0], -1, p)
    x = (slope * slope - a[0] - b[0]) % p
    return x, (slope * (a[0] - x) - a[1]) % p


def multiple(p, n, point):
    found = None
    while n:
        if n & 1: found = plus(p, found, point)
        point, n = plus(p, point, point), n >> 1
    return found


def is_ecdsa(parameters, key, digest, signature):
    named = CURVES.get(only(parameters, OBJECT)[1])
    if named is None: return False
    p, b, order, *base = named
    size = (p.bit_length() + 7) // 8
    x, y = int.from_bytes(key[1:1 + size], "big"), int.from_bytes(key[1 + size:], "big")
    if len(key) != 1 + 2 * size or key[0] != 4 or max(x, y) >= p or (y * y - x * x * x + 3 * x - b) % p: return False
    pair = only(signature, SEQUENCE)
    check_der(pair)
    numbers = Reader(pair[1])
    r, s = (int.from_bytes(numbers.next(INTEGER)[1], "big", signed=True) for _ in range(2))
    numbers.end()
    if not (0 < r < order and 0 < s < order): return False
    number, inverse = int.from_bytes(digest, "big") >> max(0, 8 * len(digest) - order.bit_length()), pow(s, -1, order)
    found = plus(p, multiple(p, number * inverse % order, tuple(base)), multiple(p, r * inverse % order, (x, y)))
    return found is not None and found[0] % order == r


def is_rsa(key, name, digest, signature):
    numbers = Reader(only(key, SEQUENCE)[1])
    modulus, exponent = (int.from_bytes(numbers.next(INTEGER)[1], "big", signed=True) for _ in range(2))
    numbers.end()
    size, number = (modulus.bit_length() + 7) // 8, int.from_bytes(signature, "big")
    if not (1 < exponent < 2**64 and 64 <= size <= 2048 and len(signature) == size and number < modulus): return False
    of = next(one for one, each in DIGESTS.items() if each == name)
    info = bytes([SEQUENCE, 17 + len(digest), SEQUENCE, 13, OBJECT, 9]) + of + bytes([NULL, 0, OCTETS, len(digest)]) + digest
    return pow(number, exponent, modulus) == int.from_bytes(b"\1" + b"\xff" * (size - len(info) - 3) + b"\0" + info, "big")


def is_signed(certificate, kind, name, message, signature):
    key, digest = certificate["key"], hashlib.new(name, message).digest()
    of = Reader(key[0][1])
    if of.next(OBJECT)[1] != kind: return False
    try:
        parameters = b"".join(one[2] for one in of.rest)
        return is_rsa(key[1], name, digest, signature) if kind == RSA_KEY else is_ecdsa(parameters, key[1], digest, signature)
    except Fault:
        return False


# Certificates (X.509).
def read_certificate(value):
    malformed_unless(value[0] == SEQUENCE, "a certificate has another form")
    check_der(value)
    whole = Reader(value[1])
    body, outer, signature = whole.next(SEQUENCE), whole.next(SEQUENCE), whole.next(BITS)[1]
    whole.end()
    of = Reader(body[1])
    of.maybe(0xA0)
    serial, inner, issuer, validity, subject = of.next(INTEGER)[1], of.next(SEQUENCE), of.next(SEQUENCE), of.inside(SEQUENCE), of.next(SEQUENCE)
    times, key = [moment(*validity.next(UTC, TIME)[:2]) for _ in range(2)], of.next(SEQUENCE)
    for tag in (0x81, 0x82): of.maybe(tag)
    extensions, listed = {}, of.maybe(0xA3)
    for one in values(only(listed[1], SEQUENCE)[1]) if listed else []:
        fields = Reader(one[1])
        name, critical, content = fields.next(OBJECT)[1], fields.maybe(BOOLEAN), fields.next(OCTETS)[1]
        extensions.setdefault(name, (critical is not None and critical[1] != b"\0", content))
    of.end()
    parts = Reader(key[1])
    kind, bits = parts.next(SEQUENCE), parts.next(BITS)
    parts.end()
    return {
        "all": value[2], "body": body[2], "serial": serial, "issuer": issuer[2], "subject": subject[2], "times": times,
        "key": (kind, bits[1][1:]), "whole_key": key[2], "extensions": extensions, "is_consistent": inner == outer and signature[:1] == b"\0",
        "algorithm": Reader(outer[1]).next(OBJECT)[1], "signature": signature[1:]}


def read_certificates(pem):
    found = re.findall("-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\\s]+)-----END CERTIFICATE-----", pem)
    need(found, "there is no certificate in PEM")
    return [read_certificate(only(base64.b64decode(one), SEQUENCE)) for one in found]


def usage(certificate, bits):
    """Is one of these uses allowed? Each is, without the extension."""
    found = certificate["extensions"].get(KEY_USAGE)
    return found is None or only(found[1], BITS)[1][1:2] > b"" and only(found[1], BITS)[1][1] & bits != 0


def is_understood(certificate):
    known = CONSTRAINTS, KEY_USAGE, PURPOSE, POLICIES
    return all(name in known for name, (critical, _) in certificate["extensions"].items() if critical)


def stamps_time(certificate):
    critical, purpose = certificate["extensions"].get(PURPOSE, (False, b""))
    return critical and [one[:2] for one in values(only(purpose, SEQUENCE)[1])] == [(OBJECT, TIME_STAMPING)] and usage(certificate, 0xC0) and is_understood(certificate)


def may_issue(certificate, below):
    content = certificate["extensions"].get(CONSTRAINTS, (False, b"\x30\0"))[1]
    of = Reader(only(content, SEQUENCE)[1])
    is_ca, longest = of.maybe(BOOLEAN), of.maybe(INTEGER)
    return is_ca is not None and is_ca[1] == b"\xff" and usage(certificate, 0x04) and is_understood(certificate) and (longest is None or int.from_bytes(longest[1], "big") >= below)


def is_issued(certificate, issuer):
    if certificate["algorithm"] not in SIGNATURES or not certificate["is_consistent"]: return False
    return is_signed(issuer, *SIGNATURES[certificate["algorithm"]], certificate["body"], certificate["signature"])


def fits(check, *of):
    """The check of a certificate whose extensions may have any bytes."""
    try:
        return check(*of)
    except Fault:
        return False


def path_from(path, trusted, candidates, checks):
    last = path[-1]
    if any(one["all"] == last["all"] for one in trusted): return path
    for one in candidates if len(path) < 8 else []:
        if one["subject"] != last["issuer"] or not fits(may_issue, one, len(path) - 1): continue
        if any((one["subject"], one["whole_key"]) == (each["subject"], each["whole_key"]) for each in path): continue
        checks.append(one)
        malformed_unless(len(checks) <= 32, "the search for a path needs too many checks")
        found = path_from(path + [one], trusted, candidates, checks) if is_issued(last, one) else None
        if found: return found
    return None


# Tokens (section 4.9).
def read_token(token):
    malformed_unless(len(token) <= 65536, "it is too large")
    whole = only(token, SEQUENCE)
    check_der(whole)
    outer = Reader(whole[1])
    malformed_unless(outer.next(OBJECT)[1] == SIGNED_DATA, "it is no SignedData")
    signed = Reader(only(outer.next(0xA0)[1], SEQUENCE)[1])
    outer.end()
    malformed_unless(signed.next(INTEGER)[1] == b"\3", "another version of SignedData")
    digest, content = algorithm(only(signed.next(SET)[1], SEQUENCE)), signed.inside(SEQUENCE)
    malformed_unless(content.next(OBJECT)[1] == TST_INFO, "it is no TSTInfo")
    info = only(content.next(0xA0)[1], OCTETS)[1]
    content.end()
    certificates = values((signed.maybe(0xA0) or (0, b""))[1])
    malformed_unless(len(certificates) <= 8, "too many certificates")
    found = {"info": info, "certificates": [read_certificate(one) for one in certificates]}
    signer = Reader(only(signed.next(SET)[1], SEQUENCE)[1])
    signed.end()
    malformed_unless(signer.next(INTEGER)[1] == b"\1", "another version of SignerInfo")
    name = signer.inside(SEQUENCE)
    found["signer"] = name.next(SEQUENCE)[2], name.next(INTEGER)[1]
    name.end()
    of, attributes, by, found["signature"] = algorithm(signer.next(SEQUENCE)), signer.next(0xA0), algorithm(signer.next(SEQUENCE)), signer.next(OCTETS)[1]
    signer.end()
    found["digest"] = DIGESTS.get(of)
    found["kind"], needed = (RSA_KEY, DIGESTS.get(of)) if by == RSA_KEY else SIGNATURES.get(by, (None, None))
    malformed_unless(found["digest"] and of == digest and needed == found["digest"], "another algorithm, or another digest")
    check_sorted(attributes)
    found.update(message=bytes([SET]) + attributes[2][1:], attributes=[])
    for one in values(attributes[1]):
        fields = Reader(one[1])
        found["attributes"].append((fields.next(OBJECT)[1], check_sorted(fields.next(SET))))
        fields.end()
    return {**found, **read_info(info)}


def check_sorted(value):
    parts = [one[2] for one in values(value[1])]
    malformed_unless(all(one < next for one, next in zip(parts, parts[1:])), "a set is not sorted, or has a value twice")
    return values(value[1])


def read_info(info):
    outer = only(info, SEQUENCE)
    check_der(outer)
    of = Reader(outer[1])
    malformed_unless(of.next(INTEGER)[1] == b"\1", "another version of TSTInfo")
    of.next(OBJECT)
    imprint = of.inside(SEQUENCE)
    name, digest = algorithm(imprint.next(SEQUENCE)), imprint.next(OCTETS)[1]
    imprint.end()
    malformed_unless(DIGESTS.get(name) == "sha256" and len(digest) == 32, "the imprint is not of SHA-256")
    of.next(INTEGER)
    at, accuracy, limits, sum_of = moment(*of.next(TIME)[:2]), of.maybe(SEQUENCE), ((INTEGER, 0, 2**31 - 1, 10**6), (0x80, 1, 999, 1000), (0x81, 1, 999, 1)), 0
    parts = Reader(accuracy[1] if accuracy else b"")
    for tag, least, most, micros in limits:
        part = parts.maybe(tag)
        if part is None: continue
        number = int.from_bytes(part[1][:9], "big", signed=True)
        malformed_unless(is_integer(part[1]) and len(part[1]) < 6 and least <= number <= most, "the accuracy is out of its range")
        sum_of += number * micros
    parts.end()
    malformed_unless((of.maybe(BOOLEAN) or (0, b"\xff"))[1] == b"\xff", "a default value is not omitted")
    of.maybe(INTEGER)
    of.maybe(0xA0)
    for one in values((of.maybe(0xA1) or (0, b""))[1]):
        extension = Reader(one[1])
        extension.next(OBJECT)
        extension.next(OCTETS)  # the truth value of a critical extension would come first
        extension.end()
    of.end()
    return {"imprint": digest, "time": at, "accuracy": sum_of}


def attribute(token, name):
    """Its only value, or None."""
    found = [some for of, some in token["attributes"] if of == name]
    malformed_unless(len(found) < 2 and all(len(some) == 1 for some in found), "an attribute is doubled")
    return found[0][0] if found else None


def check_signature(token, signer):
    kind, digest, named, name = attribute(token, CONTENT_TYPE), attribute(token, DIGEST), attribute(token, NAMED_V2), "sha256"
    if named is None: named, name = attribute(token, NAMED), "sha1"
    malformed_unless(None not in (kind, digest, named) and (kind[0], digest[0], named[0]) == (OBJECT, OCTETS, SEQUENCE), "a signed attribute is missing")
    first = Reader(named[1]).inside(SEQUENCE).inside(SEQUENCE)
    if name == "sha256" and first.rest and first.rest[0][0] == SEQUENCE: name = DIGESTS.get(algorithm(first.next(SEQUENCE)))
    malformed_unless(name, "another algorithm")
    fault_unless(kind[1] == TST_INFO and digest[1] == hashlib.new(token["digest"], token["info"]).digest(), "signature", "it is of a different time stamp")
    fault_unless(first.next(OCTETS)[1] == hashlib.new(name, signer["all"]).digest(), "signature", "it names a different certificate")
    fault_unless(is_signed(signer, token["kind"], token["digest"], token["message"], token["signature"]), "signature", "it does not verify")


def judge_stamp(data, expected, trusted):
    """The token. @raises Fault"""
    token = read_token(data)
    signers = [one for one in token["certificates"] if (one["issuer"], one["serial"]) == token["signer"]]
    fault_unless(signers, "unknown", "it does not contain the signer's certificate")
    fault_unless(token["imprint"] == expected, "imprint", "it is of other data")
    check_signature(token, signers[0])
    fault_unless(fits(stamps_time, signers[0]), "unknown", "the signer's certificate is not for time stamps")
    path = path_from([signers[0]], trusted, trusted + token["certificates"], [])
    fault_unless(path, "unknown", "no certificate that you trust certifies the signer")
    fault_unless(all(one["times"][0] <= token["time"] <= one["times"][1] for one in path), "expired", "a certificate was not valid at that time")
    known = [one["all"] for one in path + trusted]
    malformed_unless(all(one["all"] in known for one in token["certificates"]), "it contains a certificate that is not on the path")
    return token


# Proofs of OpenTimestamps (section 4.16).
MAGIC = b"\0OpenTimestamps\0\0Proof\0\xbf\x89\xe2\xe8\x84\xe8\x92\x94\1\x08"
BITCOIN, PROMISED = bytes.fromhex("0588960d73d71901"), bytes.fromhex("83dfe30d2ef90c8e")
OPERATIONS = {
    2: lambda message: hashlib.sha1(message).digest(), 3: ripemd160, 8: sha, 0x67: keccak, 0xF2: lambda message: message[::-1],
    0xF3: lambda message: message.hex().encode()}


class Proof:
    def __init__(self, data):
        need(len(data) <= 65536 and data.startswith(MAGIC) and len(data) > len(MAGIC) + 32, "the proof is not in the form of OpenTimestamps")
        self.rest, self.items, self.found, self.promised = data[len(MAGIC):], 0, [], 0
        self.hash = self.take(32)
        self.node(self.hash, 1)
        need(not self.rest and not (self.found and self.promised), "bytes follow the proof, or a promise is next to a block")

    def take(self, count):
        need(0 <= count <= len(self.rest), "the proof is cut")
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def number(self):
        value, at, byte = 0, 0, 0x80
        while byte & 0x80:
            byte = self.take(1)[0]
            value, at = value | (byte & 0x7F) << at, at + 7
            need(value <= MOST and at <= 56 and (byte or at == 7), "a number is too large, or not minimal")
        return value

    def block(self, most):
        length = self.number()
        need(1 <= length <= most, "a length is out of its range")
        return self.take(length)

    def node(self, message, depth):
        need(depth <= 256, "a path is too long")
        last, more = b"", True
        while more:
            first = self.take(1)[0]
            more = first == 0xFF
            if more: first = self.take(1)[0]
            self.items += 1
            need(self.items <= 1024, "too many items")
            order = self.attestation(message) if first == 0 else self.operation(first, message, depth)
            need(last < order, "the items are not sorted, or one is there twice")
            last = order

    def attestation(self, message):
        tag, payload = self.take(8), self.block(65536)
        outer, self.rest = self.rest, payload
        if tag == BITCOIN:
            order = self.number().to_bytes(8, "big")
            self.found.append(message)
        else:
            order = self.block(1000)
            need(tag == PROMISED and re.fullmatch(rb"[A-Za-z0-9._/:-]+", order), "another attestation")
            self.promised += 1
        need(not self.rest, "bytes follow an attestation")
        self.rest = outer
        return b"\0" + order

    def operation(self, first, message, depth):
        argument = self.block(4096) if first in (0xF0, 0xF1) else b""
        need(first in OPERATIONS or argument, "another operation")
        result = OPERATIONS[first](message) if first in OPERATIONS else message + argument if first == 0xF0 else argument + message
        need(len(result) <= 4096, "a message is too long")
        self.node(result, depth + 1)
        return bytes([first]) + argument


# The witnesses of a file. Each check gives None without one, else a verdict and why.
def attested_hash(receipt, of):
    tree, kind = receipt["inclusion"] or {"root": receipt["hash"], "tree_version": 0, "tree_size": 1}, 0
    if of == "tombstone": tree, kind = receipt["revocation"], 1
    need(tree.get("root"), "the tombstone is not attested")
    return sha(bytes.fromhex(tree["root"]), *(int(one).to_bytes(32, "big") for one in (kind, tree["tree_version"], tree["tree_size"])))


def stamps_of(witnesses, kind, receipt):
    return [(one["of"] == "commitment", bytes.fromhex(one["proof"][2:]), attested_hash(receipt, one["of"])) for one in witnesses if one["kind"] == kind]


def milliseconds(stated): return seconds(stated) * 1000 + int(stated[20:23])


def check_tokens(receipt, witnesses, trusted, stated):
    stamps, found, tokens = stamps_of(witnesses, "rfc3161", receipt), [], 0
    for of_commitment, data, expected in stamps:
        tokens += of_commitment
        try:
            token = judge_stamp(data, expected, trusted)
        except Fault as fault:
            if fault.kind != "unknown": return "fail", str(fault)
        else:
            if of_commitment: found.append((token["time"], token["accuracy"]))
    if not stamps: return None
    if not found: return ("fail" if tokens and trusted else "wait"), "no certificate is trusted that certifies a time stamp"
    at, accuracy = min(found, key=lambda one: one[0])
    shown = f"stamped, in milliseconds since 1970: {at}"
    if stated is None: return "pass", shown
    if at * 1000 + accuracy + 60_000_000 < milliseconds(stated) * 1000: return "fail", shown + ", which is before the stated time"
    return "pass", shown + (", late: only this later time is proven" if at > milliseconds(stated) + 600_000 else "")


def check_ots(receipt, witnesses, headers, stated):
    seen, times, stamps = False, [], stamps_of(witnesses, "ots", receipt)
    for of_commitment, data, expected in stamps:
        try:
            proof = Proof(data)
            need(proof.hash == expected, "the proof is of another hash")
        except Refused as fault:
            return "fail", str(fault)
        if not of_commitment: continue
        seen = seen or len(proof.found) > 0
        times += [int.from_bytes(header[68:72], "little") for header in headers for message in proof.found if header[36:68] == message]
    if not stamps: return None
    if not times: return ("fail" if seen and headers else "wait"), "no given block of Bitcoin confirms it"
    shown = f"in a block of Bitcoin, in seconds since 1970: {min(times)}"
    if stated is not None and (min(times) + 7200) * 1000 < milliseconds(stated): return "fail", shown + ", which is before the stated time"
    return "pass", shown


def read_header(text):
    need(re.fullmatch("[0-9a-f]{160}", text), "a header of Bitcoin has 160 hex digits")
    return bytes.fromhex(text)
