// Each part can be changed before the next is made from it.
import {
  attestationAnswer,
  attestationData,
  canonical,
  etchHash,
  keyPair,
  leaf,
  seeded,
  seededUuid,
  sha256,
  tree,
} from './rules.mjs';

const hex32 = (name) => `0x${seeded(name).toString('hex')}`;
const address = (name) => hex32(name).slice(0, 42);
const toTime = (seconds) => new Date(seconds * 1000).toISOString();

export const TRUST = {
  chain_id: 31_337,
  contract: address('contract'),
  schema_uid: hex32('schema'),
  relayers: [address('relayer')],
};

function plant(etch, { version, size, name }) {
  const others = Array.from({ length: size - 1 }, (_, i) =>
    leaf(version, seededUuid(`${name} other ${i}`), seeded(`${name} other ${i}`).toString('hex')),
  );
  const { root, proofs } = tree([leaf(version, etch.user_id, etch.hash), ...others]);
  return { root, proof: proofs[0], tree_size: size, tree_version: version };
}

function attestation(name, data, time, changes = {}) {
  return {
    uid: hex32(`uid ${name}`),
    schema: TRUST.schema_uid,
    attester: TRUST.relayers[0],
    time,
    revocation_time: 0,
    revocable: data.tree_version === 0,
    data: `0x${attestationData(data)}`,
    ...changes,
  };
}

/**
 * @param options.scheme 0 (its own attestation), 1 or 2 (tree version)
 * @param options.milliseconds of `created_at`
 * @param options.attested seconds after `created_at`; null while pending
 * @param options.change changes the receipt and the attestations by role
 */
export function scenario(name, options = {}) {
  const {
    scheme = 2,
    size = 5,
    status = 'revealed',
    content = 'It will rain on Sunday.',
    signed = false,
  } = options;
  const { milliseconds = 123, attested = 12, retraction = null, change = () => {} } = options;
  const created = Date.UTC(2026, 4, 6, 7, 8, 9, milliseconds);
  const author = keyPair(`author of ${name}`);
  const etch = {
    user_id: seededUuid(`author of ${name}`),
    created_at: new Date(created).toISOString(),
    salt: seeded(`salt of ${name}`).toString('hex'),
    content,
  };
  etch.hash = etchHash(etch);
  const place = scheme === 0 ? null : plant(etch, { version: scheme, size, name });
  const own = { root: etch.hash, tree_version: 0, tree_size: 1 };
  const time = Math.floor(created / 1000) + (attested ?? 0);
  const commitment = attestation(name, { ...(place ?? own), kind: 0 }, time);
  const tombPlace =
    scheme === 0 ? null : plant(etch, { version: scheme, size: 3, name: `${name} tombstone` });
  const tombstone =
    tombPlace === null ? null : attestation(`${name} tombstone`, { ...tombPlace, kind: 1 }, time + 90);
  const open = status === 'revealed';
  const anchored = attested !== null;
  const signature = author.sign(
    `svc-sig:v1|${etch.user_id}|${sha256(Buffer.from(content, 'utf8')).toString('hex')}`,
  );

  const receipt = {
    _format: 'svc-receipt:v1',
    _what_this_is: 'A receipt of an etch. Check it by docs/protocol.md, without the service.',
    _verify_without_etch: 'https://svc.example/verify',
    etch_id: seededUuid(`etch ${name}`),
    status,
    author: { user_id: etch.user_id, username: 'agent_vector' },
    canonical_string: open ? canonical(etch) : null,
    hash: etch.hash,
    inclusion:
      place === null || !anchored
        ? null
        : {
            ...place,
            leaf_rule:
              scheme === 1
                ? 'sha256(0x00 || hash)'
                : 'sha256(0x00 || author user id as 16 raw bytes || hash)',
            node_rule: 'sha256(0x01 || min(a,b) || max(a,b))',
          },
    revocation: null,
    signature: open && signed ? { value: signature, public_key: author.public_key } : null,
    chain: {
      name: 'vectors',
      chain_id: TRUST.chain_id,
      attestation_contract: TRUST.contract,
      schema_uid: TRUST.schema_uid,
      attestation_uid: anchored ? commitment.uid : null,
      expect_onchain: anchored ? commitment.data.slice(2, 66) : null,
      relayer: TRUST.relayers[0],
      tx_hash: anchored ? hex32(`tx ${name}`) : null,
      anchored_at: anchored ? toTime(time) : null,
    },
  };
  if (status === 'retracted')
    receipt.revocation = revocation({ name, scheme, retraction, time, commitment, tombPlace });
  if (retraction === 'anchored' && scheme === 0) commitment.revocation_time = time + 90;
  const roles = { commitment, tombstone };
  change(receipt, roles, etch);
  const attestations = [anchored ? commitment : null, retraction === 'anchored' ? tombstone : null].filter(
    Boolean,
  );
  const chainId = options.chainId ?? TRUST.chain_id;
  const known = options.unknown ? [] : attestations;
  return { receipt, trust: TRUST, chain: { chain_id: chainId, eth_call: answers(known) } };
}

function revocation({ name, scheme, retraction, time, commitment, tombPlace }) {
  const retracted_at = toTime(time + 60);
  const final = retraction === 'anchored';
  if (scheme === 0)
    return {
      retracted_at,
      attestation_uid: commitment.uid,
      tx_hash: final ? hex32(`revocation ${name}`) : null,
      kind: null,
    };
  const nothing = { root: null, proof: null, tree_size: null, tree_version: null };
  return {
    retracted_at,
    ...(final ? tombPlace : nothing),
    attestation_uid: final ? hex32(`uid ${name} tombstone`) : null,
    tx_hash: final ? hex32(`revocation ${name}`) : null,
    kind: 1,
  };
}

/** `asked` is the requested uid when a lying endpoint answers with a different one. */
function answers(known) {
  return Object.fromEntries(
    known.map(({ asked, ...found }) => [asked ?? found.uid, attestationAnswer(found)]),
  );
}
