// The rules in their simplest form (docs/specification.md and docs/protocol.md).
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';

export const sha256 = (...parts) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

export const seeded = (name) => sha256(`vector ${name}`);

export function seededUuid(name) {
  const hex = seeded(`uuid ${name}`).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export const canonical = (e) => `svc:v1|${e.user_id}|${e.created_at}|${e.salt}|${e.content}`;
export const etchHash = (e) => sha256(Buffer.from(canonical(e), 'utf8')).toString('hex');

export const leaf = (version, userId, hash) =>
  version === 1
    ? sha256(Buffer.of(0), Buffer.from(hash, 'hex'))
    : sha256(Buffer.of(0), Buffer.from(userId.replaceAll('-', ''), 'hex'), Buffer.from(hash, 'hex'));

const node = (a, b) => sha256(Buffer.of(1), ...[a, b].sort(Buffer.compare));

/** `proofs` are in the given order. */
export function tree(leaves) {
  let level = leaves
    .map((value, index) => ({ value, below: [index] }))
    .sort((a, b) => Buffer.compare(a.value, b.value));
  const proofs = leaves.map(() => []);
  while (level.length > 1) {
    const next = [];
    for (let i = 0; i < level.length; i += 2) {
      const [a, b] = [level[i], level[i + 1]];
      if (b === undefined) {
        next.push(a);
        continue;
      }
      for (const index of a.below) proofs[index].push(b.value);
      for (const index of b.below) proofs[index].push(a.value);
      next.push({ value: node(a.value, b.value), below: [...a.below, ...b.below] });
    }
    level = next;
  }
  return { root: level[0].value.toString('hex'), proofs: proofs.map((p) => p.map((h) => h.toString('hex'))) };
}

export const word = (value) => BigInt(value).toString(16).padStart(64, '0');

export const attestationData = ({ root, kind, tree_version, tree_size }) =>
  `${root}${word(kind)}${word(tree_version)}${word(tree_size)}`;

/** `eth_call` to `getAttestation(bytes32)`. */
export function attestationAnswer(a) {
  const data = a.data.slice(2);
  return `0x${[
    word(0x20),
    a.uid.slice(2),
    a.schema.slice(2),
    word(a.time),
    word(0),
    word(a.revocation_time),
    word(0),
    word(0),
    word(a.attester),
    word(a.revocable ? 1 : 0),
    word(0x140),
    word(data.length / 2),
    data.padEnd(Math.ceil(data.length / 64) * 64, '0'),
  ].join('')}`;
}

export function keyPair(name) {
  const seed = seeded(`key ${name}`);
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key)
    .export({ format: 'der', type: 'spki' })
    .subarray(-32)
    .toString('hex');
  return {
    public_key: publicKey,
    sign: (text) => sign(null, Buffer.from(text, 'utf8'), key).toString('hex'),
  };
}
