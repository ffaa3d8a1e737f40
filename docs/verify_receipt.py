"""Checks a receipt as docs/protocol.md says, all but an author's signature. Exits 0 pass, 1 fail, 2 wait.
verify_receipt.py receipt.json RPC-URL [relayer=0x... contract=0x... schema=0x... chain=1], what you trust, from elsewhere."""
import calendar, hashlib, json, sys, time, urllib.request
receipt, trusted = json.load(open(sys.argv[1], encoding="utf-8")), [arg.lower().rpartition("=") for arg in sys.argv[3:]]
chain, inclusion, retraction, status = (receipt[key] for key in ("chain", "inclusion", "revocation", "status"))
def need(truth, what): truth or sys.exit("FAIL: " + what)
def sha(*parts): return hashlib.sha256(b"".join(parts)).digest()
def rpc(method, *params):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    request = urllib.request.Request(sys.argv[2], body, {"content-type": "application/json"})
    return json.load(urllib.request.urlopen(request, timeout=10))["result"]
def fold(tree):  # from the leaf up to the root
    author = bytes.fromhex(receipt["author"]["user_id"].replace("-", "")) if tree["tree_version"] == 2 else b""
    node, size, proof = sha(b"\0", author, bytes.fromhex(receipt["hash"])), tree["tree_size"], tree["proof"]
    for sibling in map(bytes.fromhex, proof): node = sha(b"\1", min(node, sibling), max(node, sibling))
    need(node.hex() == tree["root"] and (size > 1) <= len(proof) <= (size - 1).bit_length(), "the proof does not fold to the root")
def read(uid, kind, tree):  # attester, time and revocation time, if it holds what it must; None while nothing can be read
    try:
        if uid is None or int(rpc("eth_chainId"), 16) != chain["chain_id"]: return None
        answer = bytes.fromhex(rpc("eth_call", {"to": chain["attestation_contract"], "data": "0xa3112a64" + uid[2:]}, "latest")[2:])
        word = [answer[i:i + 32] for i in range(0, len(answer), 32)]
        if len(word) < 12 or word[1].hex() != uid[2:]: return None  # not known there, or a broken endpoint
    except Exception: return None
    data = bytes.fromhex(tree["root"]) + b"".join(n.to_bytes(32, "big") for n in (kind, tree["tree_version"], tree["tree_size"]))
    need(word[2].hex() == chain["schema_uid"][2:], "another schema")
    need(word[11][-1] == 128 and answer[384:] == data, "the attestation holds something else")
    return "0x" + word[8][12:].hex(), int.from_bytes(word[3], "big"), int.from_bytes(word[5], "big")

words, created, relayer = receipt["canonical_string"], 0, chain["relayer"].lower()
need((words is None) == (status != "revealed"), "the status")
for name, field in {"relayer": "relayer", "contract": "attestation_contract", "schema": "schema_uid", "chain": "chain_id"}.items():
    pinned, claim = [value for key, _, value in trusted if (key or "relayer") == name], str(chain[field]).lower()
    need(not pinned or claim in pinned, f"the {name} is not the trusted one")
    if not pinned: print("not pinned, only the receipt says so:", name, claim)
if receipt["signature"]: print("not checked: the author's signature (Ed25519 is not in the standard library)")
if words is not None:
    tag, user, stated, salt, content = words.split("|", 4)
    need(sha(words.encode()).hex() == receipt["hash"] and (tag, user) == ("svc:v1", receipt["author"]["user_id"]), "the words")
    created = calendar.timegm(time.strptime(stated, f"%Y-%m-%dT%H:%M:%S.{stated[20:23]}Z"))  # cut to the second
if inclusion: fold(inclusion)
tree = inclusion or {"root": receipt["hash"], "tree_version": 0, "tree_size": 1}
found = read(chain["attestation_uid"], 0, tree)
if found:
    attester, attested, revoked = found
    need(attester == relayer and chain["expect_onchain"] == tree["root"], "the attester or the expected root")
    need(chain["anchored_at"] in (None, time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(attested))), "the time of anchoring")
    need(attested >= created and not (inclusion and revoked), "attested before the stated time, or a tree was revoked")
    print("attested at", attested, "which is late: only that time is proven" if 0 < created < attested - 600 else "")
done = bool(found)
if retraction and retraction["kind"] == 1:
    if retraction["attestation_uid"]: fold(retraction)
    tombstone = read(retraction["attestation_uid"], 1, retraction)
    need(not tombstone or (tombstone[0] == relayer and not tombstone[2]), "the tombstone")
    done = done and bool(tombstone)
elif status == "retracted":
    need(not retraction or (not inclusion and retraction["attestation_uid"] in (None, chain["attestation_uid"])), "the retraction")
    done = done and bool(retraction and found[2])
print("PASS" if done else "WAIT")
sys.exit(0 if done else 2)
