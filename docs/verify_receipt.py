"""Checks a receipt, and a promise, as docs/protocol.md says, with nothing but Python's standard library.

    verify_receipt.py receipt.json RPC-URL trust=svc.json [files=FOLDER [manifest=FILE]] [promise=promise.json [etch=etch.json]]
        [tlog=FILE policy=FILE]   a .tlog-proof of the log of trees, and the logs and witnesses that you trust

What you trust comes from elsewhere than the receipt: trust=FILE is a copy of the service's /.well-known/svc.json that you took
earlier; or name it, each once or more: chain=1 contract=0x... schema=0x... relayer=0x... key=... (of promises).
Exits 0 pass, 1 fail, 2 wait. What is not pinned is taken from the receipt, and then the best answer is 2.
"""
import base64, functools, hashlib, json, os, re, sys, time, unicodedata, urllib.request

MOST = 2**53 - 1
MOST_SECONDS = 253402300800  # the year 10000
PINS = {"chain": "chain_id", "contract": "attestation_contract", "schema": "schema_uid", "relayer": "relayer"}


class Refused(Exception):
    """A check failed."""


def need(truth, what):
    if not truth:
        raise Refused(what)


# The file (section 2.2): JSON in UTF-8, or in UTF-16 with a byte order mark.
def read_json(data, most):
    def number(digits):
        return int(digits) if len(digits) < 20 else float(digits)

    def no(name):
        raise ValueError(name)

    need(len(data) <= most, "the file is too large")
    try:
        encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
        return json.loads(data.decode(encoding), parse_int=number, parse_constant=no)
    except (ValueError, RecursionError):
        raise Refused("the file is not JSON in UTF-8, or in UTF-16 with a mark") from None


# The form of each field.
def text(value): return isinstance(value, str)
def match(pattern): return lambda value: text(value) and re.fullmatch(pattern, value) is not None
def one_of(*values): return lambda value: not isinstance(value, (bool, list, dict)) and value in values
def null_or(form): return lambda value: value is None or form(value)
def list_of(form, most): return lambda value: isinstance(value, list) and len(value) <= most and all(map(form, value))


def whole(least, most):
    def form(value):
        if isinstance(value, float) and value.is_integer(): value = int(value)  # 7.0 is 7
        return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
    return form


def fields(**forms):
    def form(value):
        need(isinstance(value, dict), "not an object where one must be")
        for name, of in forms.items():
            need(name in value and of(value[name]), f"{name} is missing or has the wrong form")
        return True
    return form


def is_time(value):
    if not match("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z")(value): return False
    year, month, day, hour, minute, second = (int(value[at:at + n]) for at, n in ((0, 4), (5, 2), (8, 2), (11, 2), (14, 2), (17, 2)))
    return 1 <= month <= 12 and 1 <= day <= days_in(year)[month - 1] and hour < 24 and minute < 60 and second < 60


