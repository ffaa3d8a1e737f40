// Checks a receipt and a promise by docs/protocol.md with Node's standard library only, step by step as verify_receipt.py:
//   node verify_receipt.mjs receipt.json RPC-URL trust=svc.json [files=FOLDER [manifest=FILE]] [promise=promise.json [etch=etch.json]]
//     [tlog=FILE policy=FILE]   a .tlog-proof of the log of trees, and the logs and witnesses that you trust
// trust=FILE is an earlier copy of the service's /.well-known/svc.json, not from the receipt; or give each value once or
// more: chain=1 contract=0x... schema=0x... relayer=0x... key=... (of promises). The receipt supplies the other values, and
// the result is then 2 at best. Exits 0 pass, 1 fail, 2 wait.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

const MOST_SECONDS = 253402300800; // the year 10000
const PINS = {
  chain: 'chain_id',
  contract: 'attestation_contract',
  schema: 'schema_uid',
  relayer: 'relayer',
};

export class Refused extends Error {}
const need = (truth, what) => {
  if (!truth) throw new Refused(what);
};

// The file (section 2.2): JSON in UTF-8, or in UTF-16 with a byte order mark.
function readJson(data, most) {
  need(data.length <= most, 'the file is too large');
  try {
    const encoding = { fffe: 'utf-16le', feff: 'utf-16be' }[data.subarray(0, 2).toString('hex')] ?? 'utf-8';
    return JSON.parse(new TextDecoder(encoding, { fatal: true }).decode(data));
  } catch {
    throw new Refused('the file is not JSON in UTF-8, or in UTF-16 with a mark');
  }
}

const isText = (value) => typeof value === 'string';
const match = (pattern) => (value) => isText(value) && pattern.test(value);
const oneOf =
  (...values) =>
  (value) =>
    values.includes(value);
const nullOr = (form) => (value) => value === null || form(value);
const listOf = (form, most) => (value) => Array.isArray(value) && value.length <= most && value.every(form);
const whole = (least, most) => (value) => Number.isInteger(value) && value >= least && value <= most;
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const fields = (forms) => (value) => {
  need(isObject(value), 'not an object where one must be');
  for (const [name, form] of Object.entries(forms))
    need(Object.hasOwn(value, name) && form(value[name]), `${name} is missing or has the wrong form`);
  return true;
};
function isTime(value) {
  if (!match(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z$/)(value)) return false;
  const date = new Date(value);
  return !Number.isNaN(date.getTime()) && date.toISOString() === value; // the 30th of February does not exist
}

