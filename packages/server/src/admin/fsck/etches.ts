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
  for await (const page of inPages<StoredEtch>(AT_ONCE, (last) => readEtches(db, last, AT_ONCE))) {
    for (const etch of page) {
      const fault = (what: string) => report.fault('etch', etch.id, what);
      report.count('etches');
      checkParts(etch, keyring, report, fault);
      checkPlaces(etch, fault);
      checkLeaves(etch, report, fault);
    }
    progress(report.checked['etches'] ?? 0);
  }
}

interface Parts {
  content: string;
  salt: Buffer;
  signature: Buffer | null;
  signature_key: string | null;
}

function checkParts(etch: StoredEtch, keyring: Keyring, report: Report, fault: (what: string) => void): void {
  if (etch.hash.length !== 32) return fault('its hash is not 32 bytes long');
  if (etch.mode === 'delayed' && etch.reveal_at === null) fault('it is delayed and has no reveal time');
  if (etch.unreadable) fault('it was set aside at its reveal time, because no key decrypts it');
  const parts = partsOf(etch, keyring, report, fault);
  if (!parts) return;
  if (parts.salt.length !== 32) return fault('its salt is not 32 bytes long');
  try {
    const { user_id: userId, created_at: createdAt } = etch;
    const canonical = canonicalString({
      userId,
      createdAt,
      salt: parts.salt.toString('hex'),
      content: parts.content,
    });
    report.count('hashes');
    if (!sha256(canonical).equals(etch.hash))
      fault('its hash does not match its author, time, salt and text');
  } catch {
    fault('its parts do not make a canonical string');
  }
  if (!parts.signature || !parts.signature_key) return;
  report.count('signatures');
  const message = etchSignedString(etch.user_id, parts.content);
  if (!verifyByRegisteredKey(parts.signature_key, message, parts.signature))
    fault('its signature does not verify');
}

function partsOf(
  etch: StoredEtch,
  keyring: Keyring,
  report: Report,
  fault: (what: string) => void,
): Parts | null {
  if (etch.status === 'retracted') {
    const left = etch.content !== null || etch.salt || etch.signature || etch.sealed;
    if (left) fault('it is retracted, but a part of its text is still stored');
    return null;
  }
  if (etch.status === 'revealed') {
    const { content, salt, signature, signature_key } = etch;
    if (content !== null && salt) return { content, salt, signature, signature_key };
    fault('its text or salt is missing');
    return null;
  }
  if (!etch.sealed) {
    fault('its sealed text is missing');
    return null;
  }
  try {
    const opened = decryptHidden(keyring, etch.id, etch.sealed);
    report.count('sealed texts opened');
    return opened;
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    fault('its sealed text cannot be decrypted: it was altered, or its key is not in SECRET_KEYS');
    return null;
  }
}

function checkPlaces(etch: StoredEtch, fault: (what: string) => void): void {
  const committed = etch.commitment.version !== null;
  const entombed = etch.tombstone.version !== null;
  const retracted = etch.status === 'retracted';
  if (committed === etch.committing)
    fault(committed ? 'it is in a tree and queued for another' : 'it is in no tree and not queued');
  if (etch.withheld && !retracted) fault('it is withheld, but not shown as retracted');
  if (etch.withheld) return;
  if (retracted && entombed === etch.retracting)
    fault(
      entombed
        ? 'its tombstone is in a tree and queued for another'
        : 'its tombstone is in no tree and not queued',
    );
  if (!retracted && (entombed || etch.retracting)) fault('it has a tombstone, but is not retracted');
  if (retracted && !etch.erasure_hash?.equals(etch.hash))
    fault('the erasure ledger does not name it with its hash');
  if (!retracted && etch.erasure_hash) fault('the erasure ledger names it, but it is not retracted');
}

function checkLeaves(etch: StoredEtch, report: Report, fault: (what: string) => void): void {
  if (etch.hash.length !== 32) return;
  for (const [name, { proof, root, version }] of [
    ['leaf', etch.commitment],
    ['tombstone', etch.tombstone],
  ] as const) {
    if (version === null || !proof || !root) continue;
    report.count('leaves');
    const leaf = version === 0 ? etch.hash : etchLeaf(version, etch.user_id, bytesToHex(etch.hash));
    if (proof.length % 32 !== 0 || !Buffer.from(foldProof(leaf, splitProof(proof))).equals(root))
      fault(`its ${name} does not fold to the root of its tree`);
  }
}

interface StoredLeaf {
  proof: Buffer | null;
  root: Buffer | null;
  version: 0 | 1 | 2 | null;
}

interface StoredEtch {
  id: string;
  user_id: string;
  mode: 'instant' | 'delayed';
  status: 'sealed' | 'revealed' | 'retracted';
  hash: Buffer;
  created_at: string;
  reveal_at: string | null;
  sealed: Buffer | null;
  content: string | null;
  salt: Buffer | null;
  signature: Buffer | null;
  signature_key: string | null;
  unreadable: boolean;
  committing: boolean;
  retracting: boolean;
  commitment: StoredLeaf;
  tombstone: StoredLeaf;
  erasure_hash: Buffer | null;
  /** the tombstone is on the chain and the text is stored apart */
  withheld: boolean;
}

type Flat = Omit<StoredEtch, 'commitment' | 'tombstone'> & {
  [Part in keyof StoredLeaf as `c_${Part}` | `t_${Part}`]: StoredLeaf[Part];
};

/** One statement reads etches and anchoring rows, so that they agree. */
async function readEtches(db: Queryable, last: StoredEtch | undefined, limit: number): Promise<StoredEtch[]> {
  const rows = await db.query<Flat>(sql`
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
    ${last ? sql`where e.id > ${last.id}::uuid` : empty} order by e.id limit ${limit}`);
  return rows.map((row) => ({
    ...row,
    commitment: { proof: row.c_proof, root: row.c_root, version: row.c_version },
    tombstone: { proof: row.t_proof, root: row.t_root, version: row.t_version },
  }));
}
