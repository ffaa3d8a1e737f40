#!/usr/bin/env python3
"""Checks the index of accounts (docs/protocol.md#418-the-index-of-accounts), with nothing but Python's own library.

    python3 verify_index.py <log key> <record.json of svc record>
    python3 verify_index.py <log key> <all pages of GET /log/index/<user id>>...
    python3 verify_index.py --log <log key> <service url>

The log key is the first of log.keys in /.well-known/svc.json: use a source that you trust. --log recomputes every index entry.
"""
import functools
import json
import sys
import urllib.request

from verify_receipt import LOG, Refused, base64_of, count_of, key_of, need, read_note, sha, signed


def number(count): return count.to_bytes(8, "big")
def join(left, right): return sha(b"\1", left, right)
def bit_of(key, bit): return key[bit >> 3] >> (7 - (bit & 7)) & 1
def hash_of(digits, size=32):
    need(isinstance(digits, str) and digits == digits.lower() and len(digits) == 2 * size, f"a value is not {size} bytes in lower-case hex")
    return bytes.fromhex(digits)


def tree_root(peaks):
    """RFC 6962: the perfect subtrees, (size, hash) with the largest first, joined from the right"""
    return functools.reduce(lambda right, left: join(left, right), [root for _, root in reversed(peaks)])


def add(peaks, leaf, size=1):
    while peaks and peaks[-1][0] == size:
        leaf, size = join(peaks.pop()[1], leaf), 2 * size
    peaks.append((size, leaf))


def peaks_of(count, roots):
    sizes = [1 << bit for bit in range(count.bit_length() - 1, -1, -1) if count >> bit & 1]
    need(len(sizes) == len(roots), "before does not fit from")
    return [(size, hash_of(root)) for size, root in zip(sizes, roots)]


@functools.cache
def check_checkpoint(note, log_key):
    """(size, root) of a checkpoint that the log signed"""
    name, ident, key, _ = key_of(log_key, LOG)
    body, signatures = read_note(note)
    origin, size, root = (body.split("\n") + ["", "", ""])[:3]
    own = [by for named, of, by in signatures if (named, of) == (name, ident)]
    need(origin == name and own, "the log did not sign the checkpoint")
    need(all(len(by) == 64 and signed(key, body.encode(), by.hex()) for by in own), "the signature of the log is wrong")
    return count_of(size), base64_of(root)


def read_index(data):
    """(root of the map, covered entries) of an index entry; None for another entry"""
    if int.from_bytes(data[32:64], "big") != 2: return None
    version, covered = (int.from_bytes(data[at:at + 32], "big") for at in (64, 96))
    need(len(data) == 128 and version == 1 and covered < 1 << 32, "the index entry has another form")
    return data[:32], covered


def check_inclusion(data, at, size, root, proof):
    """RFC 9162, 2.1.3.2"""
    need(0 <= at < size, "the index entry is behind the checkpoint")
    node, place, last = sha(b"\0", data), at, size - 1
    for sibling in map(hash_of, proof):
        need(last > 0, "index.proof has too many hashes")
        right = place & 1 or place == last
        node = join(sibling, node) if right else join(node, sibling)
        while right and not place & 1 and place:
            place, last = place >> 1, last >> 1
        place, last = place >> 1, last >> 1
    need(last == 0 and node == root, "index.proof does not lead to the checkpoint")


def check_path(answer, key, root):
    """Presence, or absence by the leaf at which the search ends."""
    path, other, count = answer["path"], answer["other"], answer["count"]
    if count == 0 and other is None:
        return need(path == [] and root == bytes(32) and answer["account_root"] is None, "the map is not empty")
    at, value = (key, number(count) + hash_of(answer["account_root"])) if count else (hash_of(other["key"]), hash_of(other["value"], 40))
    need(count or at != key, "the account has entries")
    node, above = sha(b"\2", at, value), 256
    for step in path:
        bit, sibling = step["bit"], hash_of(step["hash"])
        need(type(bit) is int and 0 <= bit < above, "the bits of the path do not fall")
        need(bit_of(at, bit) == bit_of(key, bit), "the search does not end at other")
        node, above = sha(b"\3", bytes([bit]), *((sibling, node) if bit_of(at, bit) else (node, sibling))), bit
    need(node == root, "the path does not lead to the root of the map")


