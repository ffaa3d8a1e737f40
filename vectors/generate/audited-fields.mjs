// Records with one changed field (docs/protocol.md).
import { canonical, etchHash, leaf, seeded, seededUuid, tree } from './rules.mjs';

const hex = (name) => seeded(`audit ${name}`).toString('hex');
const uid = (name) => `0x${hex(`uid ${name}`)}`;
const [ADA, BEN] = [seededUuid('audit ada'), seededUuid('audit ben')];
const TIME = Date.parse('2026-03-01T12:00:00.000Z') / 1000;
const at = (seconds) => new Date(seconds * 1000).toISOString();

function parts(name, user_id = ADA) {
  const made = {
    user_id,
    created_at: '2026-03-01T11:59:58.123Z',
    salt: hex(`salt ${name}`),
    content: `The text of ${name} | with a bar\nand a line.`,
  };
  return { ...made, id: seededUuid(`audit etch ${name}`), hash: etchHash(made) };
}
const all = Object.fromEntries(
  ['open', 'sealed', 'retracted', 'taken down', 'of version 1', 'alone', 'alone and revoked', 'pending'].map(
    (name) => [name, parts(name)],
  ),
);
const others = parts('of another', BEN);

/** Version 0: an etch without a tree. */
function attested(name, kind, version, etches, more = {}) {
  const leaves = etches.map(({ user_id, hash }) => ({ user_id, hash }));
  const { root, proofs } =
    version === 0
      ? { root: etches[0].hash, proofs: [[]] }
      : tree(leaves.map(({ user_id, hash }) => leaf(version, user_id, hash)));
  return {
    proofOf: ({ hash }) => proofs[leaves.findIndex((one) => one.hash === hash)],
    shown: {
      uid: uid(name),
      kind,
      root,
      tree_version: version,
      tree_size: leaves.length,
      time: TIME + kind * 60,
      revoked: false,
      leaves: version === 2 ? leaves : leaves.map(({ hash }) => ({ hash })),
      ...more,
    },
  };
}
const commits = attested('commits', 0, 2, [all.open, all.sealed, all.retracted, all['taken down'], others]);
const stones = attested('tombstones', 1, 2, [all.retracted, all['taken down']]);
const version1 = attested('version 1', 0, 1, [all['of version 1'], others]);
const alone = attested('alone', 0, 0, [all.alone]);
const revoked = attested('revoked', 0, 0, [all['alone and revoked']], { revoked: true });
const trees = [commits, stones, version1, alone, revoked].map(({ shown }) => shown);

const UNANCHORED = {
  attestation_uid: null,
  anchored_at: null,
  root: null,
  proof: null,
  tree_size: null,
  tree_version: null,
};
const NO_TOMBSTONE = {
  revocation_status: 'none',
  revocation_attestation_uid: null,
  revocation_root: null,
  revocation_proof: null,
  revocation_tree_version: null,
};

function etch({ id, user_id, hash, created_at, salt, content }, { proofOf, shown } = {}, more = {}) {
  const own = { created_at, salt, content };
  const inTree = shown !== undefined && shown.tree_version !== 0;
  const { chain, ...rest } = more;
  return {
    id,
    status: 'sealed',
    mode: 'delayed',
    hash,
    content: null,
    salt: null,
    created_at: null,
    canonical_string: null,
    author: { user_id },
    ...(more.status === 'revealed' && { ...own, canonical_string: canonical({ user_id, ...own }) }),
    ...rest,
    chain: {
      status: shown === undefined ? 'pending' : 'anchored',
      ...UNANCHORED,
      ...(shown && { attestation_uid: shown.uid, anchored_at: at(shown.time) }),
      ...(inTree && {
        root: shown.root,
        proof: proofOf({ hash }),
        tree_size: shown.tree_size,
        tree_version: shown.tree_version,
      }),
      ...NO_TOMBSTONE,
      ...chain,
    },
  };
}
const tombstone = (one) => ({
  revocation_status: 'revoked',
  revocation_attestation_uid: stones.shown.uid,
  revocation_root: stones.shown.root,
  revocation_proof: stones.proofOf(one),
  revocation_tree_version: 2,
});

