// docs/protocol.md
import { attestationData, canonical, etchHash, leaf, seeded, seededUuid, tree } from './rules.mjs';
import { TRUST } from './scenario.mjs';

const [ADA, BEN] = ['audited', 'another'].map((name) => seededUuid(`account ${name}`));
const hex = (name) => seeded(`audit ${name}`).toString('hex');
const uid = (name) => `0x${hex(`uid ${name}`)}`;
const TIME = 1_800_000_000;
const ANCHORED_AT = new Date(TIME * 1000).toISOString();

const written = [ADA, ADA, ADA, BEN, BEN].map((user_id, at) => {
  const etch = {
    user_id,
    created_at: new Date(Date.UTC(2026, 0, 2, 3, 4, at)).toISOString(),
    salt: hex(`salt ${at}`),
    content: `Text ${at}`,
  };
  return { ...etch, hash: etchHash(etch) };
});
const alone = { user_id: ADA, hash: hex('tree-less') };

function treeOf(kind, leaves) {
  const { root, proofs } = tree(leaves.map(({ user_id, hash }) => leaf(2, user_id, hash)));
  const named = leaves.map(({ user_id, hash }) => ({ user_id, hash }));
  return { root, kind, tree_version: 2, tree_size: leaves.length, leaves: named, proofs };
}
const TREE = treeOf(0, written);
const TOMBSTONES = treeOf(1, [written[0]]);

const attestation = (name, data, changes = {}) => ({
  uid: uid(name),
  schema: TRUST.schema_uid,
  attester: TRUST.relayers[0],
  time: TIME,
  revocation_time: 0,
  data: `0x${attestationData(data)}`,
  ...changes,
});
const NOTHING = { root: null, proof: null, tree_size: null, tree_version: null };
const NO_TOMBSTONE = {
  revocation_status: 'none',
  revocation_attestation_uid: null,
  revocation_root: null,
  revocation_proof: null,
  revocation_tree_version: null,
};

const HIDDEN = { canonical_string: null, content: null, salt: null, created_at: null };

const etchOf = (at) => ({
  id: seededUuid(`audited etch ${at}`),
  status: 'revealed',
  mode: 'instant',
  hash: written[at].hash,
  canonical_string: canonical(written[at]),
  content: written[at].content,
  salt: written[at].salt,
  created_at: written[at].created_at,
  created_on: written[at].created_at.slice(0, 10),
  author: { user_id: written[at].user_id },
  chain: {
    status: 'anchored',
    attestation_uid: uid('tree'),
    root: TREE.root,
    proof: TREE.proofs[at],
    tree_size: TREE.tree_size,
    tree_version: 2,
    anchored_at: ANCHORED_AT,
    ...NO_TOMBSTONE,
  },
});
const singleEtch = {
  id: seededUuid('audited etch without a tree'),
  status: 'sealed',
  mode: 'delayed',
  hash: alone.hash,
  ...HIDDEN,
  created_on: '2026-01-02',
  author: { user_id: ADA },
  chain: {
    status: 'anchored',
    attestation_uid: uid('single'),
    anchored_at: ANCHORED_AT,
    ...NOTHING,
    ...NO_TOMBSTONE,
  },
};

const sound = () => ({
  attestations: [attestation('tree', { ...TREE })],
  trees: [{ root: TREE.root, kind: 0, tree_version: 2, leaves: structuredCopy(TREE.leaves) }],
  record: [etchOf(0), etchOf(1), etchOf(2)],
});
const structuredCopy = (value) => JSON.parse(JSON.stringify(value));

function retract(world) {
  world.attestations.push(attestation('tombstones', { ...TOMBSTONES }));
  const { root, kind, leaves } = TOMBSTONES;
  world.trees.push({ root, kind, tree_version: 2, leaves });
  Object.assign(world.record[0], { status: 'retracted', ...HIDDEN });
  Object.assign(world.record[0].chain, {
    revocation_status: 'revoked',
    revocation_attestation_uid: uid('tombstones'),
    revocation_root: root,
    revocation_proof: [],
    revocation_tree_version: 2,
  });
}

function addSingle(world, revoked = false) {
  const data = { root: alone.hash, kind: 0, tree_version: 0, tree_size: 1 };
  world.attestations.push(attestation('single', data, revoked ? { revocation_time: TIME + 9 } : {}));
  world.record.push(structuredCopy(singleEtch));
}

