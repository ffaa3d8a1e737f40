"""Checks an evidence file offline, as docs/protocol.md says (section 4.8), with nothing but Python's standard library.

    verify_evidence.py evidence.json trust=svc.json [trust=former.json] [block=0x... | rpc=URL]
        [tsa-certificates=FILE] [bitcoin-header=HEX]

What you trust comes from elsewhere than the file: trust=FILE is a copy of the service's /.well-known/svc.json, once more for a
chain that the service left; block=HASH, once or more, is the hash of a block that you trust; rpc=URL is a node that knows it.
tsa-certificates=FILE has, in PEM, the time-stamping authorities that you trust; bitcoin-header=HEX, once or more, is a block of Bitcoin.
Exits 0 pass, 1 fail, 2 wait, 3 for a pass with witnesses of an unknown kind, which are named and not checked.
"""
import json, sys, urllib.request
from verify_hashes import keccak
from verify_stamps import check_ots, check_tokens, read_certificates, read_header
from verify_receipt import MOST, Refused, check_words, judge, match, need, null_or, one_of, pin, read_json, read_pins, receipt_of, whole, list_of

ATTESTED = "8bf46bf4cfd674fa735a3d63ec1c9ad4153f033c290341f3a588b75685141b35"
REVOKED = "f930a6e2523c9cc298691873087a740550b8fc85a0680830414c148ed927f615"


# RLP in its canonical form: bytes, or a list.
def rlp(data):
    value, rest = item(data, 0)
    need(rest == b"", "bytes follow the RLP")
    return value


def item(data, depth):
    need(data and depth <= 8, "no RLP")
    first = data[0]
    if first < 0x80: return data[:1], data[1:]
    base = 0xC0 if first >= 0xC0 else 0x80
    start, length = 1, first - base
    if length > 55:
        start, digits = 1 + length - 55, data[1:1 + length - 55]
        length = int.from_bytes(digits, "big")
        need(len(digits) == start - 1 and digits[0] != 0 and length > 55, "a length in RLP is not minimal")
    content, rest = data[start:start + length], data[start + length:]
    need(len(content) == length, "the RLP is cut")
    if base == 0x80:
        need(length != 1 or content[0] >= 0x80, "a byte in RLP is not minimal")
        return content, rest
    found = []
    while content:
        one, content = item(content, depth + 1)
        found.append(one)
    return found, rest


def number(value):
    need(isinstance(value, bytes) and value[:1] != b"\0" and int.from_bytes(value, "big") <= MOST, "a number in RLP has the wrong form")
    return int.from_bytes(value, "big")


