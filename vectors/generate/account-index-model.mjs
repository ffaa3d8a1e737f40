import { createHash } from 'node:crypto';
import { key as logKey, path as logPath, root as logRoot } from './tlog.mjs';

// docs/protocol.md#418-the-index-of-accounts

export const sha256 = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest();
export const hex = (bytes) => bytes.toString('hex');
export const uint64 = (value) => Buffer.from(value.toString(16).padStart(16, '0'), 'hex');
const hashOf = (text) => sha256(Buffer.from(text));
export const raw = (userId) => Buffer.from(userId.replaceAll('-', ''), 'hex');

export function data({ root, kind, version, size }) {
  const bytes = Buffer.alloc(128);
  root.copy(bytes);
  bytes[63] = kind;
  bytes[95] = version;
  bytes.writeUInt32BE(size, 124);
  return bytes;
}

const user = (at) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
export const [ADA, BEN, CY, DOT, EVE] = [1, 2, 3, 4, 5].map(user);

export const tree = (kind, version, ...leaves) => ({ kind, version, leaves });
export const etch = (userId, name) => ({ userId, hash: hashOf(name) });
const many = (userId, name, count) => Array.from({ length: count }, (_, at) => etch(userId, `${name} ${at}`));

const OTHERS = Array.from({ length: 12 }, (_, at) => etch(user(at + 20), 'o'));

/** The fourth tree repeats the third: it was given up. `index` appends an index entry. */
export const LOG = [
  tree(0, 2, ...many(ADA, 'a', 3), etch(BEN, 'b')),
  'index',
  tree(0, 1, etch(CY, 'of version 1')),
  tree(0, 2, ...many(ADA, 'c', 2), etch(DOT, 'd')),
  tree(0, 2, ...many(ADA, 'c', 2), etch(DOT, 'd')),
  tree(1, 2, etch(ADA, 'a 1'), etch(BEN, 'b')),
  'index',
  tree(0, 2, ...many(ADA, 'e', 5), ...many(EVE, 'f', 2), ...OTHERS),
  'index',
  tree(0, 2, etch(BEN, 'g')),
];

const leafOf = ({ userId, hash }, version) =>
  version === 2 ? sha256(Buffer.of(0), raw(userId), hash) : sha256(Buffer.of(0), hash);

function treeRoot(values) {
  if (values.length === 1) return values[0];
  const above = [];
  for (let at = 0; at < values.length; at += 2)
    above.push(
      at + 1 === values.length
        ? values[at]
        : sha256(Buffer.of(1), ...[values[at], values[at + 1]].sort(Buffer.compare)),
    );
  return treeRoot(above);
}

/** The entries of each account in the trees below `covered`, without those that the operator hides. */
export function accountsOf(log, covered) {
  const accounts = new Map();
  for (const [at, item] of log.slice(0, covered).entries()) {
    if (item === 'index' || item.version !== 2) continue;
    for (const leaf of item.leaves.toSorted((a, b) => Buffer.compare(leafOf(a, 2), leafOf(b, 2)))) {
      if (leaf.hidden) continue;
      const entry = Buffer.concat([uint64(at), Buffer.of(item.kind), leaf.hash]);
      accounts.set(leaf.userId, [...(accounts.get(leaf.userId) ?? []), entry]);
    }
  }
  return accounts;
}

export const entryRoot = (entries) => logRoot(entries.map((entry) => sha256(Buffer.of(0), entry)));
const bitOf = (key, bit) => (key[bit >> 3] >> (7 - (bit & 7))) & 1;

/** From the definition: the leaves are divided at the first bit at which they differ. */
function mapNode(leaves) {
  if (leaves.length === 0) return { hash: Buffer.alloc(32) };
  if (leaves.length === 1)
    return { ...leaves[0], hash: sha256(Buffer.of(2), leaves[0].key, leaves[0].value) };
  let bit = 0;
  while (leaves.every(({ key }) => bitOf(key, bit) === bitOf(leaves[0].key, bit))) bit++;
  const children = [0, 1].map((side) => mapNode(leaves.filter(({ key }) => bitOf(key, bit) === side)));
  return { bit, children, hash: sha256(Buffer.of(3, bit), ...children.map(({ hash }) => hash)) };
}

export function mapOf(accounts) {
  return mapNode(
    [...accounts].map(([userId, entries]) => ({
      key: sha256(raw(userId)),
      value: Buffer.concat([uint64(entries.length), entryRoot(entries)]),
    })),
  );
}

/** Roots of the perfect subtrees, largest first. */
export function peaksOf(entries) {
  const peaks = [];
  for (let at = 0; at < entries.length;) {
    const size = 2 ** Math.floor(Math.log2(entries.length - at));
    peaks.push(hex(entryRoot(entries.slice(at, at + size))));
    at += size;
  }
  return peaks;
}

function search(node, key, path = []) {
  if (node.children === undefined) return { leaf: node.key === undefined ? null : node, path };
  const side = bitOf(key, node.bit);
  const step = { bit: node.bit, hash: hex(node.children[1 - side].hash) };
  return search(node.children[side], key, [step, ...path]);
}

export function bytesOfLog(log) {
  return log.map((item, at) =>
    item === 'index'
      ? data({ root: mapOf(accountsOf(log, at)).hash, kind: 2, version: 1, size: at })
      : data({
          root: treeRoot(item.leaves.map((leaf) => leafOf(leaf, item.version)).sort(Buffer.compare)),
          kind: item.kind,
          version: item.version,
          size: item.leaves.length,
        }),
  );
}

export function answerer(log, size) {
  const bytes = bytesOfLog(log).slice(0, size);
  const hashes = bytes.map((entry) => sha256(Buffer.of(0), entry));
  const text = `svc.example/log\n${size}\n${logRoot(hashes).toString('base64')}\n`;
  const checkpoint = `${text}\n${logKey('svc.example/log', 1, 'log').line(text)}\n`;
  const at = log.slice(0, size).lastIndexOf('index');
  const accounts = accountsOf(log, at);
  return (userId, from = 0, most = 1_000) => {
    const entries = accounts.get(userId) ?? [];
    const { leaf, path } = search(mapOf(accounts), sha256(raw(userId)));
    const isPresent = entries.length > 0;
    return {
      user_id: userId,
      checkpoint,
      index: { log_index: at, data: hex(bytes[at]), proof: logPath(at, hashes).map(hex) },
      count: entries.length,
      account_root: isPresent ? hex(entryRoot(entries)) : null,
      path,
      other: isPresent || leaf === null ? null : { key: hex(leaf.key), value: hex(leaf.value) },
      from,
      before: peaksOf(entries.slice(0, from)),
      entries: entries.slice(from, from + most).map(hex),
      more: from + most < entries.length,
    };
  };
}

export const kept = (userId, at) => {
  const entries = accountsOf(LOG, at).get(userId) ?? [];
  return { covered: at, count: entries.length, peaks: peaksOf(entries) };
};