const isHash = match(/^[0-9a-f]{64}$/);
const isSignature = match(/^[0-9a-f]{128}$/);
const isUid = match(/^0x[0-9a-f]{64}$/);
const isAddress = match(/^0x[0-9a-fA-F]{40}$/);
const isUuid = match(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
const TREE = {
  root: isHash,
  proof: listOf(isHash, 14),
  tree_size: whole(1, 10000),
  tree_version: oneOf(1, 2),
};
const NOTHING = Object.fromEntries(Object.keys(TREE).map((name) => [name, oneOf(null)]));
const isChain = fields({
  name: isText,
  chain_id: whole(1, Number.MAX_SAFE_INTEGER),
  attestation_contract: isAddress,
  schema_uid: isUid,
  attestation_uid: nullOr(isUid),
  expect_onchain: nullOr(isHash),
  relayer: isAddress,
  tx_hash: nullOr(isUid),
  anchored_at: nullOr(isTime),
});
function isRevocation(value) {
  fields({
    retracted_at: isTime,
    kind: oneOf(1, null),
    attestation_uid: nullOr(isUid),
    tx_hash: nullOr(isUid),
  })(value);
  const anchored = value.attestation_uid !== null;
  need(anchored || value.tx_hash === null, 'a transaction though the retraction is pending');
  return value.kind === null || fields(anchored ? TREE : NOTHING)(value);
}
const isReceipt = fields({
  _format: oneOf('svc-receipt:v1'),
  _what_this_is: isText,
  _verify_without_etch: isText,
  etch_id: isUuid,
  status: oneOf('sealed', 'revealed', 'retracted'),
  author: fields({ user_id: isUuid, username: isText }),
  canonical_string: nullOr(isText),
  hash: isHash,
  inclusion: nullOr(fields({ ...TREE, leaf_rule: isText, node_rule: isText })),
  revocation: nullOr(isRevocation),
  signature: nullOr(fields({ value: isSignature, public_key: isHash })),
  chain: isChain,
});

function readReceipt(data) {
  const receipt = readJson(data, 2 ** 20);
  isReceipt(receipt);
  const { former = [] } = receipt;
  need(Array.isArray(former) && former.every(isChain), 'former has the wrong form');
  const { status, canonical_string: words, signature, revocation, inclusion, chain } = receipt;
  need((words !== null) === (status === 'revealed'), 'words and status contradict each other');
  need(status === 'revealed' || signature === null, 'a signature though there are no words');
  need(status === 'retracted' || revocation === null, 'a revocation though it is not retracted');
  if (chain.attestation_uid !== null) need(chain.expect_onchain !== null, 'expect_onchain is missing');
  else {
    const rest = [inclusion, chain.expect_onchain, chain.tx_hash, chain.anchored_at];
    need(
      rest.every((part) => part === null),
      'parts of an anchoring though it is pending',
    );
  }
  return receipt;
}

const bytes = (hex) => Buffer.from(hex.replace(/^0x|-/g, ''), 'hex');

const sha = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest();

// Ed25519 (section 4.3): OpenSSL checks S, and the equation without the cofactor, but accepts any key.
const P = 2n ** 255n - 19n;
const littleEndian = (hex) => BigInt(`0x${bytes(hex).reverse().toString('hex')}`);
const SMALL = new Set([
  0n,
  1n,
  P - 1n,
  littleEndian('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'),
  littleEndian('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'),
]);
export function signed(key, message, signature) {
  const y = littleEndian(key) & (2n ** 255n - 1n);
  if (y >= P || SMALL.has(y)) return false;
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: bytes(key).toString('base64url') };
  return verify(null, message, createPublicKey({ key: jwk, format: 'jwk' }), bytes(signature));
}

// Trees (section 4.2).
function needLength(proof, size) {
  const possible = proof.length <= Math.ceil(Math.log2(size)) && (size === 1 || proof.length > 0);
  need(possible, 'a tree of this size has no proof of this length');
}

function fold(receipt, { root, proof, tree_size: size, tree_version: version }) {
  const author = version === 2 ? bytes(receipt.author.user_id) : Buffer.alloc(0);
  needLength(proof, size);
  let node = sha(Buffer.of(0), author, bytes(receipt.hash));
  for (const sibling of proof.map(bytes)) node = sha(Buffer.of(1), ...[node, sibling].sort(Buffer.compare));
  need(node.toString('hex') === root, 'the proof does not fold to the root');
}

// The chain (section 5.1).
function resultOf(answer) {
  need(answer.length <= 65536, 'it answers too much');
  const value = JSON.parse(new TextDecoder().decode(answer));
  need(isObject(value) && 'result' in value && (value.error ?? null) === null, 'it refuses');
  need(isText(value.result), 'it answers nonsense');
  return value.result;
}

function decode(answer, uid) {
  need(/^0x(?:[0-9a-fA-F]{64})+$/.test(answer), 'no words');
  const whole = bytes(answer);
  const words = Array.from({ length: whole.length / 32 }, (_, at) => whole.subarray(32 * at, 32 * at + 32));
  need(words.length >= 12, 'too short');
  const number = (at) => Number(`0x${words[at].toString('hex')}`);
  const address = (at) => words[at].subarray(0, 12).every((byte) => byte === 0);
  need(
    [0, 3, 4, 5, 9, 10, 11].every((at) => Number.isSafeInteger(number(at))),
    'a number too large',
  );
  const [length, data] = [number(11), whole.subarray(384)];
  need(number(0) === 0x20 && number(10) === 0x140 && number(9) <= 1, 'another tuple');
  const padded = data.length === Math.ceil(length / 32) * 32 && data.subarray(length).every((b) => b === 0);
  need(padded, 'data of another length');
  need(address(7) && address(8), 'no address');
  need(words[1].equals(bytes(uid)), 'unknown there, or another one');
  const [time, revoked] = [number(3), number(5)];
  const possible =
    time > 0 && time < MOST_SECONDS && (revoked === 0 || (revoked >= time && revoked < MOST_SECONDS));
  need(possible, 'impossible times');
  const hex = (at, from = 0) => `0x${words[at].subarray(from).toString('hex')}`;
  return { schema: hex(2), attester: hex(8, 12), time, revoked, data: data.subarray(0, length) };
}