const record = () => ({
  open: etch(all.open, commits, { status: 'revealed', mode: 'instant' }),
  sealed: etch(all.sealed, commits),
  retracted: etch(all.retracted, commits, { status: 'retracted', chain: tombstone(all.retracted) }),
  'taken down': etch(all['taken down'], commits, {
    status: 'retracted',
    retracted_by: 'operator',
    chain: tombstone(all['taken down']),
  }),
  'of version 1': etch(all['of version 1'], version1, { status: 'revealed' }),
  alone: etch(all.alone, alone, { status: 'revealed' }),
  'alone and revoked': etch(all['alone and revoked'], revoked, {
    status: 'retracted',
    chain: { revocation_status: 'revoked', revocation_attestation_uid: revoked.shown.uid },
  }),
  pending: etch(all.pending, undefined, { status: 'revealed' }),
});
const hidden = { content: null, salt: null, created_at: null, canonical_string: null };
const erased = { ...hidden, status: 'retracted' };
const wordsOf = (one) => ({
  created_at: one.created_at,
  salt: one.salt,
  content: one.content,
  canonical_string: canonical(one),
});
const anew = (name, more) => (one) => {
  const { chain, ...rest } = more;
  one[name] = { ...one[name], ...rest, chain: { ...one[name].chain, ...chain } };
};
const altered = (name, detail) => [{ what: 'altered', name, ...detail }];

/** [change to the record, notices] */
const PASSES = {
  'as it was anchored': [() => undefined, []],
  'an instant etch shown as sealed': [
    anew('open', { ...hidden, status: 'sealed' }),
    [{ what: 'sealed although instant', name: 'open' }],
  ],
  'a retraction without a tombstone': [
    anew('open', { ...erased, chain: { revocation_status: 'pending' } }),
    [{ what: 'retracted without a tombstone', name: 'open' }],
  ],
  'a retraction of a pending etch': [
    anew('pending', { ...erased, chain: { revocation_status: 'pending' } }),
    [{ what: 'retracted without a tombstone', name: 'pending' }],
  ],
  'a takedown of an etch without a tree, revoked': [
    anew('alone and revoked', { retracted_by: 'operator' }),
    [],
  ],
};

/** [change to the record, faults] */
const FAILS = {
  'other content than in the canonical string': [anew('open', { content: 'Another text.' }), altered('open')],
  'another time than in the canonical string': [
    anew('open', { created_at: '2026-03-01T11:59:58.124Z' }),
    altered('open'),
  ],
  'another salt than in the canonical string': [anew('open', { salt: hex('another salt') }), altered('open')],
  'no content next to the canonical string': [anew('open', { content: null }), altered('open')],
  'content without the canonical string': [anew('open', { canonical_string: null }), altered('open')],
  'a time alone': [anew('sealed', { created_at: all.sealed.created_at }), altered('sealed')],
  'called revealed, without words': [anew('open', hidden), altered('open')],
  'called sealed, with words': [anew('alone', { status: 'sealed' }), altered('alone')],
  'another canonical string with its own content': [
    anew('open', {
      content: 'Another text.',
      canonical_string: canonical({ ...all.open, content: 'Another text.' }),
    }),
    altered('open'),
  ],
  'the words of another etch': [anew('open', wordsOf(all.sealed)), altered('open')],
  'called revealed and taken down': [anew('open', { retracted_by: 'operator' }), altered('open')],
  'a takedown without a tombstone': [
    anew('open', { ...erased, retracted_by: 'operator' }),
    [{ what: 'no tombstone', name: 'open' }],
  ],
  'a takedown of an etch without a tree, not revoked': [
    anew('alone', { ...erased, retracted_by: 'operator' }),
    [{ what: 'no tombstone', name: 'alone' }],
  ],
  'pending, its leaf in a tree of version 2': [
    anew('open', { chain: { ...UNANCHORED, status: 'pending' } }),
    [{ what: 'not anchored', name: 'open' }],
  ],
  'pending, its hash in a tree of version 1': [
    anew('of version 1', { chain: { ...UNANCHORED, status: 'pending' } }),
    [{ what: 'not anchored', name: 'of version 1' }],
  ],
  'pending, its hash attested without a tree': [
    anew('alone', { chain: { ...UNANCHORED, status: 'pending' } }),
    [{ what: 'not anchored', name: 'alone' }],
  ],
  'called pending, with an attestation': [
    anew('open', { chain: { status: 'pending' } }),
    [{ what: 'not anchored', name: 'open' }],
  ],
  'called anchored, without an attestation': [
    anew('pending', { chain: { status: 'anchored' } }),
    [{ what: 'not attested', name: 'pending' }],
  ],
  'a time of attestation without one': [
    anew('pending', { chain: { anchored_at: at(TIME) } }),
    [{ what: 'not attested', name: 'pending' }],
  ],
  'another time of attestation': [anew('open', { chain: { anchored_at: at(TIME - 1) } }), altered('open')],
  'another attestation': [
    anew('open', { chain: { attestation_uid: uid('of a stranger') } }),
    [{ what: 'not attested', name: 'open' }],
  ],
  'a tombstone shown as an open text': [
    anew('retracted', {
      status: 'revealed',
      ...wordsOf(all.retracted),
      chain: NO_TOMBSTONE,
    }),
    [{ what: 'not retracted', name: 'retracted' }],
  ],
  'an etch left out': [(one) => delete one.sealed, [{ what: 'missing', name: 'sealed', etch_id: null }]],
  'an etch shown twice': [(one) => (one.again = one.open), [{ what: 'doubled', name: 'open' }]],
  'an etch of another account': [
    (one) => (one.foreign = etch(others, commits)),
    [{ what: 'altered', etch_id: others.id, hash: others.hash }],
  ],
};

