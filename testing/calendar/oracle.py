"""Judges .ots files by the official library: one JSON object a line, {"ots": hex, "headers": [hex]}."""

import json
import sys
import warnings

from bitcoin.core import CBlockHeader
from opentimestamps.core.notary import BitcoinBlockHeaderAttestation, PendingAttestation, VerificationError
from opentimestamps.core.serialize import BytesDeserializationContext
from opentimestamps.core.timestamp import DetachedTimestampFile

warnings.simplefilter("ignore")


def named(message, attestation):
    if isinstance(attestation, BitcoinBlockHeaderAttestation):
        return f"{message.hex()} bitcoin {attestation.height}"
    if isinstance(attestation, PendingAttestation):
        return f"{message.hex()} pending {attestation.uri}"
    return f"{message.hex()} other"


def judge(ots, headers):
    try:
        file = DetachedTimestampFile.deserialize(BytesDeserializationContext(bytes.fromhex(ots)))
    except Exception:
        return None
    found = list(file.timestamp.all_attestations())
    times = []
    for message, attestation in found:
        if not isinstance(attestation, BitcoinBlockHeaderAttestation):
            continue
        for header in headers:
            try:
                header = CBlockHeader.deserialize(bytes.fromhex(header))
                times.append(attestation.verify_against_blockheader(message, header))
            except VerificationError:
                pass
    return {
        "digest": file.file_digest.hex(),
        "attestations": sorted(named(*one) for one in found),
        "times": sorted(times),
    }


for line in sys.stdin:
    print(json.dumps(judge(**json.loads(line))))