/** Null while the attestation cannot be read: a failed request proves nothing about the etch. */
async function read(ask, trust, uid) {
  if (uid === null) return null;
  try {
    const chain = resultOf(await ask('eth_chainId', []));
    need(/^0x[0-9a-fA-F]{1,14}$/.test(chain) && Number(chain) === trust.chain, 'another chain');
    const call = { to: trust.contract, data: `0xa3112a64${uid.slice(2)}` };
    return decode(resultOf(await ask('eth_call', [call, 'latest'])), uid);
  } catch {
    return null;
  }
}

function needAttested(found, trust, { root, tree_version: version, tree_size: size }, kind, attesters) {
  const numbers = [kind, version, size].map((n) => n.toString(16).padStart(64, '0'));
  need(found.schema === trust.schema, 'attested under a different schema');
  need(attesters.includes(found.attester), 'attested by another');
  need(
    found.data.equals(Buffer.concat([root, ...numbers].map(bytes))),
    'the attestation holds something else',
  );
}

// The checks (sections 4.4 to 4.7).
/** @returns the stated time, or null */
function checkWords({ canonical_string: words, signature, hash, author }) {
  if (words === null) return null;
  const [tag, user, stated, salt, ...rest] = words.split('|');
  const content = rest.join('|');
  const formed = rest.length > 0 && tag === 'svc:v1' && isUuid(user) && isTime(stated) && isHash(salt);
  need(formed && !/[\0\p{Surrogate}]/u.test(content), 'the words have no canonical form');
  need(sha(Buffer.from(words)).toString('hex') === hash, 'the words do not make the hash');
  need(user === author.user_id, 'the words are by a different author');
  const message = Buffer.from(`svc-sig:v1|${user}|${sha(Buffer.from(content)).toString('hex')}`);
  const fits = signature === null || signed(signature.public_key, message, signature.value);
  need(fits, 'the signature does not fit the words');
  return stated;
}

/** @returns the attestation, or null while it is unknown */
async function checkCommitment(receipt, trust, ask, stated) {
  const { chain, inclusion, hash } = receipt;
  if (inclusion) fold(receipt, inclusion);
  const tree = inclusion ?? { root: hash, tree_version: 0, tree_size: 1 };
  const found = await read(ask, trust, chain.attestation_uid);
  if (found === null) return null;
  needAttested(found, trust, tree, 0, [chain.relayer.toLowerCase()]);
  need(chain.expect_onchain === tree.root, 'a different root is expected');
  const moment = new Date(found.time * 1000).toISOString();
  need(chain.anchored_at === null || chain.anchored_at === moment, 'it was anchored at another time');
  need(inclusion === null || found.revoked === 0, 'a tree was revoked');
  const inTime = stated === null || found.time >= Math.floor(Date.parse(stated) / 1000);
  need(inTime, 'it was attested before the stated time');
  return found;
}

async function checkRetraction(receipt, trust, ask, commitment) {
  const { revocation, chain, inclusion } = receipt;
  if (revocation === null) return false;
  const uid = revocation.attestation_uid;
  if (revocation.kind === null) {
    const own = inclusion === null && (uid === null || uid === chain.attestation_uid);
    need(own, 'another attestation is called revoked');
    return commitment !== null && commitment.revoked > 0;
  }
  need(inclusion !== null || chain.attestation_uid === null, 'a tombstone though there is no tree');
  if (uid === null) return false;
  fold(receipt, revocation);
  const found = await read(ask, trust, uid);
  if (found === null) return false;
  const attesters = commitment === null ? trust.relayers : [commitment.attester];
  needAttested(found, trust, revocation, 1, attesters);
  need(found.revoked === 0, 'a tree was revoked');
  return true;
}