const notAttested = (name) => [{ what: 'not attested', name }];
/** A root without the other fields of its tree, and the same of a tombstone: [change to the record, faults] */
const INCOMPLETE = {
  'a root without a tree version': [anew('open', { chain: { tree_version: null } }), notAttested('open')],
  'a root without a tree size': [anew('open', { chain: { tree_size: null } }), notAttested('open')],
  'a root without a proof': [anew('open', { chain: { proof: null } }), notAttested('open')],
  'an unknown root without a tree version': [
    anew('sealed', { chain: { root: hex('unknown root'), tree_version: null } }),
    notAttested('sealed'),
  ],
  'a root without a tree version, its hash attested without a tree': [
    anew('alone', { chain: { root: all.alone.hash, tree_size: 1, proof: [] } }),
    notAttested('alone'),
  ],
  'a tombstone’s root without a tree version': [
    anew('retracted', { chain: { revocation_tree_version: null } }),
    notAttested('retracted'),
  ],
  'a tombstone’s root without a proof': [
    anew('retracted', { chain: { revocation_proof: null } }),
    notAttested('retracted'),
  ],
  'a takedown with a tombstone’s root without a proof': [
    anew('taken down', { chain: { revocation_proof: null } }),
    [{ what: 'no tombstone', name: 'taken down' }],
  ],
};

const asExpected = ({ what, name, ...more }) => ({
  what,
  etch_id: all[name]?.id,
  hash: all[name]?.hash,
  ...more,
});

function cases(table, verdict) {
  return Object.entries(table).map(([name, [change, found]]) => {
    const changed = record();
    change(changed);
    const etches = Object.values(changed);
    const bound = Object.values({ ...all, others });
    return {
      name,
      record: etches,
      expect: {
        verdict,
        faults: verdict === 'fail' ? found.map(asExpected) : [],
        notices: verdict === 'pass' ? found.map(asExpected) : [],
        checked: etches.map(({ id, status, hash, canonical_string }) => {
          const own = bound.find((one) => one.hash === hash && canonical(one) === canonical_string);
          const isOpen = status === 'revealed' && own !== undefined;
          return { id, content: isOpen ? own.content : null, created_at: isOpen ? own.created_at : null };
        }),
      },
    };
  });
}

export const auditedFieldVectors = () => [
  [
    'valid/audited-fields',
    {
      about:
        'An account, what the trusted attestations hold, and records of the account that pass an audit, with what is counted and named in them. `checked`: what a reader of the record uses.',
      account: ADA,
      attested: trees,
      cases: cases(PASSES, 'pass'),
    },
  ],
  [
    'invalid/audited-fields',
    {
      about: 'The same account and attestations, and records that fail the audit, each with its faults.',
      account: ADA,
      attested: trees,
      cases: cases(FAILS, 'fail'),
    },
  ],
  [
    'invalid/audited-roots',
    {
      about:
        'The same account and attestations, and records that name a root without the other fields of its tree.',
      account: ADA,
      attested: trees,
      cases: cases(INCOMPLETE, 'fail'),
    },
  ],
];