def check_answers(log_key, user_id, pages):
    """(entries as (log index, kind, hash), covered entries of the log) @raises Refused"""
    key, peaks, entries, first = sha(hash_of(user_id.replace("-", ""), 16)), [], [], pages[0]
    size, log_root = check_checkpoint(first["checkpoint"], log_key)
    for page in pages:
        need(all(type(page[name]) is int for name in ("count", "from")) and type(page["more"]) is bool, "count, from or more has another form")
        need((page["count"] == 0) == (page["account_root"] is None) and not (page["count"] and page["other"]), "account_root and other do not fit count")
        same = ("user_id", "index", "count", "account_root", "path", "other")
        need(all(page[name] == first[name] for name in same) and page["user_id"] == user_id, "the pages are of several answers")
        need(check_checkpoint(page["checkpoint"], log_key) == (size, log_root), "a page is of another checkpoint: read all pages again")
        need(page["from"] == len(entries) and peaks_of(page["from"], page["before"]) == peaks, "a page does not continue the earlier one")
        for entry in (hash_of(entry, 41) for entry in page["entries"]):
            add(peaks, sha(b"\0", entry))
            entries.append((int.from_bytes(entry[:8], "big"), entry[8], entry[9:].hex()))
    data, at = hash_of(first["index"]["data"], 128), first["index"]["log_index"]
    check_inclusion(data, at, size, log_root, first["index"]["proof"])
    need((found := read_index(data)) and found[1] <= at, "index.data is no index entry, or covers what is behind it")
    check_path(first, key, found[0])
    need(len(entries) == first["count"] and not pages[-1]["more"], "entries are missing")
    need(not entries or tree_root(peaks).hex() == first["account_root"], "the entries do not make account_root")
    need(all(kind in (0, 1) and index < found[1] for index, kind, _ in entries), "an entry is not covered, or has another kind")
    need(entries == sorted(entries, key=lambda entry: entry[0]), "the entries are out of order")
    return entries, found[1]


def map_root(leaves):
    """From the definition: the leaves, (key, value), are divided at the first bit at which they differ."""
    if len(leaves) < 2: return sha(b"\2", *leaves[0]) if leaves else bytes(32)
    bit = next(bit for bit in range(256) if len({bit_of(key, bit) for key, _ in leaves}) == 2)
    return sha(b"\3", bytes([bit]), *(map_root([leaf for leaf in leaves if bit_of(leaf[0], bit) == side]) for side in (0, 1)))


def check_log(log_key, service, say=print):
    def get(path):
        with urllib.request.urlopen(f"{service}/log/{path}") as answer: return answer.read()
    size, root = check_checkpoint(get("checkpoint").decode(), log_key)
    log, accounts, indexes, covered, waiting = [], {}, 0, 0, []
    for first in range(0, size, 256):
        width, tile = min(256, size - first), first // 256
        name = f"x{tile // 1000:03}/{tile % 1000:03}" if tile >= 1000 else f"{tile:03}"
        data = get(f"tile/entries/{name}" + (f".p/{width}" if width < 256 else ""))
        need(len(data) == 130 * width, "a tile of entries has another length")
        for at, entry in enumerate((data[n + 2:n + 130] for n in range(0, len(data), 130)), first):
            add(log, sha(b"\0", entry))
            found, kind, version, count = read_index(entry), entry[63], entry[95], int.from_bytes(entry[96:128], "big")
            if found:
                need(covered <= found[1] <= at, f"entry {at} covers fewer trees than an earlier one, or more than are before it")
                indexes, covered = indexes + 1, found[1]
                for index, which, leaf in (one for one in waiting if one[0] < covered):
                    add(accounts.setdefault(leaf[:16].hex(), []), sha(b"\0", number(index), bytes([which]), leaf[16:]))
                waiting = [one for one in waiting if one[0] >= covered]
                leaves = [(sha(bytes.fromhex(user)), number(sum(size for size, _ in peaks)) + tree_root(peaks)) for user, peaks in accounts.items()]
                need(found[0] == map_root(leaves), f"entry {at} is not the index of the trees before it")
            elif version == 2:
                packed = get(f"leaves/{at}")
                leaves = sorted((packed[n:n + 48] for n in range(0, len(packed), 48)), key=lambda leaf: sha(b"\0", leaf))
                level = [sha(b"\0", leaf) for leaf in leaves]
                while len(level) > 1:
                    pairs = [level[n:n + 2] for n in range(0, len(level), 2)]
                    level = [sha(b"\1", *sorted(pair)) if len(pair) == 2 else pair[0] for pair in pairs]
                need(len(leaves) == count and level == [entry[:32]], f"the leaves of entry {at} do not make its root")
                waiting += [(at, kind, leaf) for leaf in leaves]
    need(tree_root(log) == root, "the entries do not make the root of the checkpoint")
    for user in [*accounts, sha(b"nobody").hex()[:32]]:
        user_id, pages = "-".join((user[:8], user[8:12], user[12:16], user[16:20], user[20:])), []
        while not pages or pages[-1]["more"]:
            pages.append(json.loads(get(f"index/{user_id}?from={sum(len(page['entries']) for page in pages)}")))
        entries, now = check_answers(log_key, user_id, pages)
        need(now >= covered and sum(at < covered for at, _, _ in entries) == sum(size for size, _ in accounts.get(user, [])), f"the index of {user_id} lacks entries")
    say(f"PASS: {indexes} index entries over {size - indexes} trees are right, and so are the answers for {len(accounts)} accounts and an absent one")