function pin({ chain }, pins) {
  const lower = (value) => (isText(value) ? value.toLowerCase() : value);
  const claims = Object.fromEntries(Object.entries(PINS).map(([name, field]) => [name, lower(chain[field])]));
  const isPinned = (name) => (pins[name] ?? []).length > 0;
  for (const [name, claim] of Object.entries(claims))
    need(!isPinned(name) || pins[name].includes(claim), `the ${name} is not the trusted one`);
  const relayers = isPinned('relayer') ? pins.relayer : [claims.relayer];
  return {
    trust: { ...claims, relayers },
    unpinned: Object.entries(claims).filter(([name]) => !isPinned(name)),
  };
}

const isPromise = fields({
  text: isText,
  path: listOf(isHash, 8),
  public_key: isHash,
  signature: isSignature,
});

/** Section 4.10. Here only different content breaks a promise, because anyone may have made a file. */
function checkPromise(promise, keys, receipt, stated, commitment, { etch, content }) {
  isPromise(promise);
  const nonce = promise.nonce ?? null;
  need(nullOr(isHash)(nonce), 'the nonce has the wrong form');
  const [tag, id, user, digest, day, ...rest] = promise.text.split('|');
  const formed = isUuid(id) && isUuid(user) && isHash(digest) && isTime(`${day}T00:00:00.000Z`);
  need(tag === 'svc-promise:v3' && formed && arePromised(rest), 'the promise has the wrong form');
  let root = sha(Buffer.of(0), Buffer.from(promise.text));
  for (const sibling of promise.path.map(bytes))
    root = sha(Buffer.of(1), ...[root, sibling].sort(Buffer.compare));
  const message = Buffer.from(`svc-promises:v1|${root.toString('hex')}`);
  need(signed(promise.public_key, message, promise.signature), 'nobody signed the promise');
  if (!keys.includes(promise.public_key)) return false;
  if (id !== receipt.etch_id || user !== receipt.author.user_id || digest !== receipt.hash) return false;
  const dayOf = (date) => Date.parse(date.slice(0, 10)) / 86_400_000;
  need(stated === null || dayOf(day) === dayOf(stated) + 2, "the promise is not of the etch's day");
  const words = rest.pop();
  const makes = (accepted) => sha(Buffer.from(`svc-words:v1|${nonce}|${accepted}`)).toString('hex') === words;
  const revealed = stated === null ? null : receipt.canonical_string.split('|').slice(4).join('|');
  const differs = nonce !== null && revealed !== null && !makes(revealed);
  const shown = content === null || (nonce !== null && makes(content));
  const broken = differs && shown && content !== null;
  need(!broken, 'other content was revealed than was accepted');
  if (differs || !shown || etch?.id !== id || !arePublic(etch, rest)) return false;
  return commitment !== null && commitment.time < (dayOf(day) + 1) * 86_400;
}

/**
 * The fields of a promise after the day: description's SHA-256, topic, mode, reveal time, challenge, words.
 */
function arePromised([description, topic, mode, revealAt, challenge, words, ...more]) {
  const timed = mode === 'instant' ? revealAt === '-' : mode === 'delayed' && isTime(revealAt);
  const named = isHash(description) && match(/^[a-z][a-z0-9_-]{0,39}$/)(topic);
  return named && timed && (challenge === '-' || isUuid(challenge)) && isHash(words) && more.length === 0;
}

function arePublic({ description, category, mode, reveal_at: revealAt, challenge }, promised) {
  const hash = isText(description) ? sha(Buffer.from(description)).toString('hex') : null;
  const shown = [hash, category?.id, mode, revealAt ?? '-', challenge?.id ?? '-'];
  return shown.every((value, at) => value === promised[at]);
}

