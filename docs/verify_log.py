#!/usr/bin/env python3
"""Checks an anchored log from files alone (docs/conventions.md#append-only-logs), with nothing but Python's own library.

    python3 verify_log.py <log> <state.json> <receipt.json>...
    python3 verify_log.py --proof <line.json> <receipt.json>

<state.json> is in the folder <log>.svc-log and has the salt. The receipts are those of all anchored states, in any order. The
script recomputes each receipt's hash from its words and each root from the log. With --proof it checks one line, which
`svc log prove` wrote, under the root of one receipt. verify_receipt.py checks each receipt on the chain.
"""
import base64
import hashlib
import json
import re
import sys

WORDS = re.compile(r"svc-log:v1 +root=([0-9a-f]{64}) +lines=(0|[1-9][0-9]{0,14})(?: +prev=([0-9a-f-]{36}))? *\r?(?:\n|\Z)")


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def fail(message):
    sys.exit("FAIL: " + message)


def state_of(receipt):
    """{id, author, root, lines, prev} of a receipt whose words make its hash"""
    canonical, receipt_id = receipt["canonical_string"], receipt["etch_id"]
    if canonical is None or hashlib.sha256(canonical.encode()).hexdigest() != receipt["hash"]:
        fail(f"the words of etch {receipt_id} do not make its hash")
    tag, author, _, _, content = canonical.split("|", 4)
    found = WORDS.match(content)
    if tag != "svc:v1" or author != receipt["author"]["user_id"] or found is None:
        fail(f"etch {receipt_id} is not a state of a log by its author")
    root, lines, prev = found.groups()
    return {"id": receipt_id, "author": author, "root": root, "lines": int(lines), "prev": prev}


def in_order(states):
    """the states from the first to the last, each naming the one before"""
    by_id = {state["id"]: state for state in states}
    named = {state["prev"] for state in states}
    last = [state for state in states if state["id"] not in named]
    if len(last) != 1:
        fail("the receipts are not of one chain of states")
    chain = last
    while chain[0]["prev"] is not None:
        later = chain[0]
        if later["prev"] not in by_id or len(chain) > len(states):
            fail(f"the receipt of the earlier state {later['prev']} is missing")
        earlier = by_id[later["prev"]]
        if earlier["author"] != later["author"] or earlier["lines"] >= later["lines"]:
            fail(f"etch {later['id']} does not continue etch {earlier['id']}")
        chain.insert(0, earlier)
    return chain


def lines_of(path):
    """A line is the bytes up to LF; bytes after the last LF are a line too."""
    with open(path, "rb") as file:
        for line in file:
            yield line[:-1] if line.endswith(b"\n") else line


def root_of(edge):
    """RFC 6962: the subtrees at the right edge, joined from the right"""
    if not edge:
        return sha256()
    root = edge[-1][1]
    for _, left in reversed(edge[:-1]):
        root = sha256(b"\x01", left, root)
    return root


def root_above(leaf, index, size, path):
    """RFC 9162, 2.1.3.2: the root over a leaf and its path, None for a path of another length"""
    node, last, root = index, size - 1, leaf
    for sibling in path:
        if last == 0:
            return None
        if node & 1 or node == last:
            root = sha256(b"\x01", sibling, root)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            root = sha256(b"\x01", root, sibling)
        node, last = node >> 1, last >> 1
    return root if last == 0 else None


def prove(proof_path, receipt_path):
    with open(proof_path, encoding="utf-8") as file:
        proof = json.load(file)
    with open(receipt_path, encoding="utf-8") as file:
        state = state_of(json.load(file))
    number, size, line = proof["number"], proof["lines"], base64.b64decode(proof["line"], validate=True)
    if b"\n" in line or b"\r" in line[:-1]:
        fail("the line of the proof has a line end")
    leaf = sha256(b"\x00", bytes.fromhex(proof["salt"]), line)
    root = root_above(leaf, number - 1, size, [bytes.fromhex(one) for one in proof["proof"]]) if 1 <= number <= size else None
    if root is None or (root.hex(), size) != (state["root"], state["lines"]):
        fail(f"this is not line {number} of the {state['lines']} lines that etch {state['id']} anchored")
    print(ascii(line.decode("utf-8", "replace"))[1:-1])
    print(f"PASS: this is line {number} of {size} in etch {state['id']}. Check the receipt on the chain.")


def main(log, state_path, *receipt_paths):
    with open(state_path, encoding="utf-8") as file:
        salt = bytes.fromhex(json.load(file)["salt"])
    receipts = []
    for path in receipt_paths:
        with open(path, encoding="utf-8") as file:
            receipts.append(json.load(file))
    states = in_order([state_of(receipt) for receipt in receipts])
    sizes = {state["lines"] for state in states}
    edge, roots, number = [], {0: root_of([]).hex()}, 0
    for number, line in enumerate(lines_of(log), 1):
        height, right = 0, sha256(b"\x00", sha256(salt, number.to_bytes(8, "big")), line)
        while edge and edge[-1][0] == height:
            height, right = height + 1, sha256(b"\x01", edge.pop()[1], right)
        edge.append((height, right))
        if number in sizes:
            roots[number] = root_of(edge).hex()
    verified = 0
    for state in states:
        if roots.get(state["lines"]) != state["root"]:
            fail(f"one of the lines {verified + 1} to {state['lines']} is not the line that etch {state['id']} anchored")
        verified = state["lines"]
        print(f"ok    {state['id']}  {state['lines']} lines")
    print(f"PASS: {len(states)} anchored states are prefixes of the log, which has {number} lines. Check each receipt on the chain.")


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    if sys.argv[1] == "--proof":
        prove(*sys.argv[2:4])
    else:
        main(*sys.argv[1:])
