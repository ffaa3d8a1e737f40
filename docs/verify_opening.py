"""Checks the opening of a seal in form, as docs/protocol.md says (section 4.11, steps 1 and 3), with nothing but Python's standard library.

    verify_opening.py opening.json

Prints the key that signed it. Python has no pairing of BLS12-381, so the words are not decrypted and not compared with the hash.
Exits 1 for a fail, else 3: the ciphertext was not checked. `svc open` decrypts.
"""
import re, sys
from verify_evidence import exactly
from verify_receipt import HASH, KEY, SIGNATURE, UUID, Refused, base64_of, need, one_of, read_json, sha, signed, text, whole

EXPLAINED = (
    "The words of a sealed etch, encrypted to a round of a drand chain: from that round on anybody who has this file can open it, without the service that made it. "
    "It outlives a retraction. Nobody can test it before that round; if it then holds something else, its signature proves who made it.")
OPENING = exactly(
    _format=one_of("svc-opening:v1"), _what_this_is=one_of(EXPLAINED), etch_id=UUID, hash=HASH, chain_hash=HASH, round=whole(1, 9999999999),
    ciphertext=text, public_key=KEY, signature=SIGNATURE)
ARMOR = r"-----BEGIN AGE ENCRYPTED FILE-----\n((?:[A-Za-z0-9+/]{64}\n)*[A-Za-z0-9+/]{1,64}={0,2}\n)-----END AGE ENCRYPTED FILE-----\n"
BODY = rb"\n[A-Za-z0-9+/]{64}\n[A-Za-z0-9+/]{64}\n[A-Za-z0-9+/]{43}\n--- [A-Za-z0-9+/]{43}\n(?s:.+)"


def check_opening(data):
    """The opening, whose words were not decrypted. @raises Refused"""
    opening = read_json(data, 2**20)
    OPENING(opening)
    armor, at = re.fullmatch(ARMOR, opening["ciphertext"]), int(opening["round"])
    need(armor, "the ciphertext is no armored age file")
    message = "|".join(["svc-opening:v1", *(opening[name] for name in ("etch_id", "hash", "chain_hash")), str(at), sha(opening["ciphertext"].encode()).hex()])
    need(signed(opening["public_key"], message.encode(), opening["signature"]), "the signature of the opening does not verify")
    stanza = f"age-encryption.org/v1\n-> tlock {at} {opening['chain_hash']}".encode()
    need(re.fullmatch(re.escape(stanza) + BODY, base64_of(armor[1].replace("\n", ""))), "the ciphertext is not for this round of this chain")
    return opening


def main(file):
    try:
        with open(file, "rb") as data: opening = check_opening(data.read(2**20 + 1))
    except Refused as fault:
        print(f"FAIL: {fault}")
        return 1
    print("signed by the key", opening["public_key"], "for round", int(opening["round"]))
    print("not checked: whether the ciphertext opens to words of the hash")
    print("UNCHECKED")
    return 3


def run():
    if len(sys.argv) != 2: sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))


if __name__ == "__main__":
    run()