/** @returns 'pass' or 'wait' @throws {Refused} for a fail */
export async function judge(data, pins, ask, promise = null, say = () => {}, shown = {}) {
  const receipt = readReceipt(data);
  const { trust, unpinned } = pin(receipt, pins);
  const stated = checkWords(receipt);
  const commitment = await checkCommitment(receipt, trust, ask, stated);
  let done = commitment !== null;
  if (done) {
    const late = stated !== null && commitment.time * 1000 - Date.parse(stated) > 600_000;
    say(`attested, in seconds since 1970: ${commitment.time}${late ? ', late: only that is proven' : ''}`);
    if (commitment.revoked > 0) say(`revoked, in seconds since 1970: ${commitment.revoked}`);
  }
  if (receipt.status === 'retracted') done = (await checkRetraction(receipt, trust, ask, commitment)) && done;
  if (promise !== null)
    done =
      checkPromise(promise, pins.key ?? [], receipt, stated, commitment, {
        etch: null,
        content: null,
        ...shown,
      }) && done;
  const { signature } = receipt;
  if (signature) say(`signed by the key ${signature.public_key} (nothing here says whose it is)`);
  for (const [name, claim] of unpinned) say(`not pinned, only the receipt says so: ${name} ${claim}`);
  return done && unpinned.length === 0 ? 'pass' : 'wait';
}

// The log of trees (section 4.17): a C2SP tlog-proof under a C2SP tlog-policy.
function base64Of(encoded) {
  const data = Buffer.from(encoded, 'base64');
  need(data.toString('base64') === encoded, 'no base64, or of another form');
  return data;
}

function countOf(digits) {
  need(
    /^(?:0|[1-9][0-9]{0,15})$/.test(digits) && Number.isSafeInteger(Number(digits)),
    'a number has the wrong form',
  );
  return Number(digits);
}

const isName = match(/^[^+\p{White_Space}]+$/u);

const [LOG, WITNESS, ML_DSA] = [1, 4, 6];
const KEY_BYTES = { [LOG]: 33, [WITNESS]: 33, [ML_DSA]: 1313 };

function keyOf(words, ...kinds) {
  const [name, id = '', ...encoded] = words.split('+');
  const data = base64Of(encoded.join('+'));
  const kind = data[0];
  const isRight = isName(name) && kinds.includes(kind) && data.length === KEY_BYTES[kind];
  const sum = sha(Buffer.from(`${name}\n`), data)
    .toString('hex')
    .slice(0, 8);
  need(isRight && sum === id, 'a key of the policy is wrong');
  return { name, id, kind, key: data.subarray(1).toString('hex') };
}

function readPolicy(policy) {
  const [logs, witnesses, groups, members] = [[], new Map(), new Map(), []];
  let quorum;
  const lines = policy.split('\n');
  // eslint-disable-next-line no-control-regex
  need(!/[\0-\x08\x0b-\x1f\x7f]/.test(policy) && lines.length <= 1000, 'the policy is no text');
  for (const line of lines) {
    const [kind = '', ...words] = line.split(/[ \t]+/).filter((word) => word !== '');
    const isKnown = (name) => witnesses.has(name) || groups.has(name);
    const isNew = words[0] !== 'none' && !isKnown(words[0]);
    if (kind === '' || kind.startsWith('#')) continue;
    if (kind === 'log' && (words.length === 1 || words.length === 2)) logs.push(keyOf(words[0], LOG));
    else if (kind === 'witness' && (words.length === 2 || words.length === 3) && isNew)
      witnesses.set(words[0], keyOf(words[1], WITNESS, ML_DSA));
    else if (kind === 'group' && words.length > 2 && isNew) {
      const [name, asked, ...some] = words;
      const needs = { all: String(some.length), any: '1' }[asked] ?? asked;
      members.push(...some);
      const isGroup = /^[1-9][0-9]*$/.test(needs) && Number(needs) <= some.length && some.every(isKnown);
      need(isGroup, 'a group of the policy is wrong');
      groups.set(name, { needs: Number(needs), some });
    } else if (
      kind === 'quorum' &&
      words.length === 1 &&
      quorum === undefined &&
      (words[0] === 'none' || !isNew)
    )
      [quorum] = words;
    else throw new Refused('a line of the policy is wrong');
  }
  const keys = [logs, [...witnesses.values()]].map((some) => some.map(({ key }) => key));
  const isClear = [...keys, members].every((some) => new Set(some).size === some.length);
  need(quorum !== undefined && isClear, 'the policy has no quorum, or one name twice');
  return { logs, witnesses, groups, quorum };
}

