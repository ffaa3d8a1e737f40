#!/usr/bin/env python3
"""Checks a declared scope from an export alone (docs/conventions.md#declared-completeness), with nothing but Python's own library.

    python3 verify_scope.py <export> <etch id>

<export> is an archive by `svc-admin export --public`, or a folder with what is in it: of that, records/<username>/<n>.json and
trees/<root>-<kind>.json are read. The script recomputes every hash, and checks that every leaf of a declared account in the trees
is in its record. `svc audit --scope` also checks that the trees are on the chain, and the domain.
"""
import json
import re
import sys

from score import bound_parts, files_of, nfc

UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
SCOPE = re.compile(
    rf"svc-scope:v1 *\r?\nsubject +([^\r\n ](?:[^\r\n]*[^\r\n ])?) *((?:\r?\naccount +{UUID} +[a-z0-9_]{{3,70}} *)*)(?:\r?\ndomain +([a-z0-9.:-]+) *)?"
    r"(?:\r?\n(?:\r?\n(?:.|\n)*)?)?"
)


def fail(message):
    sys.exit("FAIL: broken: " + message)


def scope_of(etch):
    """{etch, created_at, subject, accounts: {id: username}, domain} of an etch whose words make its hash, else None"""
    bound = bound_parts(etch) if etch["status"] == "revealed" else None
    found = bound and SCOPE.fullmatch(bound[1])
    if not found:
        return None
    named = re.findall(rf"account +({UUID}) +([a-z0-9_]+)", found[2])
    accounts = dict(named)
    if len(accounts) != len(named) or len(set(accounts.values())) != len(named):
        return None
    return {"etch": etch, "created_at": bound[0], "subject": nfc(found[1]), "accounts": accounts, "domain": found[3]}


def follow(declared, later):
    """the scope that counts now, and whether it was widened"""
    current, widened = declared, None
    for scope in later:
        if scope["subject"] != declared["subject"]:
            continue
        if not current["accounts"].keys() <= scope["accounts"].keys():
            fail(f"etch {scope['etch']['id']} drops an account")
        if current["domain"] is not None and scope["domain"] != current["domain"]:
            fail(f"etch {scope['etch']['id']} drops the domain")
        if len(scope["accounts"]) > len(current["accounts"]):
            widened = scope
        current = scope
    return current, widened


def main(path, etch_id):
    etches, trees = {}, []
    for name, text in files_of(path):
        record = re.fullmatch(r"records/([^/]+)/\d+\.json", name)
        if record:
            etches.setdefault(record[1], []).extend(json.loads(text)["etches"])
        elif re.fullmatch(r"trees/[^/]+\.json", name):
            trees.append(json.loads(text)["batch"])
    author = next((who for who, own in etches.items() if any(etch["id"] == etch_id for etch in own)), None)
    if author is None:
        fail(f"the export has no etch {etch_id}")
    own = etches[author]
    etch = next(etch for etch in own if etch["id"] == etch_id)
    declared = scope_of(etch) if etch["mode"] == "instant" else None
    if declared is None:
        fail(f"etch {etch_id} declares no scope")
    if etch["author"]["user_id"] in declared["accounts"]:
        fail("the scope lists its author, who is always part of it")
    # The hash binds the time in the words. The order of the record and the mode of a later etch are only the service's word.
    others = [scope for scope in map(scope_of, own) if scope is not None and scope["etch"]["hash"] != etch["hash"]]
    later = sorted(
        (scope for scope in others if scope["created_at"] >= declared["created_at"]), key=lambda scope: scope["created_at"]
    )
    current, widened = follow(declared, later)
    accounts = {declared["etch"]["author"]["user_id"]: author, **current["accounts"]}
    for user_id, username in accounts.items():
        if username not in etches:
            fail(f"the export has no record of {username}")
        shown = etches[username]
        if any(etch["author"]["user_id"] != user_id for etch in shown):
            fail(f"the account {username} has another id than {user_id}")
        for etch in shown:
            if etch["status"] == "revealed" and bound_parts(etch) is None:
                fail(f"the words of etch {etch['id']} do not make its hash")
        hashes = {etch["hash"] for etch in shown}
        for tree in trees:
            for leaf in tree["leaves"]:
                if leaf.get("user_id") == user_id and leaf["hash"] not in hashes:
                    fail(f"the record of {username} leaves out the hash {leaf['hash']}")
        print(f"ok    {username}  {len(shown)} etches")
    how = "" if widened is None else f" and widened by etch {widened['etch']['id']}"
    print(f"PASS: complete as declared{how}: {len(accounts)} accounts. Check the trees on the chain (svc audit --scope).")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
