// Evidence on a chain that the service left, as a witness of evidence on its new chain. The former one is from a chain (files that
// generate.mjs keeps).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const kept = (name) =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../valid/evidence-${name}-among-20.json`), 'utf8'));
const TREE = kept('tree');
const other = (digits) => `0x${'7'.repeat(digits)}`;
const hex = (bytes) => `0x${Buffer.from(bytes).toString('hex')}`;
const witness = (proof) => ({ of: 'commitment', kind: 'former-chain', proof });
const copy = (value) => JSON.parse(JSON.stringify(value));

const NEW = {
  name: 'A newer chain',
  chain_id: 100,
  attestation_contract: other(40),
  schema_uid: other(64),
  attestation_uid: `0x${'8'.repeat(64)}`,
  relayer: `0x${'9'.repeat(40)}`,
  tx_hash: null,
  anchored_at: null,
};

/** The file on the new chain, whose own proof is being made. */
const moved = ({ receipt }, ...proofs) => ({
  _format: 'svc-evidence:v1',
  receipt: { ...receipt, chain: { ...receipt.chain, ...NEW }, former: [receipt.chain] },
  commitment: null,
  tombstone: null,
  witnesses: proofs.map(witness),
  wait: 'the proof is being made',
});

function made({ evidence, trust, block_hashes }, expect, change = () => undefined) {
  const parts = copy({ inner: evidence, former: { trust, block_hashes } });
  change(parts.inner, parts.former);
  const text =
    typeof parts.former.text === 'function' ? parts.former.text(parts.inner) : JSON.stringify(parts.inner);
  delete parts.former.text;
  return { evidence: copy(moved(evidence, hex(text))), former: [parts.former], expect };
}

function two() {
  const one = made(TREE, ['pass', 'wait']);
  const second = copy({ ...TREE.evidence, commitment: null });
  Object.assign(second.receipt.chain, { name: 'A second chain', chain_id: 10 });
  one.evidence.witnesses.push({ of: 'commitment', kind: 'unheard-of', proof: '0x' });
  one.evidence.witnesses.push(witness(hex(JSON.stringify(second))));
  one.evidence.receipt.former.push(second.receipt.chain);
  one.former.push({ trust: { ...TREE.trust, chain_id: 10 }, block_hashes: null });
  return one;
}

const CASES = [
  ['one chain', made(TREE, ['pass'])],
  ['a retracted etch', made(kept('tree-retracted'), ['pass'])],
  ['an etch without a tree', made(kept('single'), ['pass'])],
  ['nobody vouches for a block', made(TREE, ['wait'], (_, former) => (former.block_hashes = null))],
  ['two chains, the first one first, and a witness of a kind that is not known', two()],
];

/** By fault: the verdict and the change to the former evidence, or to its trust and blocks. */
const INVALID = {
  'of-another-etch': ['refuse', ({ receipt }) => (receipt.etch_id = receipt.author.user_id)],
  'of-another-hash': ['refuse', ({ receipt }) => (receipt.hash = '7'.repeat(64))],
  'of-another-author': ['refuse', ({ receipt }) => (receipt.author.user_id = receipt.etch_id)],
  'with-witnesses-of-its-own': ['refuse', (inner) => (inner.witnesses = [witness('0x')])],
  'with-a-field-more': ['refuse', (inner) => (inner.more = 1)],
  'with-a-field-less': ['refuse', (inner) => delete inner.tombstone],
  'of-another-format': ['refuse', (inner) => (inner._format = 'svc-evidence:v2')],
  'with-a-malformed-receipt': ['refuse', ({ receipt }) => delete receipt.chain],
  empty: ['refuse', (_, former) => (former.text = () => '')],
  'a-receipt-alone': ['refuse', (_, former) => (former.text = ({ receipt }) => JSON.stringify(receipt))],
  'not-utf-8': [
    'refuse',
    (_, former) =>
      (former.text = (inner) =>
        Buffer.from(JSON.stringify(inner).replace('"_what_this_is":"', '$&\u00e9'), 'latin1')),
  ],
  'words-changed': [['fail'], ({ receipt }) => (receipt.canonical_string += '!')],
  'header-changed': [['fail'], ({ commitment }) => (commitment.header += '00')],
  'another-time': [['fail'], ({ commitment }) => commitment.preimage.time++],
  'block-of-another-hash': [['fail'], (_, former) => (former.block_hashes = [other(64)])],
  'trust-of-the-new-chain': [
    ['fail'],
    (_, { trust }) =>
      Object.assign(trust, {
        chain_id: 100,
        contract: other(40),
        schema_uid: other(64),
        relayers: [NEW.relayer],
      }),
  ],
};

/** Changes to the list that the receipt of the new chain has. */
const LISTS = {
  'no-list': (receipt) => (receipt.former = receipt.former[0]),
  null: (receipt) => (receipt.former = null),
  'chain-id-0': (receipt) => (receipt.former[0].chain_id = 0),
  'time-without-milliseconds': (receipt) => (receipt.former[0].anchored_at = '2026-01-01T00:00:00Z'),
  'uid-in-upper-case': ({ former: [one] }) => (one.attestation_uid = `0x${'A'.repeat(64)}`),
  'field-missing': (receipt) => delete receipt.former[0].relayer,
  'entry-is-a-text': (receipt) => receipt.former.push('0x00'),
};

export function* formerVectors() {
  yield [
    'valid/former-chain',
    {
      about:
        'evidence whose witnesses are evidence on former chains; expect has the verdict of each by its own trust',
      cases: CASES.map(([about, one]) => ({ about, ...one })),
    },
  ];
  for (const [fault, [expect, change]] of Object.entries(INVALID))
    yield [`invalid/former-${fault}`, { about: fault.replaceAll('-', ' '), ...made(TREE, expect, change) }];
  for (const [fault, change] of Object.entries(LISTS)) {
    const vector = made(TREE, 'refuse');
    change(vector.evidence.receipt);
    yield [`invalid/former-list-${fault}`, { about: `list: ${fault.replaceAll('-', ' ')}`, ...vector }];
  }
}