function readNote(note) {
  const cut = note.lastIndexOf('\n\n');
  // eslint-disable-next-line no-control-regex
  const isNote = note.length <= 100_000 && !/[\0-\x09\x0b-\x1f]/.test(note) && note.endsWith('\n');
  need(isNote && cut >= 0, 'no signed note');
  const lines = note.slice(cut + 2, -1).split('\n');
  need(lines.length <= 64, 'too many signatures');
  const signatures = lines.map((line) => {
    const [, name, encoded] = /^\u2014 ([^ ]+) ([A-Za-z0-9+/]+={0,2})$/u.exec(line) ?? [];
    need(isName(name), 'a signature has the wrong form');
    const data = base64Of(encoded);
    need(data.length > 4, 'a signature is too short');
    return { name, id: data.toString('hex', 0, 4), by: data.subarray(4) };
  });
  return { text: note.slice(0, cut + 1), signatures };
}

function quorumTime(name, groups, times) {
  const group = groups.get(name);
  if (group === undefined) return times.get(name) ?? Infinity;
  const some = group.some.map((member) => quorumTime(member, groups, times));
  return some.sort((a, b) => (a === b ? 0 : a - b))[group.needs - 1];
}

/**
 * When the quorum had cosigned the etch's tree, in seconds since 1970; 0 with `quorum none`; null without a
 * quorum. ML-DSA-44 cosignatures are named and do not count.
 */
export function checkLog({ hash, author }, proof, policy, now, say = () => undefined) {
  const decode8 = (data) => {
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
    } catch {
      throw new Refused('the proof or the policy is not UTF-8');
    }
  };
  const { logs, witnesses, groups, quorum } = readPolicy(decode8(policy));
  const words = decode8(proof);
  const cut = words.indexOf('\n\n');
  const [header, first = '', second = '', ...rest] = words.slice(0, Math.max(cut, 0)).split('\n');
  const isProof =
    header === 'c2sp.org/tlog-proof@v1' && first.startsWith('extra ') && second.startsWith('index ');
  need(isProof, 'no proof');
  const [extra, index, hashes] = [base64Of(first.slice(6)), countOf(second.slice(6)), rest.map(base64Of)];
  const entry = extra.subarray(0, 128);
  const path = Array.from({ length: Math.max(0, (extra.length - 128) / 32) }, (_, at) =>
    extra.subarray(128 + 32 * at, 160 + 32 * at),
  );
  const isWhole =
    extra.length >= 128 && extra.length % 32 === 0 && hashes.every(({ length }) => length === 32);
  need(isWhole && path.length <= 14 && hashes.length <= 63, 'the proof has the wrong form');
  const [kind, version, size] = [32, 64, 96].map((at) => BigInt(`0x${entry.toString('hex', at, at + 32)}`));
  const isTree = kind === 0n && version <= 2n && size >= 1n && size <= (version === 0n ? 1n : 10_000n);
  need(isTree, 'the entry is no tree of etches');
  const user = version === 2n ? bytes(author.user_id) : Buffer.alloc(0);
  let node = version === 0n ? bytes(hash) : sha(Buffer.of(0), user, bytes(hash));
  needLength(path, Number(size));
  for (const sibling of path) node = sha(Buffer.of(1), ...[node, sibling].sort(Buffer.compare));
  need(node.equals(entry.subarray(0, 32)), 'the entry is of a tree without this etch');
  const { text, signatures } = readNote(words.slice(cut + 2));
  const [origin, count, encoded, ...more] = text.slice(0, -1).split('\n');
  const isCheckpoint = origin && encoded !== undefined && more.every((line) => line !== '');
  need(isCheckpoint, 'no checkpoint');
  const root = base64Of(encoded);
  let [place, last] = [BigInt(index), BigInt(countOf(count)) - 1n];
  need(root.length === 32 && place <= last, 'the entry is behind the checkpoint');
  node = sha(Buffer.of(0), entry);
  for (const sibling of hashes) {
    need(last > 0n, 'too many hashes');
    const isRight = place % 2n === 1n || place === last;
    node = isRight ? sha(Buffer.of(1), sibling, node) : sha(Buffer.of(1), node, sibling);
    while (isRight && place % 2n === 0n && place > 0n) [place, last] = [place / 2n, last / 2n];
    [place, last] = [place / 2n, last / 2n];
  }
  need(last === 0n && node.equals(root), 'the entry is not in the log of the checkpoint');
  const sound = (key, message, by) =>
    by.length === 64 && signed(key, Buffer.from(message), by.toString('hex'));
  const ofLog = signatures.flatMap(({ name, id, by }) =>
    logs
      .filter((log) => log.name === origin && log.name === name && log.id === id)
      .map(({ key }) => sound(key, text, by)),
  );
  need(ofLog.length > 0 && ofLog.every(Boolean), 'no log of the policy signed the checkpoint');
  const times = new Map();
  for (const { name, id, by } of signatures)
    for (const [witness, known] of witnesses) {
      if (known.name !== name || known.id !== id) continue;
      if (known.kind === ML_DSA) {
        say(`not checked, and not counted: the ML-DSA-44 cosignature of ${witness}`);
        continue;
      }
      const moment = by.length < 8 ? 0n : by.readBigUInt64BE();
      const message = `cosignature/v1\ntime ${moment}\n${text}`;
      need(sound(known.key, message, by.subarray(8)), `the cosignature of ${witness} is wrong`);
      const time = Number(moment);
      const counts = time > 0 && Number.isSafeInteger(time) && time <= now + 60;
      if (counts) times.set(witness, Math.min(time, times.get(witness) ?? time));
    }
  const seen = quorum === 'none' ? 0 : quorumTime(quorum, groups, times);
  return seen === Infinity ? null : seen;
}