const CASES = [
  ['a whole record', 'pass', () => undefined],
  ['a retracted etch with its tombstone', 'pass', retract],
  ['a tree that is attested twice', 'pass', (w) => w.attestations.push(attestation('again', { ...TREE }))],
  [
    'an attestation by another attester',
    'pass',
    (w) =>
      w.attestations.push(
        attestation('stranger', { ...TREE, root: hex('x') }, { attester: `0x${'7'.repeat(40)}` }),
      ),
  ],
  [
    'an etch that is not anchored yet',
    'pass',
    (w) => {
      const pending = {
        ...etchOf(0),
        id: seededUuid('pending'),
        hash: hex('pending'),
        mode: 'delayed',
        ...HIDDEN,
      };
      w.record.push({
        ...pending,
        status: 'sealed',
        chain: {
          status: 'pending',
          attestation_uid: null,
          anchored_at: null,
          ...NOTHING,
          ...NO_TOMBSTONE,
        },
      });
    },
  ],
  ['an etch without a tree', 'pass', (w) => addSingle(w)],
  [
    'a retracted etch without a tree',
    'pass',
    (w) => {
      addSingle(w, true);
      w.record[3].status = 'retracted';
      w.record[3].chain.revocation_status = 'revoked';
    },
  ],
  ['leaves that cannot be had', 'wait', (w) => (w.trees[0].leaves = null)],
  [
    'an attestation by the relayer whose data is of another form',
    'wait',
    (w) => w.attestations.push(attestation('odd', { ...TREE }, { data: '0x00' })),
  ],
  [
    'an attestation of kind 1 without a tree',
    'wait',
    (w) =>
      w.attestations.push(attestation('odd', { root: hex('x'), kind: 1, tree_version: 0, tree_size: 1 })),
  ],
  ['a leaf that the record leaves out', 'fail', (w) => w.record.pop()],
  ['an etch that the record shows twice', 'fail', (w) => w.record.push(etchOf(0))],
  ['an etch of another account', 'fail', (w) => (w.record[0].author.user_id = BEN)],
  ['words that do not make the hash', 'fail', (w) => (w.record[0].canonical_string += '!')],
  [
    'a proof that does not fold',
    'fail',
    (w) => (w.record[0].chain.proof = [...w.record[0].chain.proof, hex('x')]),
  ],
  ['an attestation that is not there', 'fail', (w) => (w.record[0].chain.attestation_uid = uid('nowhere'))],
  ['a tree whose attestation was revoked', 'fail', (w) => (w.attestations[0].revocation_time = TIME + 9)],
  [
    'a tree that is attested twice, and once revoked',
    'fail',
    (w) => w.attestations.push(attestation('again', { ...TREE }, { revocation_time: TIME + 9 })),
  ],
  ['a leaf that was changed', 'fail', (w) => (w.trees[0].leaves[4].hash = hex('x'))],
  ['a leaf too few', 'fail', (w) => w.trees[0].leaves.pop()],
  [
    'a fault, and leaves that cannot be had',
    'fail',
    (w) => {
      retract(w);
      w.trees[1].leaves = null;
      w.record.pop();
    },
  ],
  [
    'a tombstone of an etch that is shown as revealed',
    'fail',
    (w) => {
      retract(w);
      w.record[0] = etchOf(0);
    },
  ],
  [
    'a tombstone that is not attested',
    'fail',
    (w) => {
      retract(w);
      w.attestations.pop();
      w.trees.pop();
    },
  ],
  ['a revoked etch without a tree that is shown as sealed', 'fail', (w) => addSingle(w, true)],
  [
    'a revocation that the chain does not have',
    'fail',
    (w) => {
      addSingle(w);
      w.record[3].status = 'retracted';
      w.record[3].chain.revocation_status = 'revoked';
    },
  ],
  [
    'an attested etch without a tree that the service does not have',
    'fail',
    (w) => {
      addSingle(w);
      w.record.pop();
    },
  ],
];

export function* wholeAuditVectors() {
  const cases = CASES.map(([about, expect, change]) => {
    const world = sound();
    change(world);
    return { about, expect, ...world };
  });
  yield [
    'valid/audits',
    {
      about:
        'what is attested, the leaves of the trees as the service gives them (null: it does not), and the record of an account',
      trust: TRUST,
      account: { user_id: ADA, username: 'audited' },
      cases,
    },
  ];
}
