// Changed copies of evidence from a chain.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const kept = (name) =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../valid/evidence-${name}-among-20.json`), 'utf8'));
const TREE = kept('tree');
const RETRACTED = kept('tree-retracted');
const SINGLE = kept('single');
const SINGLE_RETRACTED = kept('single-retracted');
const other = (digits) => `0x${'7'.repeat(digits)}`;
const lastDigit = (hex) => hex.slice(0, -1) + (hex.endsWith('0') ? '1' : '0');

/** [original file, verdict, change to the evidence or to the whole vector] */
const INVALID = {
  'a-node-left-out': [RETRACTED, 'fail', (e) => e.commitment.nodes.splice(1, 1)],
  'a-node-too-many': [RETRACTED, 'fail', (e) => e.commitment.nodes.push(e.commitment.nodes[0])],
  'no-node': [TREE, 'refuse', (e) => (e.commitment.nodes = [])],
  'another-transaction': [TREE, 'fail', (e) => e.commitment.transaction_index++],
  'another-log': [TREE, 'fail', (e) => e.commitment.log++],
  'another-time': [TREE, 'fail', (e) => e.commitment.preimage.time++],
  'another-bump': [TREE, 'fail', (e) => e.commitment.preimage.bump++],
  'another-attester': [TREE, 'fail', (e) => (e.commitment.preimage.attester = other(40))],
  'another-root': [
    TREE,
    'fail',
    (e) => (e.commitment.preimage.data = e.commitment.preimage.data.replace(/^0x.{64}/, other(64))),
  ],
  'header-changed': [TREE, 'fail', (e) => (e.commitment.header = lastDigit(e.commitment.header))],
  'header-with-a-byte-more': [TREE, 'fail', (e) => (e.commitment.header += '00')],
  'hex-in-upper-case': [
    TREE,
    'refuse',
    (e) => (e.commitment.header = `0x${e.commitment.header.slice(2).toUpperCase()}`),
  ],
  'hex-without-prefix': [TREE, 'refuse', (e) => (e.commitment.header = e.commitment.header.slice(2))],
  'time-as-text': [TREE, 'refuse', (e) => (e.commitment.preimage.time = String(e.commitment.preimage.time))],
  'a-field-that-is-not-known': [TREE, 'refuse', (e) => (e.commitment.more = 1)],
  'a-field-missing': [TREE, 'refuse', (e) => delete e.tombstone],
  'another-format': [TREE, 'refuse', (e) => (e._format = 'svc-evidence:v2')],
  'tombstone-as-commitment': [RETRACTED, 'fail', (e) => (e.commitment = e.tombstone)],
  'commitment-as-tombstone': [RETRACTED, 'fail', (e) => (e.tombstone = e.commitment)],
  'tombstone-without-commitment': [RETRACTED, 'refuse', (e) => (e.commitment = null)],
  'tombstone-though-not-retracted': [TREE, 'refuse', (e) => (e.tombstone = e.commitment)],
  'revocation-with-a-preimage': [
    SINGLE_RETRACTED,
    'refuse',
    (e) => (e.tombstone.preimage = e.commitment.preimage),
  ],
  'receipt-names-another-attestation': [TREE, 'fail', (e) => (e.receipt.chain.attestation_uid = other(64))],
  'receipt-changed': [TREE, 'fail', (e) => (e.receipt.canonical_string += '!')],
  'single-with-a-tombstone-kind': [
    SINGLE_RETRACTED,
    'fail',
    (e) => {
      e.tombstone = null;
      Object.assign(e.receipt.revocation, {
        kind: 1,
        attestation_uid: null,
        tx_hash: null,
        root: null,
        proof: null,
        tree_size: null,
        tree_version: null,
      });
    },
  ],
  'block-of-another-hash': [TREE, 'fail', (_, v) => (v.block_hashes = [other(64)])],
  'second-block-not-given': [RETRACTED, 'fail', (_, v) => v.block_hashes.pop()],
  'trust-in-another-contract': [TREE, 'fail', (_, v) => (v.trust.contract = other(40))],
  'trust-in-another-relayer': [TREE, 'fail', (_, v) => (v.trust.relayers = [other(40)])],
  'wait-though-every-proof-is-there': [TREE, 'refuse', (e) => (e.wait = 'the proof is being made')],
  'wait-of-two-lines': [
    TREE,
    'refuse',
    (e) => Object.assign(e, { commitment: null, wait: 'the proof\nis being made' }),
  ],
  'witnesses-without-one': [TREE, 'refuse', (e) => (e.witnesses = [])],
  'witness-of-something-else': [TREE, 'refuse', (e) => (e.witnesses = [{ ...WITNESS, of: 'words' }])],
  'witness-of-no-tombstone': [TREE, 'refuse', (e) => (e.witnesses = [{ ...WITNESS, of: 'tombstone' }])],
  'witness-with-a-field-more': [TREE, 'refuse', (e) => (e.witnesses = [{ ...WITNESS, more: 1 }])],
};
const WITNESS = { of: 'commitment', kind: 'unheard-of', proof: '0x3000' };

const OTHERS = [
  ['no block hash is given', TREE, 'wait', (_, v) => (v.block_hashes = null)],
  ['the commitment has no proof', TREE, 'wait', (e) => (e.commitment = null)],
  [
    'the commitment has no proof, for a reason',
    TREE,
    'wait',
    (e) => Object.assign(e, { commitment: null, wait: 'the proof is being made' }),
  ],
  ['the tombstone has no proof', RETRACTED, 'wait', (e) => (e.tombstone = null)],
  ['the revocation has no proof', SINGLE_RETRACTED, 'wait', (e) => (e.tombstone = null)],
  ['a witness of a kind that is not known', TREE, 'pass', (e) => (e.witnesses = [WITNESS])],
  ['an etch without a tree', SINGLE, 'pass', () => undefined],
  ['a block hash more than is needed', TREE, 'pass', (_, v) => v.block_hashes.push(other(64))],
];

function changed([base, expect, change]) {
  const { evidence, trust, block_hashes } = JSON.parse(JSON.stringify(base));
  const vector = { evidence, trust, block_hashes, expect };
  change(evidence, vector);
  return vector;
}

export function* evidenceVectors() {
  for (const [fault, [base, expect, change]] of Object.entries(INVALID))
    yield [
      `invalid/evidence-${fault}`,
      { about: fault.replaceAll('-', ' '), ...changed([base, expect, change]) },
    ];
  yield [
    'valid/more-evidence',
    {
      about: 'evidence that passes or waits; without block hashes (null) nobody vouches for a block',
      cases: OTHERS.map(([about, ...rest]) => ({ about, ...changed(rest) })),
    },
  ];
}