def index(value):
    digits = value.to_bytes((value.bit_length() + 7) // 8, "big")
    return digits if len(digits) == 1 and value < 0x80 else bytes([0x80 + len(digits)]) + digits


# The form (section 3.2).
BYTES = match("0x(?:[0-9a-f]{2})*")
def sized(count): return match(f"0x[0-9a-f]{{{2 * count}}}")
def raw(value): return bytes.fromhex(value[2:])


def exactly(optional=(), **forms):
    def form(value):
        need(isinstance(value, dict) and {*forms} - {*optional} <= {*value} <= {*forms}, "a field is missing, or one is not known")
        for name, one in value.items(): need(forms[name](one), f"{name} has the wrong form")
        return True
    return form


def truth(value): return isinstance(value, bool)
def anything(_): return True


POSITION = whole(0, 16777215)
LOG = dict(header=BYTES, transaction_index=POSITION, nodes=lambda value: list_of(BYTES, 16)(value) and len(value) > 0, log=POSITION)
PREIMAGE = exactly(
    schema=sized(32), ref_uid=sized(32), recipient=sized(20), attester=sized(20), time=whole(0, MOST), expiration_time=whole(0, MOST),
    revocable=truth, data=BYTES, bump=whole(0, 2**32 - 1))
PROOF_OF_LOG, PROOF_OF_CLAIM = exactly(**LOG), exactly(preimage=PREIMAGE, **LOG)
WITNESS = exactly(of=one_of("commitment", "tombstone"), kind=match("[a-z0-9-]{1,32}"), proof=BYTES)
EVIDENCE = exactly(
    ("witnesses", "wait"), _format=one_of("svc-evidence:v1"), receipt=anything, commitment=null_or(PROOF_OF_CLAIM), tombstone=anything,
    witnesses=lambda value: list_of(WITNESS, 16)(value) and len(value) > 0, wait=match("[ -~]{1,200}"))


def evidence_of(value):
    """The evidence and its receipt."""
    EVIDENCE(value)
    receipt = receipt_of(value["receipt"])
    revocation, commitment, tombstone = receipt["revocation"], value["commitment"], value["tombstone"]
    of_kind_1 = revocation is not None and revocation["kind"] is not None
    need(null_or(PROOF_OF_CLAIM if of_kind_1 else PROOF_OF_LOG)(tombstone), "the tombstone has the wrong form")
    need(commitment is None or receipt["chain"]["attestation_uid"] is not None, "a commitment though the etch is pending")
    need(tombstone is None or None not in (revocation, commitment), "a tombstone without a revocation or a commitment")
    need("wait" not in value or commitment is None or (revocation is not None and tombstone is None), "a reason to wait though no proof is missing")
    need(of_kind_1 or all(one["of"] == "commitment" for one in value.get("witnesses", [])), "a witness of a tombstone that is not there")
    return value, receipt


# The proofs (section 4.8).
def walk(root, key, nodes):
    path = [half for byte in key for half in (byte >> 4, byte & 15)]
    for at, node in enumerate(map(raw, nodes)):
        need(keccak(node) == root, "a node is not the one that is named")
        found, last = rlp(node), at == len(nodes) - 1
        need(isinstance(found, list) and len(found) in (2, 17), "a node has the wrong form")
        if len(found) == 17:
            need(path and not last, "the nodes end before the receipt")
            root, path = found[path[0]], path[1:]
            continue
        need(isinstance(found[0], bytes) and found[0] and isinstance(found[1], bytes), "a node has the wrong form")
        kind, odd = found[0][0] >> 5, found[0][0] >> 4 & 1
        need(found[0][0] < 0x40 and (odd or found[0][0] & 15 == 0), "a path has the wrong form")
        steps = ([found[0][0] & 15] if odd else []) + [half for byte in found[0][1:] for half in (byte >> 4, byte & 15)]
        need(path[:len(steps)] == steps and (kind == 1) == last and (kind == 0 or len(steps) == len(path)), "the nodes lead elsewhere")
        if kind: return found[1]
        root, path = found[1], path[len(steps):]
    raise Refused("the nodes lead to no receipt")


def prove_log(proof, trust):
    """Topics and data of a log by the pinned contract, and its block as (hash, number, time)."""
    header = rlp(raw(proof["header"]))
    need(isinstance(header, list) and len(header) >= 12 and isinstance(header[5], bytes) and len(header[5]) == 32, "the header has the wrong form")
    block = "0x" + keccak(raw(proof["header"])).hex(), number(header[8]), number(header[11])
    receipt = walk(header[5], index(int(proof["transaction_index"])), proof["nodes"])
    receipt = rlp(receipt[1:] if receipt and receipt[0] < 0x80 else receipt)
    need(isinstance(receipt, list) and len(receipt) > 3 and receipt[0] == b"\1" and isinstance(receipt[3], list), "the transaction failed")
    need(proof["log"] < len(receipt[3]), "there is no such log")
    log = receipt[3][int(proof["log"])]
    need(isinstance(log, list) and [type(one) for one in log] == [bytes, list, bytes], "the log has the wrong form")
    need("0x" + log[0].hex() == trust["contract"], "the log is not by the trusted contract")
    return log[1], log[2], block


def word(address): return bytes(12) + raw(address)


def prove_claim(proof, trust, uid):
    """The attestation that the log is of, and its block."""
    topics, data, block = prove_log(proof, trust)
    of = proof["preimage"]
    need(topics == [bytes.fromhex(ATTESTED), word(of["recipient"]), word(of["attester"]), raw(of["schema"])], "the log has other topics")
    need(of["time"] == block[2], "the attestation has a different time than the block")
    sizes = ("time", 8), ("expiration_time", 8), ("revocable", 1)
    numbers = b"".join(int(of[name]).to_bytes(size, "big") for name, size in sizes)
    parts = raw(of["schema"]), raw(of["recipient"]), raw(of["attester"]), numbers, raw(of["ref_uid"]), raw(of["data"]), int(of["bump"]).to_bytes(4, "big")
    need(keccak(b"".join(parts)) == data == raw(uid), "the log is of a different attestation")
    return {"schema": of["schema"], "attester": of["attester"], "time": int(of["time"]), "revoked": 0, "data": raw(of["data"])}, block


def prove_revocation(proof, trust, of, uid):
    topics, data, block = prove_log(proof, trust)
    need(topics == [bytes.fromhex(REVOKED), word(of["recipient"]), word(of["attester"]), raw(of["schema"])] and data == raw(uid), "the log revokes a different attestation")
    need(block[2] >= of["time"], "it was revoked before it was attested")
    return block


def prove(evidence, receipt, trust, knows):
    """The attestations that are proven, by their uid. knows(hash, number): is the block the reader's? None if no source knows it."""
    chain, revocation, commitment, tombstone = receipt["chain"], receipt["revocation"], evidence["commitment"], evidence["tombstone"]
    if commitment is None: return {}
    uid = chain["attestation_uid"]
    attested, block = prove_claim(commitment, trust, uid)
    found, blocks = {uid: attested}, [block]
    if tombstone is not None and "preimage" in tombstone:
        found[revocation["attestation_uid"]], block = prove_claim(tombstone, trust, revocation["attestation_uid"])
        blocks.append(block)
    elif tombstone is not None:
        block = prove_revocation(tombstone, trust, commitment["preimage"], uid)
        attested["revoked"] = block[2]
        blocks.append(block)
    known = [knows(*block[:2]) for block in blocks]
    need(False not in known, "a block is not the one that is trusted")
    if len(blocks) > len(found): return found if None not in known else {}
    return {uid: one for (uid, one), is_known in zip(found.items(), known) if is_known}


def judge_evidence(data, pins_of, knows, say=lambda *_: None, certificates=(), headers=()):
    """('pass' or 'wait', the kinds of witnesses that were not checked). pins_of(chain id) @raises Refused, which is a fail

    A clock that waits does not change the verdict.
    """
    evidence, receipt = evidence_of(read_json(data, 2**20))
    former, unread = [], []
    for one in evidence.get("witnesses", []):
        if one["kind"] == "former-chain": former.append(former_of(raw(one["proof"]), receipt))
        elif one["kind"] not in ("rfc3161", "ots"): unread.append(one["kind"])
    verdict = judge_one(evidence, receipt, pins_of, knows, say)
    stated, witnesses = check_words(receipt), evidence.get("witnesses", [])
    clocks = {"tsa": check_tokens(receipt, witnesses, list(certificates), stated), "ots": check_ots(receipt, witnesses, headers, stated)}
    for name, found in clocks.items():
        if found: say(f"{name}:", *found)
        need(not found or found[0] != "fail", f"{name}: {found and found[1]}")
    for inner in former:
        try: found = judge_one(*inner, pins_of, knows)
        except Refused as fault: found = f"fail, {fault}"
        say("former chain:", inner[1]["chain"]["chain_id"], found)
    for kind in unread: say("not checked: the witness of kind", kind)
    return verdict, unread


def judge_one(evidence, receipt, pins_of, knows, say=lambda *_: None):
    pins = pins_of(int(receipt["chain"]["chain_id"]))
    trust, _ = pin(receipt, pins)
    return judge(receipt, pins, prove(evidence, receipt, trust, knows), say=say)


def former_of(data, outer):
    need(data[:2] not in (b"\xff\xfe", b"\xfe\xff"), "evidence on a former chain is in UTF-8")
    evidence, receipt = evidence_of(read_json(data, 2**20))
    same = lambda of: (of["etch_id"], of["hash"], of["author"]["user_id"])
    need("witnesses" not in evidence and same(receipt) == same(outer), "evidence on a former chain is of something else")
    return evidence, receipt


def main(file, *arguments):
    named = [one.split("=", 1) for one in arguments]
    kinds = "block", "rpc", "tsa-certificates", "bitcoin-header"
    hashes, urls, authorities, blocks = ([value for name, value in named if name == kind] for kind in kinds)
    by_chain, certificates = {}, []
    for name, value in named:
        if name == "trust":
            pins = read_pins([f"trust={value}"])[0]
            by_chain.setdefault(pins["chain"][0], pins)

    def knows(digest, at):
        if hashes: return digest in hashes
        if not urls: return None
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "eth_getBlockByNumber", "params": [hex(at), False]}).encode()
        try:
            with urllib.request.urlopen(urllib.request.Request(urls[0], body, {"content-type": "application/json"}), timeout=10) as answer:
                return json.loads(answer.read(2**22))["result"]["hash"].lower() == digest
        except Exception:
            return None

    # A chain that is not pinned is compared with the pins of the first, and fails.
    first = next(iter(by_chain.values()), {})
    try:
        for name in authorities:
            with open(name) as pem: certificates += read_certificates(pem.read())
        headers = [read_header(one) for one in blocks]
        with open(file, "rb") as evidence: data = evidence.read(2**20 + 1)
        verdict, unread = judge_evidence(data, lambda chain: by_chain.get(chain, first), knows, print, certificates, headers)
    except Refused as fault:
        print(f"FAIL: {fault}")
        return 1
    if verdict == "wait": print("WAIT: a block or a proof is not known, or it holds only if what is not pinned is right")
    else: print("UNCHECKED" if unread else "PASS", "(a later revocation is not excluded)")
    return 2 if verdict == "wait" else 3 if unread else 0


def run():
    if len(sys.argv) < 2: sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))


if __name__ == "__main__":
    run()