// Files (sections 4.13 and 6.2). Compares names in NFC; does not check which names are allowed.
const isManifest = fields({
  _format: oneOf('svc-files-manifest:v1'),
  root: isHash,
  files: listOf(
    fields({ name: isText, size: whole(0, Number.MAX_SAFE_INTEGER), sha256: isHash, salt: isHash }),
    10_000,
  ),
});

/** All lines end as the first one does. */
function listed(rest, end) {
  const lines = rest.split(end);
  const empty = lines.indexOf('');
  return lines.slice(0, empty === -1 ? lines.length : empty).map((line) => {
    const [, digest, name] = /^([0-9a-f]{64}) {2}([^\p{Cc}]+)$/u.exec(line) ?? [];
    need(name !== undefined, 'the words hold no list of files');
    return [name, digest];
  });
}

function underRoot(manifest, root, count) {
  need(manifest !== null, 'the words hold a root: name the manifest');
  isManifest(manifest);
  const { files } = manifest;
  need(
    files.every(({ name }) => !/\p{Surrogate}/u.test(name)),
    'a name in the manifest is no text',
  );
  const size8 = (size) => {
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(BigInt(size));
    return length;
  };
  let level = files
    .map(({ name, size, sha256, salt }) =>
      sha(Buffer.of(0), bytes(salt), bytes(sha256), size8(size), Buffer.from(name)),
    )
    .sort(Buffer.compare);
  while (level.length > 1) {
    const pairs = Array.from({ length: Math.ceil(level.length / 2) }, (_, at) =>
      level.slice(2 * at, 2 * at + 2),
    );
    level = pairs.map((pair) =>
      pair.length === 2 ? sha(Buffer.of(1), ...pair.sort(Buffer.compare)) : pair[0],
    );
  }
  const same = level[0]?.toString('hex') === root && manifest.root === root && files.length === count;
  need(same, 'the manifest is of other words');
  return files.map(({ name, sha256 }) => [name, sha256]);
}

