// docs/protocol.md#410-promises
import { canonical, etchHash, keyPair, seeded, seededUuid, sha256, tree } from './rules.mjs';

const hex = (name) => seeded(name).toString('hex');
const wordsOf = (nonce, content) => sha256(`svc-words:v1|${nonce}|${content}`).toString('hex');

function etchOf(name, more) {
  const words = {
    user_id: seededUuid('author'),
    created_at: '2026-01-02T23:59:59.999Z',
    salt: hex(`salt of ${name}`),
    content: 'The bridge will open before the first of May.',
  };
  const etch = { ...words, ...more };
  return {
    etch_id: seededUuid(name),
    description: 'A tide',
    topic: 'science',
    mode: 'instant',
    reveal_at: null,
    challenge_id: null,
    anchor_by: '2026-01-04',
    ...etch,
    canonical_string: canonical(etch),
    hash: etchHash(etch),
    nonce: hex(`nonce of ${name}`),
  };
}

function textOf(etch) {
  const { etch_id, user_id, hash, anchor_by, description, topic, mode, reveal_at, challenge_id } = etch;
  const fields = [etch_id, user_id, hash, anchor_by, sha256(description).toString('hex'), topic, mode];
  fields.push(reveal_at ?? '-', challenge_id ?? '-', wordsOf(etch.nonce, etch.content));
  return ['svc-promise:v3', ...fields].join('|');
}

/** One signature over all texts, and the promise of each. */
function signTexts(texts, nonces, by = 'service') {
  const key = keyPair(by);
  const leaves = texts.map((text) => sha256(Buffer.of(0), text));
  const { root, proofs } = tree(leaves);
  const signature = key.sign(`svc-promises:v1|${root}`);
  return texts.map((text, at) => ({
    leaf: leaves[at].toString('hex'),
    root,
    promise: { text, path: proofs[at], public_key: key.public_key, signature, nonce: nonces[at] },
  }));
}

const promiseAll = (etches) => {
  const nonces = etches.map(({ nonce }) => nonce);
  return signTexts(etches.map(textOf), nonces).map((made, at) => ({ ...etches[at], ...made }));
};

/** [day of the etch, last day for the anchor] */
const DAYS = [
  ['2026-01-02', '2026-01-04'],
  ['2026-02-27', '2026-03-01'],
  ['2028-02-27', '2028-02-29'],
  ['2026-12-31', '2027-01-02'],
];

const THREE = [
  {},
  {
    description: 'Ein Rätsel | mit Strichen – und “Zeichen” 🌊',
    topic: 'personal',
    mode: 'delayed',
    reveal_at: '2026-03-01T12:00:00.000Z',
    content: 'One | two\r\n🌊 e\u0301',
  },
  {
    description: 'Sealed answer to: How many herons?',
    topic: 'ai',
    mode: 'delayed',
    reveal_at: '2026-12-31T23:59:59.999Z',
    challenge_id: seededUuid('challenge'),
    content: 'Three.',
  },
];

function validPromises() {
  const alone = DAYS.map(([day, anchor_by], at) =>
    promiseAll([etchOf(`promised ${at}`, { created_at: `${day}T00:00:00.000Z`, anchor_by })]),
  );
  const three = promiseAll(THREE.map((more, at) => etchOf(`one of three ${at}`, more)));
  const many = promiseAll(Array.from({ length: 256 }, (_, at) => etchOf(`one of many ${at}`, {})));
  return [...alone.flat(), ...three, many[0], many[255]];
}