def days_in(year):
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return [31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


def days(date):  # since 1970
    year, month, day = int(date[:4]), int(date[5:7]), int(date[8:10])
    before = year - 1
    return before * 365 + before // 4 - before // 100 + before // 400 - 719162 + sum(days_in(year)[:month - 1]) + day - 1


def seconds(stated):  # since 1970, cut to the second
    return days(stated) * 86400 + int(stated[11:13]) * 3600 + int(stated[14:16]) * 60 + int(stated[17:19])


HASH, KEY, SIGNATURE = match("[0-9a-f]{64}"), match("[0-9a-f]{64}"), match("[0-9a-f]{128}")
UID, ADDRESS = match("0x[0-9a-f]{64}"), match("0x[0-9a-fA-F]{40}")
UUID = match("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
PROOF, SIZE, VERSION = list_of(HASH, 14), whole(1, 10000), one_of(1, 2)
INCLUSION = fields(root=HASH, proof=PROOF, tree_size=SIZE, tree_version=VERSION, leaf_rule=text, node_rule=text)
CHAIN = fields(
    name=text, chain_id=whole(1, MOST), attestation_contract=ADDRESS, schema_uid=UID, attestation_uid=null_or(UID),
    expect_onchain=null_or(HASH), relayer=ADDRESS, tx_hash=null_or(UID), anchored_at=null_or(is_time))
TOMBSTONE = {"root": HASH, "proof": PROOF, "tree_size": SIZE, "tree_version": VERSION}


def revocation_form(value):
    fields(retracted_at=is_time, kind=one_of(1, None), attestation_uid=null_or(UID), tx_hash=null_or(UID))(value)
    anchored = value["attestation_uid"] is not None
    need(anchored or value["tx_hash"] is None, "a transaction though the retraction is pending")
    if value["kind"] is not None:
        fields(**{name: form if anchored else one_of(None) for name, form in TOMBSTONE.items()})(value)
    return True


RECEIPT = fields(
    _format=one_of("svc-receipt:v1"), _what_this_is=text, _verify_without_etch=text, etch_id=UUID,
    status=one_of("sealed", "revealed", "retracted"), author=fields(user_id=UUID, username=text), canonical_string=null_or(text),
    hash=HASH, inclusion=null_or(INCLUSION), revocation=null_or(revocation_form),
    signature=null_or(fields(value=SIGNATURE, public_key=KEY)), chain=CHAIN)


def read_receipt(data):
    return receipt_of(read_json(data, 2**20))


def receipt_of(receipt):
    RECEIPT(receipt)
    need("former" not in receipt or isinstance(receipt["former"], list) and all(map(CHAIN, receipt["former"])), "former has the wrong form")
    status, chain = receipt["status"], receipt["chain"]
    need((receipt["canonical_string"] is not None) == (status == "revealed"), "words and status contradict each other")
    need(status == "revealed" or receipt["signature"] is None, "a signature though there are no words")
    need(status == "retracted" or receipt["revocation"] is None, "a revocation though it is not retracted")
    if chain["attestation_uid"] is None:
        rest = [receipt["inclusion"], chain["expect_onchain"], chain["tx_hash"], chain["anchored_at"]]
        need(all(part is None for part in rest), "parts of an anchoring though it is pending")
    else:
        need(chain["expect_onchain"] is not None, "expect_onchain is missing")
    return receipt


# Ed25519 without the cofactor (section 4.3); points as (X, Y, Z, T).
P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ORDER_EIGHT = ("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05", "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")
SMALL = {0, 1, P - 1} | {int.from_bytes(bytes.fromhex(y), "little") for y in ORDER_EIGHT}


def add(a, b):
    one, two = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    three, four = 2 * D * a[3] * b[3] % P, 2 * a[2] * b[2] % P
    e, f, g, h = two - one, four - three, four + three, two + one
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(n, point):
    result = (0, 1, 1, 0)
    while n:
        if n & 1: result = add(result, point)
        point, n = add(point, point), n >> 1
    return result


def encode(point):
    inverse = pow(point[2], -1, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def strict_point(key):
    number = int.from_bytes(key, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if y >= P or y in SMALL: return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square: x = x * pow(2, (P - 1) // 4, P) % P
    if x * x % P != square: return None
    if x & 1 != sign: x = P - x
    return x, y, 1, x * y % P


BASE = strict_point(bytes.fromhex("58" + "66" * 31))


@functools.lru_cache(4096)
def signed(key, message, signature):
    key, signature = bytes.fromhex(key), bytes.fromhex(signature)
    point, s = strict_point(key), int.from_bytes(signature[32:], "little")
    if point is None or s >= L: return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    x, y, z, t = point
    return encode(add(times(s, BASE), times(k, (P - x, y, z, P - t)))) == signature[:32]


# Trees (section 4.2).
def sha(*parts): return hashlib.sha256(b"".join(parts)).digest()


def need_length(proof, size):
    need((size > 1) <= len(proof) <= (size - 1).bit_length(), "a tree of this size has no proof of this length")


def fold(receipt, tree):
    author = bytes.fromhex(receipt["author"]["user_id"].replace("-", "")) if tree["tree_version"] == 2 else b""
    node, size, proof = sha(b"\0", author, bytes.fromhex(receipt["hash"])), int(tree["tree_size"]), tree["proof"]
    need_length(proof, size)
    for sibling in map(bytes.fromhex, proof): node = sha(b"\1", min(node, sibling), max(node, sibling))
    need(node.hex() == tree["root"], "the proof does not fold to the root")


# The chain (section 5.1). `ask` gives an answer's bytes, or raises.
def result_of(answer):
    need(len(answer) <= 65536, "it answers too much")
    value = read_json(answer.decode("utf-8", "replace").encode(), 2**20)
    need(isinstance(value, dict) and "result" in value and value.get("error") is None, "it refuses")
    need(isinstance(value["result"], str), "it answers nonsense")
    return value["result"]


def decode(answer, uid):
    need(match("0x(?:[0-9a-fA-F]{64})+")(answer), "no words")
    whole_answer = bytes.fromhex(answer[2:])
    word = [whole_answer[at:at + 32] for at in range(0, len(whole_answer), 32)]
    need(len(word) >= 12, "too short")
    number = [int.from_bytes(one, "big") for one in word]
    need(all(number[at] <= MOST for at in (0, 3, 4, 5, 9, 10, 11)), "a number too large")
    length, data = number[11], whole_answer[384:]
    need(number[0] == 0x20 and number[10] == 0x140 and number[9] <= 1, "another tuple")
    need(len(data) == (length + 31) // 32 * 32 and not any(data[length:]), "data of another length")
    need(number[7] < 2**160 and number[8] < 2**160, "no address")
    need(word[1].hex() == uid[2:], "unknown there, or another one")
    made, revoked = number[3], number[5]
    need(0 < made < MOST_SECONDS and (revoked == 0 or made <= revoked < MOST_SECONDS), "impossible times")
    return {"schema": "0x" + word[2].hex(), "attester": "0x" + word[8][12:].hex(), "time": made, "revoked": revoked, "data": data[:length]}


def read(ask, trust, uid):
    """The attestation, or None while it cannot be read: whatever goes wrong in asking says nothing about the etch."""
    if uid is None: return None
    if isinstance(ask, dict): return ask.get(uid)  # those that evidence proves
    try:
        chain = result_of(ask("eth_chainId", []))
        need(match("0x[0-9a-fA-F]{1,14}")(chain) and int(chain, 16) == trust["chain_id"], "another chain")
        return decode(result_of(ask("eth_call", [{"to": trust["contract"], "data": "0xa3112a64" + uid[2:]}, "latest"])), uid)
    except Exception:
        return None


def need_attested(found, trust, tree, kind, attesters):
    numbers = (kind, int(tree["tree_version"]), int(tree["tree_size"]))
    need(found["schema"] == trust["schema_uid"], "attested under a different schema")
    need(found["attester"] in attesters, "attested by another")
    need(found["data"] == bytes.fromhex(tree["root"]) + b"".join(n.to_bytes(32, "big") for n in numbers), "the attestation holds something else")


# The checks (sections 4.4 to 4.7).
def check_words(receipt):
    """The stated time, or None."""
    words, signature = receipt["canonical_string"], receipt["signature"]
    if words is None: return None
    tag, user, stated, salt, content = (words.split("|", 4) + [None] * 4)[:5]
    formed = content is not None and tag == "svc:v1" and UUID(user) and is_time(stated) and HASH(salt)
    need(formed and not re.search("[\0\ud800-\udfff]", content), "the words have no canonical form")
    need(sha(words.encode()).hex() == receipt["hash"], "the words do not make the hash")
    need(user == receipt["author"]["user_id"], "the words are by a different author")
    message = f"svc-sig:v1|{user}|{sha(content.encode()).hex()}".encode()
    need(signature is None or signed(signature["public_key"], message, signature["value"]), "the signature does not fit the words")
    return stated


def check_commitment(receipt, trust, ask, stated):
    """The attestation, or None while it is not known."""
    chain, inclusion = receipt["chain"], receipt["inclusion"]
    if inclusion: fold(receipt, inclusion)
    tree = inclusion or {"root": receipt["hash"], "tree_version": 0, "tree_size": 1}
    found = read(ask, trust, chain["attestation_uid"])
    if found is None: return None
    need_attested(found, trust, tree, 0, [chain["relayer"].lower()])
    need(chain["expect_onchain"] == tree["root"], "a different root is expected")
    moment = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(found["time"]))
    need(chain["anchored_at"] in (None, moment), "it was anchored at another time")
    need(not inclusion or found["revoked"] == 0, "a tree was revoked")
    need(stated is None or found["time"] >= seconds(stated), "it was attested before the stated time")
    return found


def check_retraction(receipt, trust, ask, commitment):
    """Is the retraction on the chain?"""
    revocation, chain = receipt["revocation"], receipt["chain"]
    if revocation is None: return False
    uid = revocation["attestation_uid"]
    if revocation["kind"] is None:
        need(receipt["inclusion"] is None and uid in (None, chain["attestation_uid"]), "another attestation is called revoked")
        return commitment is not None and commitment["revoked"] > 0
    need(receipt["inclusion"] is not None or chain["attestation_uid"] is None, "a tombstone though there is no tree")
    if uid is None: return False
    fold(receipt, revocation)
    found = read(ask, trust, uid)
    if found is None: return False
    need_attested(found, trust, revocation, 1, [commitment["attester"]] if commitment else trust["relayers"])
    need(found["revoked"] == 0, "a tree was revoked")
    return True


def pin(receipt, pins):
    """What counts, and what of it nobody pinned."""
    chain = receipt["chain"]
    claims = {name: chain[field] if name == "chain" else chain[field].lower() for name, field in PINS.items()}
    for name, claim in claims.items():
        need(not pins.get(name) or claim in pins[name], f"the {name} is not the trusted one")
    trust = {"chain_id": claims["chain"], "contract": claims["contract"], "schema_uid": claims["schema"]}
    return {**trust, "relayers": pins.get("relayer") or [claims["relayer"]]}, {name: claims[name] for name in PINS if not pins.get(name)}


PROMISE = fields(text=text, path=list_of(HASH, 8), public_key=KEY, signature=SIGNATURE)


def check_promise(promise, keys, receipt, stated, commitment, etch, content):
    """Kept? Section 4.10. Only other content breaks a promise here: anybody may have made a file."""
    PROMISE(promise)
    nonce = promise.get("nonce")
    need(null_or(HASH)(nonce), "the nonce has the wrong form")
    tag, ident, user, digest, day, *rest = (promise["text"].split("|") + [None] * 4)[:max(5, promise["text"].count("|") + 1)]
    formed = UUID(ident) and UUID(user) and HASH(digest) and text(day) and is_time(day + "T00:00:00.000Z")
    need(tag == "svc-promise:v3" and formed and are_promised(*rest), "the promise has the wrong form")
    root = sha(b"\0", promise["text"].encode())
    for sibling in map(bytes.fromhex, promise["path"]): root = sha(b"\1", min(root, sibling), max(root, sibling))
    need(signed(promise["public_key"], f"svc-promises:v1|{root.hex()}".encode(), promise["signature"]), "nobody signed the promise")
    if promise["public_key"] not in keys or (ident, user, digest) != (receipt["etch_id"], receipt["author"]["user_id"], receipt["hash"]): return False
    need(stated is None or days(day) == days(stated) + 2, "the promise is not of the etch's day")
    *public, words = rest
    makes = lambda accepted: sha(f"svc-words:v1|{nonce}|{accepted}".encode("utf-8", "replace")).hex() == words
    revealed = None if stated is None else receipt["canonical_string"].split("|", 4)[4]
    differs = nonce is not None and revealed is not None and not makes(revealed)
    shown = content is None or nonce is not None and makes(content)
    need(not (differs and shown and content is not None), "other content was revealed than was accepted")
    if differs or not shown or not isinstance(etch, dict) or etch.get("id") != ident or public_fields(etch) != public: return False
    return commitment is not None and commitment["time"] < days(day) * 86400 + 86400


def are_promised(description=None, topic=None, mode=None, reveal_at=None, challenge=None, words=None, *more):
    """The fields of a promise after the day: the description's SHA-256, topic, mode, reveal time, challenge, words."""
    timed = reveal_at == "-" if mode == "instant" else mode == "delayed" and is_time(reveal_at)
    named = HASH(description) and match("[a-z][a-z0-9_-]{0,39}")(topic)
    return named and timed and (challenge == "-" or UUID(challenge)) and HASH(words) and not more


def public_fields(etch):
    """The same of an etch without its words, as the service shows it."""
    description, topic, challenge = etch.get("description"), etch.get("category") or {}, etch.get("challenge") or {}
    return [sha(description.encode()).hex() if text(description) else None, topic.get("id"), etch.get("mode"), etch.get("reveal_at") or "-", challenge.get("id") or "-"]


def judge(data, pins, ask, promise=None, say=lambda *words: None, etch=None, content=None):
    """'pass' or 'wait'. @raises Refused, which is a fail"""
    receipt = data if isinstance(data, dict) else read_receipt(data)
    trust, unpinned = pin(receipt, pins)
    stated = check_words(receipt)
    commitment = check_commitment(receipt, trust, ask, stated)
    done = commitment is not None
    if done:
        late = stated is not None and commitment["time"] * 1000 - (seconds(stated) * 1000 + int(stated[20:23])) > 600_000
        say("attested, in seconds since 1970:", commitment["time"], "late: only this later time is proven" if late else "")
        if commitment["revoked"]: say("revoked, in seconds since 1970:", commitment["revoked"])
    if receipt["status"] == "retracted": done = check_retraction(receipt, trust, ask, commitment) and done
    if promise is not None: done = check_promise(promise, pins.get("key", []), receipt, stated, commitment, etch, content) and done
    if receipt["signature"]: say("signed by the key", receipt["signature"]["public_key"], "(nothing here says whose it is)")
    for name, claim in unpinned.items(): say("not pinned, only the receipt says so:", name, claim)
    return "pass" if done and not unpinned else "wait"


# The log of trees (section 4.17): a C2SP tlog-proof under a C2SP tlog-policy.
def base64_of(encoded):
    try:
        data = base64.b64decode(encoded, validate=True)
    except ValueError:
        raise Refused("no base64") from None
    need(base64.b64encode(data).decode() == encoded, "base64 of another form")
    return data


def count_of(digits):
    need(match("0|[1-9][0-9]{0,15}")(digits) and int(digits) <= MOST, "a number has the wrong form")
    return int(digits)


def is_name(name):
    return name != "" and not any(c == "+" or c.isspace() for c in name)


LOG, WITNESS, ML_DSA = 1, 4, 6
KEY_BYTES = {LOG: 33, WITNESS: 33, ML_DSA: 1313}


def key_of(words, *kinds):
    """(name, id, public key, kind) of a verifier key."""
    name, ident, encoded = (words.split("+", 2) + ["", ""])[:3]
    data = base64_of(encoded)
    need(is_name(name) and data and data[0] in kinds and len(data) == KEY_BYTES[data[0]] and sha(name.encode() + b"\n" + data)[:4].hex() == ident, "a key of the policy is wrong")
    return name, ident, data[1:].hex(), data[0]


def read_policy(policy):
    logs, witnesses, groups, members, quorum = [], {}, {}, [], None
    need(not re.search("[\0-\x08\x0b-\x1f\x7f]", policy) and policy.count("\n") < 1000, "the policy is no text")
    for line in policy.split("\n"):
        kind, *words = re.split("[ \t]+", line.strip(" \t"))
        known = {*witnesses, *groups}
        if kind[:1] in ("", "#"): continue
        if kind == "log" and len(words) in (1, 2): logs.append(key_of(words[0], LOG))
        elif kind == "witness" and len(words) in (2, 3) and words[0] not in known: witnesses[words[0]] = key_of(words[1], WITNESS, ML_DSA)
        elif kind == "group" and len(words) > 2 and words[0] not in known:
            name, needs, *some = words
            needs = {"all": str(len(some)), "any": "1"}.get(needs, needs)
            members += some
            need(match("[1-9][0-9]*")(needs) and int(needs) <= len(some) and known.issuperset(some), "a group of the policy is wrong")
            groups[name] = int(needs), some
        elif kind == "quorum" and len(words) == 1 and quorum is None and words[0] in {*known, "none"}: quorum = words[0]
        else: raise Refused("a line of the policy is wrong")
    keys = [key[2] for key in logs], [key[2] for key in witnesses.values()]
    need(quorum and all(len(set(some)) == len(some) for some in (*keys, members)), "the policy has no quorum, or one name twice")
    need("none" not in {*witnesses, *groups}, "the policy gives none a meaning")
    return logs, witnesses, groups, quorum


def read_note(note):
    """The checkpoint's text, and its signatures as (name, id of the key, signature)."""
    cut = note.rfind("\n\n")
    need(len(note) <= 100_000 and not re.search("[\0-\x09\x0b-\x1f]", note) and note.endswith("\n") and cut >= 0, "no signed note")
    parts = [re.fullmatch("\u2014 ([^ ]+) ([A-Za-z0-9+/]+={0,2})", line) for line in note[cut + 2:-1].split("\n")]
    need(len(parts) <= 64, "too many signatures")
    need(all(part and is_name(part[1]) for part in parts), "a signature has the wrong form")
    found = [(part[1], base64_of(part[2])) for part in parts]
    need(all(len(data) > 4 for _, data in found), "a signature is too short")
    return note[:cut + 1], [(name, data[:4].hex(), data[4:]) for name, data in found]


def quorum_time(name, groups, times):
    if name not in groups: return times.get(name, float("inf"))
    needs, members = groups[name]
    return sorted(quorum_time(member, groups, times) for member in members)[needs - 1]


def check_log(receipt, proof, policy, now, say=lambda *_: None):
    """When the quorum had seen the etch's tree, in seconds since 1970; 0 with `quorum none`; None without a quorum.

    Python has no ML-DSA-44: such a cosignature is named and does not count.
    """
    try:
        proof, policy = proof.decode(), policy.decode()
    except ValueError:
        raise Refused("the proof or the policy is not UTF-8") from None
    logs, witnesses, groups, quorum = read_policy(policy)
    head, cut, note = proof.partition("\n\n")
    lines = head.split("\n")
    need(cut and len(lines) > 2, "no proof")
    header, extra, index, *hashes = lines
    need(header == "c2sp.org/tlog-proof@v1" and extra.startswith("extra ") and index.startswith("index "), "no proof")
    extra, at, hashes = base64_of(extra[6:]), count_of(index[6:]), [base64_of(one) for one in hashes]
    entry, path = extra[:128], [extra[n:n + 32] for n in range(128, len(extra), 32)]
    need(len(entry) == 128 and len(path) <= 14 and len(hashes) <= 63 and all(len(one) == 32 for one in path + hashes), "the proof has the wrong form")
    kind, version, size = (int.from_bytes(entry[n:n + 32], "big") for n in (32, 64, 96))
    need(kind == 0 and version <= 2 and 1 <= size <= (10000 if version else 1), "the entry is no tree of etches")
    author, node = bytes.fromhex(receipt["author"]["user_id"].replace("-", "")), bytes.fromhex(receipt["hash"])
    if version: node = sha(b"\0", author if version == 2 else b"", node)
    need_length(path, size)
    for sibling in path: node = sha(b"\1", min(node, sibling), max(node, sibling))
    need(node == entry[:32], "the entry is of a tree without this etch")
    body, signatures = read_note(note)
    lines = body[:-1].split("\n")
    need(len(lines) > 2 and all(lines) and len(base64_of(lines[2])) == 32, "no checkpoint")
    origin, size, root = lines[:3]
    last, node, place = count_of(size) - 1, sha(b"\0", entry), at
    need(at <= last, "the entry is behind the checkpoint")
    for sibling in hashes:
        need(last > 0, "too many hashes")
        right = place & 1 or place == last
        node = sha(b"\1", sibling, node) if right else sha(b"\1", node, sibling)
        while right and not place & 1 and place: place, last = place >> 1, last >> 1
        place, last = place >> 1, last >> 1
    need(last == 0 and node == base64_of(root), "the entry is not in the log of the checkpoint")
    sound = lambda key, message, signature: len(signature) == 64 and signed(key, message.encode(), signature.hex())
    of_log = [sound(key, body, by) for name, ident, by in signatures for log, log_id, key, _ in logs if (origin, name, ident) == (log, log, log_id)]
    need(of_log and all(of_log), "no log of the policy signed the checkpoint")
    times = {}
    for name, ident, by in signatures:
        for witness, key in witnesses.items():
            if key[:2] != (name, ident): continue
            if key[3] == ML_DSA:
                say(f"not checked, and not counted: the ML-DSA-44 cosignature of {witness}")
                continue
            moment = int.from_bytes(by[:8], "big")
            need(sound(key[2], f"cosignature/v1\ntime {moment}\n{body}", by[8:]), f"the cosignature of {witness} is wrong")
            if 0 < moment <= min(now + 60, MOST): times[witness] = min(moment, times.get(witness, moment))
    seen = 0 if quorum == "none" else quorum_time(quorum, groups, times)
    return None if seen == float("inf") else seen


def judge_log(receipt, verdict, tlog, policy):
    with open(tlog, "rb") as proof, open(policy, "rb") as trusted: seen = check_log(receipt, proof.read(2**20), trusted.read(2**20), time.time(), print)
    if seen: print("the quorum of the policy had seen its tree, in seconds since 1970:", seen)
    if seen is None: print("the checked cosignatures do not reach the quorum of the policy")
    return "wait" if seen is None else verdict


# Files (sections 4.13 and 6.2): names are compared in Unicode's form NFC. Which names are refused is not judged here.
FILE = fields(name=text, size=whole(0, MOST), sha256=HASH, salt=HASH)
MANIFEST = fields(_format=one_of("svc-files-manifest:v1"), root=HASH, files=list_of(FILE, 10000))


def listed(rest, end):
    """{name: hash} of the lines behind the tag, each of which ends as the first one does."""
    lines, found = rest.split(end), []
    for line in lines[:lines.index("")] if "" in lines else lines:
        parts = re.fullmatch(r"([0-9a-f]{64})  ([^\x00-\x1f\x7f-\x9f]+)", line)
        need(parts, "the words hold no list of files")
        found.append((parts[2], parts[1]))
    return found


def under_root(manifest, root, count):
    need(manifest is not None, "the words hold a root: name the manifest")
    MANIFEST(manifest)
    files = manifest["files"]
    try:
        level = sorted(sha(b"\0", bytes.fromhex(f["salt"] + f["sha256"]), int(f["size"]).to_bytes(8, "big"), f["name"].encode()) for f in files)
    except UnicodeEncodeError:
        raise Refused("a name in the manifest is no text") from None
    while len(level) > 1:
        pairs = [level[at:at + 2] for at in range(0, len(level), 2)]
        level = [sha(b"\1", *sorted(pair)) if len(pair) == 2 else pair[0] for pair in pairs]
    need(level and level[0].hex() == root == manifest["root"] and len(files) == count, "the manifest is of other words")
    return [(f["name"], f["sha256"]) for f in files]


def check_files(words, folder, manifest=None):
    """Are the files of the folder all those that the words commit to, and no others? @raises Refused"""
    line, end, rest = words.split("|", 4)[4].partition("\n")
    if end and line.endswith("\r"): line, end = line[:-1], "\r\n"
    parts = [part for part in line.split(" ") if part]
    need(parts[:1] == ["svc-files:v1"], "the words commit to no file")
    root = re.fullmatch(r"root=([0-9a-f]{64}) files=([1-9][0-9]{0,4})", " ".join(parts[1:]))
    need(root or len(parts) == 1, "the words commit to no file")
    committed = under_root(manifest, root[1], int(root[2])) if root else listed(rest, end or "\n")
    here = []
    for path, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(path, name), "rb") as file: digest = sha(file.read()).hex()
            here.append((os.path.relpath(os.path.join(path, name), folder).replace(os.sep, "/"), digest))
    wanted, found = ({unicodedata.normalize("NFC", name): digest for name, digest in some} for some in (committed, here))
    need(len(wanted) == len(committed) > 0 and len(found) == len(here), "no file, or two that have the same name")
    for name in sorted({*wanted, *found}): need(wanted.get(name) == found.get(name), f"a file differs, is missing or is one more: {name!r}")


def judge_files(words, verdict, files, manifest=None):
    if words is None: return "wait"
    if manifest is not None:
        with open(manifest, "rb") as file: manifest = read_json(file.read(), 2**26)
    check_files(words, files, manifest)
    return verdict


def read_pins(arguments):
    pins, promise, etch, content = {}, None, None, None
    for argument in arguments:
        name, _, value = argument.rpartition("=")
        if name == "promise":
            with open(value, "rb") as file: promise = read_json(file.read(), 2**20)
            if isinstance(promise, dict): content, promise = promise.get("content"), promise.get("promise") or promise
        elif name == "etch":
            with open(value, "rb") as file: etch = read_json(file.read(), 2**20)["etch"]
        elif name == "trust":
            with open(value, "rb") as file: known = read_json(file.read(), 2**20)
            chain = known["chain"]
            named = {"chain": [chain["chain_id"]], "contract": [chain["attestation_contract"]], "schema": [chain["schema_uid"]]}
            named.update(relayer=chain["relayers"], key=known.get("promise", {}).get("keys", []))
            for each, values in named.items(): pins.setdefault(each, []).extend(values)
        else:
            pins.setdefault(name or "relayer", []).append(int(value) if name == "chain" else value)
    lower = {name: [one.lower() if text(one) else one for one in values] for name, values in pins.items()}
    return lower, promise, etch, content if text(content) else None


def main(file, url, *arguments):
    def ask(method, params):
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        with urllib.request.urlopen(urllib.request.Request(url, body, {"content-type": "application/json"}), timeout=10) as answer:
            return answer.read(65537)

    more = ("files=", "manifest=", "tlog=", "policy=")
    named = dict(one.split("=", 1) for one in arguments if one.startswith(more))
    try:
        pins, promise, etch, content = read_pins([one for one in arguments if not one.startswith(more)])
        with open(file, "rb") as receipt: data = receipt.read(2**20 + 1)
        verdict = judge(data, pins, ask, promise, print, etch, content)
        receipt, named_files = read_receipt(data), {name: named[name] for name in ("files", "manifest") if name in named}
        if "files" in named: verdict = judge_files(receipt["canonical_string"], verdict, **named_files)
        if "tlog" in named: verdict = judge_log(receipt, verdict, named["tlog"], named["policy"])
    except Refused as fault:
        print(f"FAIL: {fault}")
        return 1
    print("PASS" if verdict == "pass" else "WAIT: it is not known yet, or holds only if what is not pinned is right")
    return 0 if verdict == "pass" else 2


def run():
    if len(sys.argv) < 3: sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))


if __name__ == "__main__":
    run()
