// Recomputes hash, signature and proof of each stored etch, and reports what does not match.
import {
  bytesToHex,
  canonicalString,
  etchLeaf,
  etchSignedString,
  foldProof,
  splitProof,
} from '@svc/protocol';
import sql, { empty } from 'sql-template-tag';
import type { Queryable } from '../../db/db.ts';
import { decryptHidden } from '../../etches/hidden-fields.ts';
import { verifyByRegisteredKey } from '../../identity/signed-request.ts';
import { type Keyring, SealBroken } from '../../platform/secrets/keyring.ts';
import { sha256 } from '../../platform/secrets/signing-key.ts';
import type { Report } from './report.ts';
import { inPages } from '../context.ts';

const AT_ONCE = 500;

export async function checkEtches(
  db: Queryable,
  keyring: Keyring,
  report: Report,
  progress: (done: number) => void,
): Promise<void> {
  for await (const page of inPages<StoredEtch>(AT_ONCE, (last) => readEtches(db, last))) {
    for (const etch of page) {
      report.count('etches');
      for (const faults of [partFaults(etch, keyring, report), placeFaults(etch), leafFaults(etch, report)])
        for (const what of faults) report.fault('etch', etch.id, what);
    }
    progress(report.checked['etches'] ?? 0);
  }
}

type HashedParts = Pick<StoredEtch, 'signature' | 'signature_key'> & { content: string; salt: Buffer };

function* partFaults(etch: StoredEtch, keyring: Keyring, report: Report): Generator<string, void> {
  if (etch.hash.length !== 32) return void (yield 'its hash is not 32 bytes long');
  if (etch.mode === 'delayed' && etch.reveal_at === null) yield 'it is delayed and has no reveal time';
  if (etch.unreadable) yield 'it was set aside at its reveal time, because no key decrypts it';
  const parts = partsOf(etch, keyring, report);
  if (typeof parts === 'string') return void (yield parts);
  if (!parts) return;
  const { content, salt, signature, signature_key } = parts;
  if (salt.length !== 32) return void (yield 'its salt is not 32 bytes long');
  try {
    const { user_id: userId, created_at: createdAt } = etch;
    const canonical = canonicalString({ userId, createdAt, salt: salt.toString('hex'), content });
    report.count('hashes');
    if (!sha256(canonical).equals(etch.hash)) yield 'its hash does not match its author, time, salt and text';
  } catch {
    yield 'its parts do not make a canonical string';
  }
  if (!signature || !signature_key) return;
  report.count('signatures');
  if (!verifyByRegisteredKey(signature_key, etchSignedString(etch.user_id, content), signature))
    yield 'its signature does not verify';
}

/** Returns the fault if there is one, and null for a retracted etch. */
function partsOf(etch: StoredEtch, keyring: Keyring, report: Report): HashedParts | string | null {
  const { content, salt, signature, signature_key, sealed } = etch;
  if (etch.status === 'retracted') {
    const isLeft = content !== null || salt || signature || sealed;
    return isLeft ? 'it is retracted, but a part of its text is still stored' : null;
  }
  if (etch.status === 'revealed')
    return content !== null && salt
      ? { content, salt, signature, signature_key }
      : 'its text or salt is missing';
  if (!sealed) return 'its sealed text is missing';
  try {
    const opened = decryptHidden(keyring, etch.id, sealed);
    report.count('sealed texts opened');
    return opened;
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return 'its sealed text cannot be decrypted: it was altered, or its key is not in SECRET_KEYS';
  }
}

function* placeFaults(etch: StoredEtch): Generator<string, void> {
  const committed = etch.c_version !== null;
  const entombed = etch.t_version !== null;
  const retracted = etch.status === 'retracted';
  if (committed === etch.committing)
    yield committed ? 'it is in a tree and queued for another' : 'it is in no tree and not queued';
  if (etch.withheld && !retracted) yield 'it is withheld, but not shown as retracted';
  if (etch.withheld) return;
  if (retracted && entombed === etch.retracting)
    yield entombed
      ? 'its tombstone is in a tree and queued for another'
      : 'its tombstone is in no tree and not queued';
  if (!retracted && (entombed || etch.retracting)) yield 'it has a tombstone, but is not retracted';
  if (retracted && !etch.erasure_hash?.equals(etch.hash))
    yield 'the erasure ledger does not name it with its hash';
  if (!retracted && etch.erasure_hash) yield 'the erasure ledger names it, but it is not retracted';
}

function* leafFaults(etch: StoredEtch, report: Report): Generator<string, void> {
  if (etch.hash.length !== 32) return;
  for (const [name, proof, root, version] of [
    ['leaf', etch.c_proof, etch.c_root, etch.c_version],
    ['tombstone', etch.t_proof, etch.t_root, etch.t_version],
  ] as const) {
    if (version === null || !proof || !root) continue;
    report.count('leaves');
    const leaf = version === 0 ? etch.hash : etchLeaf(version, etch.user_id, bytesToHex(etch.hash));
    if (proof.length % 32 !== 0 || !Buffer.from(foldProof(leaf, splitProof(proof))).equals(root))
      yield `its ${name} does not fold to the root of its tree`;
  }
}

/** `c_` is its commitment, `t_` its tombstone. Withheld: the tombstone is on the chain and the text is stored apart. */
type StoredEtch = Record<'id' | 'user_id' | 'created_at', string> &
  Record<'reveal_at' | 'content' | 'signature_key', string | null> &
  Record<'sealed' | 'salt' | 'signature' | 'erasure_hash', Buffer | null> &
  Record<'c_proof' | 'c_root' | 't_proof' | 't_root', Buffer | null> &
  Record<'c_version' | 't_version', 0 | 1 | 2 | null> &
  Record<'unreadable' | 'committing' | 'retracting' | 'withheld', boolean> & {
    mode: 'instant' | 'delayed';
    status: 'sealed' | 'revealed' | 'retracted';
    hash: Buffer;
  };

/** One statement reads etches and anchoring rows, so that they agree. */
const readEtches = (db: Queryable, last: StoredEtch | undefined) =>
  db.query<StoredEtch>(sql`
    select e.id, e.user_id, e.mode, e.status, e.hash, e.created_at, e.reveal_at, e.sealed, e.content, e.salt, e.signature,
      e.signature_key, e.unreadable,
      exists (select from anchor_job j where j.kind = 0 and j.etch_id = e.id) as committing,
      exists (select from anchor_job j where j.kind = 1 and j.etch_id = e.id) as retracting,
      cl.proof as c_proof, cb.root as c_root, cb.tree_version as c_version,
      tl.proof as t_proof, tb.root as t_root, tb.tree_version as t_version,
      (select x.hash from erasure x where x.etch_id = e.id) as erasure_hash,
      exists (select from withheld w where w.etch_id = e.id) as withheld
    from etch e
    left join batch_leaf cl on cl.kind = 0 and cl.etch_id = e.id left join batch cb on cb.id = cl.batch_id
    left join batch_leaf tl on tl.kind = 1 and tl.etch_id = e.id left join batch tb on tb.id = tl.batch_id
    ${last ? sql`where e.id > ${last.id}::uuid` : empty} order by e.id limit ${AT_ONCE}`);