/** The folder must have exactly the files of the words. @throws {Refused} */
function checkFiles(words, folder, manifest) {
  const [, first, ending = '', rest = ''] = /^([^\n]*?)(\r?\n|$)([^]*)$/.exec(
    words.split('|').slice(4).join('|'),
  );
  const [tag, ...parts] = first.split(' ').filter((part) => part !== '');
  need(tag === 'svc-files:v1', 'the words commit to no file');
  const root = /^root=([0-9a-f]{64}) files=([1-9][0-9]{0,4})$/.exec(parts.join(' '));
  need(root !== null || parts.length === 0, 'the words commit to no file');
  const committed =
    root === null ? listed(rest, ending || '\n') : underRoot(manifest, root[1], Number(root[2]));
  const here = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => [relative(folder, path).split(sep).join('/'), sha(readFileSync(path)).toString('hex')]);
  const byName = (some) => new Map(some.map(([name, digest]) => [name.normalize('NFC'), digest]));
  const [wanted, found] = [byName(committed), byName(here)];
  const isClear = wanted.size === committed.length && wanted.size > 0 && found.size === here.length;
  need(isClear, 'no file, or two that have the same name');
  for (const name of new Set([...wanted.keys(), ...found.keys()]))
    need(
      wanted.get(name) === found.get(name),
      `a file differs, is missing or is one more: ${JSON.stringify(name)}`,
    );
}

function readPins(given) {
  const pins = {};
  let promise = null;
  let etch = null;
  let content = null;
  const add = (name, values) => (pins[name] ??= []).push(...values);
  const open = (file) => readJson(readFileSync(file), 2 ** 20);
  for (const argument of given) {
    const [name, value] = argument.includes('=') ? argument.split('=') : ['relayer', argument];
    if (name === 'promise') {
      promise = open(value);
      content = isText(promise?.content) ? promise.content : null;
      promise = promise?.promise ?? promise;
    } else if (name === 'etch') {
      etch = open(value)?.etch ?? null;
    } else if (name === 'trust') {
      const { chain, promise: promises } = open(value);
      add('chain', [chain.chain_id]);
      add('contract', [chain.attestation_contract]);
      add('schema', [chain.schema_uid]);
      add('relayer', chain.relayers);
      add('key', promises?.keys ?? []);
    } else add(name, [name === 'chain' ? Number(value) : value]);
  }
  const lower = (values) => values.map((one) => (isText(one) ? one.toLowerCase() : one));
  const lowered = Object.entries(pins).map(([name, values]) => [name, lower(values)]);
  return { pins: Object.fromEntries(lowered), promise, shown: { etch, content } };
}

async function main([file, url, ...given]) {
  const ask = async (method, params) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      redirect: 'error',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(10_000),
    });
    need(response.ok, 'it refuses');
    return Buffer.from(await response.arrayBuffer());
  };
  try {
    const ofFiles = (name) => given.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1);
    const { pins, promise, shown } = readPins(
      given.filter((one) => !/^(?:files|manifest|tlog|policy)=/.test(one)),
    );
    const data = readFileSync(file);
    let verdict = await judge(data, pins, ask, promise, console.log, shown);
    const [folder, kept] = [ofFiles('files'), ofFiles('manifest')];
    const receipt = readReceipt(data);
    const words = receipt.canonical_string;
    if (folder !== undefined && words === null) verdict = 'wait';
    else if (folder !== undefined)
      checkFiles(words, folder, kept === undefined ? null : readJson(readFileSync(kept), 2 ** 26));
    if (ofFiles('tlog') !== undefined) {
      const [proof, policy] = ['tlog', 'policy'].map((name) => readFileSync(ofFiles(name)));
      const seen = checkLog(receipt, proof, policy, Date.now() / 1000, console.log);
      if (seen) console.log('the quorum of the policy had seen its tree, in seconds since 1970:', seen);
      if (seen === null) {
        console.log('the checked cosignatures do not reach the quorum of the policy');
        verdict = 'wait';
      }
    }
    if (verdict === 'pass') console.log('PASS');
    else console.log('WAIT: it is not known yet, or holds only if what is not pinned is right');
    return verdict === 'pass' ? 0 : 2;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    console.log(`FAIL: ${error.message}`);
    return 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.exitCode = await main(process.argv.slice(2));