def check_record(etches, entries, user_id):
    """Every entry is in the record, and the words make the hashes. @returns whether an attested etch or tombstone has no entry"""
    shown = {etch["hash"]: etch["status"] for etch in etches}
    missing = [one for _, kind, one in entries if one not in shown or (kind == 1 and shown[one] != "retracted")]
    need(not missing, f"the record leaves out, or does not show as retracted: {', '.join(missing)}")
    need(len(shown) == len(etches), "the record shows an etch twice")
    for etch in etches:
        words, one = etch["canonical_string"], etch["hash"]
        need(etch["author"]["user_id"] == user_id and (words is None) == (etch["status"] != "revealed"), f"{one} has another author, or words that do not fit its status")
        need(words is None or sha(words.encode()).hex() == one, f"the words of {one} do not make this hash")
        fields = [etch["author"]["user_id"], etch["created_at"], etch["salt"], etch["content"]]
        need(fields[1:] == [None] * 3 if words is None else fields == words.split("|", 4)[1:], f"{one} shows other fields than its words")
    attested = {(kind, etch["hash"]) for etch in etches for kind, of in ((0, ""), (1, "revocation_")) if (etch["chain"][of + "attestation_uid"] or of and etch["chain"][of + "root"]) and etch["chain"][of + "tree_version"] == 2}
    return not attested <= {one[1:] for one in entries}


def main(log_key, *files):
    if log_key == "--log": return check_log(*files)
    pages = [json.load(open(path, encoding="utf-8")) for path in files]
    record = pages[0] if pages[0].get("_format") == "svc-record:v1" else {"index": pages, "user": pages[0]}
    entries, covered = check_answers(log_key, user_id := record["user"]["user_id"], record["index"])
    size = check_checkpoint(record["index"][0]["checkpoint"], log_key)[0]
    waits = "etches" in record and (check_record(record["etches"], entries, user_id) or covered + 1 < size)
    etches, retracted = ({one for _, kind, one in entries if kind == which} for which in (0, 1))
    print(f"{'WAIT: save the file again later, it shows nothing about later entries, or an attested etch or tombstone has no entry' if waits else 'PASS'}: {user_id} has {len(etches)} etches, {len(retracted)} retracted, in the trees below entry {covered} of {size} of the log. Only a witness that recomputes the index proves that it is right.")
    return 2 if waits else 0


if __name__ == "__main__":
    if len(sys.argv) < 3: sys.exit(__doc__)
    try:
        sys.exit(main(*sys.argv[1:]))
    except OSError as fault:
        sys.exit(print(f"WAIT: a file or the service cannot be read now: {fault}") or 2)
    except (Refused, LookupError, TypeError, ValueError, AttributeError) as fault:
        sys.exit(f"FAIL: {fault}")