function badPromises() {
  const etch = etchOf('one of three 1', THREE[1]);
  const text = textOf(etch);
  const nonce = etch.nonce;
  const [{ promise: good }] = signTexts([text], [nonce]);
  const [{ promise: paired }] = signTexts([text, textOf(etchOf('another', {}))], [nonce, nonce]);
  /** Correctly signed, so that only the form is wrong. */
  const formed = (from, to) => {
    const changed = text.replace(from, to);
    if (changed === text) throw new Error(`nothing of the promise is ${from}`);
    return signTexts([changed], [nonce])[0].promise;
  };
  const changed = (from, to) => ({ ...good, text: good.text.replace(from, to) });
  const digest = sha256(etch.description).toString('hex');
  const words = wordsOf(nonce, etch.content);
  const { signature: _, ...unsigned } = good;
  const { path: __, ...pathless } = good;
  return {
    'promise-of-another-day': changed('2026-01-04', '2026-01-05'),
    'promise-of-another-hash': changed(etch.hash, hex('x')),
    'promise-of-another-description': changed(digest, hex('x')),
    'promise-of-another-topic': changed('|personal|', '|science|'),
    'promise-of-other-words': changed(words, hex('x')),
    'promise-of-another-key': { ...good, public_key: keyPair('other').public_key },
    'promise-without-signature': unsigned,
    'promise-signed-over-its-text': { ...good, signature: keyPair('service').sign(text) },
    'promise-signed-over-its-root-alone': {
      ...good,
      signature: keyPair('service').sign(sha256(Buffer.of(0), text).toString('hex')),
    },
    'promise-without-path': pathless,
    'promise-path-too-short': { ...paired, path: [] },
    'promise-path-too-long': { ...paired, path: [...paired.path, hex('x')] },
    'promise-path-of-nine-hashes': nineHashes(text, nonce),
    'promise-path-in-upper-case': { ...paired, path: paired.path.map((one) => one.toUpperCase()) },
    'promise-path-is-a-text': { ...paired, path: paired.path[0] },
    'promise-nonce-too-short': { ...good, nonce: nonce.slice(2) },
    'promise-nonce-in-upper-case': { ...good, nonce: nonce.toUpperCase() },
    'promise-of-the-first-version': formed(/^.*$/, text.replace('v3', 'v1').split('|').slice(0, 5).join('|')),
    'promise-of-the-second-version': formed(
      /^.*$/,
      text.replace('v3', 'v2').split('|').slice(0, -1).join('|'),
    ),
    'promise-of-a-later-version': formed('svc-promise:v3', 'svc-promise:v4'),
    'promise-with-a-time': formed('2026-01-04', '2026-01-04T03:04:05Z'),
    'promise-of-no-real-day': formed('2026-01-04', '2026-02-30'),
    'promise-hash-in-upper-case': formed(etch.hash, etch.hash.toUpperCase()),
    'promise-words-in-upper-case': formed(words, words.toUpperCase()),
    'promise-delayed-without-a-time': formed('2026-03-01T12:00:00.000Z', '-'),
    'promise-instant-with-a-time': formed('|delayed|', '|instant|'),
    'promise-with-no-real-time': formed('2026-03-01T12:00:00.000Z', '2026-02-30T12:00:00.000Z'),
    'promise-with-a-short-time': formed('2026-03-01T12:00:00.000Z', '2026-03-01T12:00:00Z'),
    'promise-of-another-mode': formed('|delayed|', '|blind|'),
    'promise-without-a-topic': formed('|personal|', '||'),
    'promise-of-no-challenge': formed('|-|', '|none|'),
    'promise-with-one-field-more': formed(/$/, '|'),
    'promise-with-one-field-less': formed(/\|[0-9a-f]{64}$/, ''),
  };
}

function nineHashes(text, nonce) {
  const key = keyPair('service');
  const path = Array.from({ length: 9 }, (_, at) => hex(`sibling ${at}`));
  const up = (value, sibling) =>
    sha256(Buffer.of(1), ...[value, Buffer.from(sibling, 'hex')].sort(Buffer.compare));
  const root = path.reduce(up, sha256(Buffer.of(0), text)).toString('hex');
  const signature = key.sign(`svc-promises:v1|${root}`);
  return { text, path, public_key: key.public_key, signature, nonce };
}

function badContents() {
  const accepted = etchOf('accepted', {});
  const revealed = etchOf('accepted', { content: 'The bridge will open after the first of May.' });
  const [{ promise }] = promiseAll([accepted]);
  // Covers the accepted content, and the hash of the revealed content.
  const [other] = signTexts([textOf(accepted).replace(accepted.hash, revealed.hash)], [accepted.nonce]);
  return {
    'content-not-of-its-promise': { promise, content: revealed.content },
    'content-with-another-nonce': { promise: { ...promise, nonce: hex('x') }, content: accepted.content },
    'content-revealed-was-not-accepted': {
      promise: other.promise,
      content: accepted.content,
      canonical_string: revealed.canonical_string,
    },
  };
}

export function* promiseVectors() {
  yield [
    'valid/promises',
    {
      about: 'etches, and the promise of each: its text, leaf, signed root and words',
      promises: validPromises(),
    },
  ];
  for (const [fault, promise] of Object.entries(badPromises()))
    yield [
      `invalid/${fault}`,
      { about: 'a promise to refuse: malformed, or its signature does not verify', promise },
    ];
  const about = {
    'content-not-of-its-promise': 'nonce and content do not make the promised words',
    'content-with-another-nonce': 'nonce and content do not make the promised words',
    'content-revealed-was-not-accepted':
      'a broken promise: nonce and content make the promised words, and canonical_string has the promised hash and another content',
  };
  for (const [fault, found] of Object.entries(badContents()))
    yield [`invalid/${fault}`, { about: about[fault], ...found }];
}
