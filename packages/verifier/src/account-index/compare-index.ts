// Checks 6 and 7 of docs/protocol.md#418-the-index-of-accounts.
import { bytesToHex, type Sha256, textOfBytes } from '@svc/protocol';
import { checkTlogProof, parseTlogProof, type Policy, TlogError } from '@svc/protocol/tlog';
import { AttestedTrees, isRevokedTree } from '../attested-trees.ts';
import type { ChainReader } from '../chain-reader.ts';
import { RecordComparison, type RecordCounts } from '../compare-record.ts';
import type { RecordFault, RecordNotice } from '../etch-fault.ts';
import { ProofFolder } from '../proof-folder.ts';
import type { RecordedEtch } from '../recorded-etch.ts';
import type { Trust } from '../trust.ts';
import { type LogReader, LogUnread, readFrom } from './log-reader.ts';
import { type IndexReading, type IndexTrust, keysOf } from './read-index.ts';

const PROOFS = 100;
const PROOF_BYTES = 200_000;
const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];

export interface RecordJob extends Pick<IndexTrust, 'keys'> {
  /** null: only a file is checked */
  log: LogReader | null;
  account: { username: string; user_id: string };
  /** the record, page after page; an account whose record was removed has none */
  record: AsyncIterable<readonly RecordedEtch[]> | Iterable<readonly RecordedEtch[]>;
  /** null: the times of the etches are not checked; `unread` says why */
  chain: { reader: ChainReader; trust: Trust } | null;
  unread?: string;
  /** when the record was read, in seconds since 1970 */
  now: number;
  parallel?: number;
  onPage?: (etches: number) => void;
  sha256?: Sha256;
}

export interface ComparedRecord {
  counts: RecordCounts;
  /** number of trees whose attestations were read */
  timed: number;
  faults: RecordFault[];
  notices: RecordNotice[];
  unproven: string[];
  notes: string[];
}

/** @throws what reading the record throws */
export async function compareWithIndex(job: RecordJob, index: IndexRead): Promise<ComparedRecord> {
  const { account, sha256 } = job;
  const leaves = leavesOf(index);
  const chain = chainSide(job);
  const folding = { folder: new ProofFolder(sha256), ...(sha256 && { sha256 }) };
  const comparison = new RecordComparison(account.user_id, chain.trees, folding);
  const missing: RecordedEtch[] = [];
  const unentered: RecordedEtch[] = [];
  const unread = new Set<string>();
  const earlier = new Set(index.entries.slice(0, index.earlier ?? 0).map(({ hash }) => bytesToHex(hash)));
  const pending: string[] = [];
  let [seen, logged] = [0, 0];
  for await (const etches of job.record) {
    await chain.read(etches);
    for (const etch of etches) {
      comparison.add(etch);
      const { attestation_uid: uid, tree_version: version } = etch.chain;
      // The log has a tree before its attestation, which an outage of the chain delays.
      if (uid === null) {
        if (!leaves.etches.delete(etch.hash)) continue;
        logged++;
        if (earlier.has(etch.hash) || isOverdue(etch.created_at, job.now)) pending.push(etch.id);
      } else if (version === 2 && !leaves.etches.has(etch.hash)) missing.push(etch);
      const tombstone = etch.chain.revocation_attestation_uid ?? etch.chain.revocation_root;
      const isIndexed = etch.chain.revocation_tree_version === 2;
      if (tombstone !== null && isIndexed && !leaves.tombstones.has(etch.hash)) unentered.push(etch);
      if (uid !== null && etch.chain.root === null && chain.unchecked.has(etch.id)) unread.add(etch.id);
    }
    job.onPage?.((seen += etches.length));
  }
  const compared = comparison.finish(leaves);
  const omitted = await judgeMissing(job, index, missing);
  const tombstones = judgeTombstones(chain.trees, unentered, job.now);
  const notices = compared.notices.filter(
    ({ what, etch_id: id }) => what === 'sealed although instant' || !unread.has(id),
  );
  const { pending: unanchored, treeV1, single } = compared.counts;
  const isChecked = ({ etch_id: id }: { etch_id: string | null }) => id === null || !chain.unchecked.has(id);
  return {
    counts: compared.counts,
    timed: chain.trees.trees.size,
    faults: [
      ...compared.faults.filter((fault) => !OF_CHAIN.has(fault.what) || isChecked(fault)),
      ...omitted.faults,
      ...tombstones.faults,
      ...chain.revoked(),
    ],
    notices,
    unproven: [...chain.unproven(), ...pendingWords(pending), ...omitted.unproven, ...tombstones.unproven],
    notes: [
      ...counted('etches that are not anchored yet', unanchored),
      ...counted(
        'etches in trees of version 1 or without a tree, which only svc audit without --index checks',
        treeV1 + single,
      ),
      ...counted('etches in the log whose attestation the record does not name yet', logged),
      ...omitted.notes,
      ...tombstones.notes,
      ...notices.map(({ what, etch_id: id, hash }) => `${what}: etch ${id} (${hash})`),
    ],
  };
}

const OF_CHAIN: ReadonlySet<RecordFault['what']> = new Set(['not attested', 'no tombstone']);

/** `earlier`: the number of entries that an earlier audit read. */
export type IndexRead = Pick<IndexReading, 'checkpoint' | 'entries'> & { earlier?: number };

const pendingWords = (ids: readonly string[]): string[] =>
  ids.length === 0
    ? []
    : [
        `etches that an earlier audit found in the log, or that are older than a day, without an attestation in the record: ${ids.length}, the first is ${ids[0]}; audit later, or without --index, which reads all attestations`,
      ];

/** @param now seconds since 1970 */
export const isOverdue = (time: string | null, now: number): boolean =>
  now * 1000 - Date.parse(time ?? '') > DAY_MS;

function leavesOf({ entries }: IndexRead) {
  const [etches, tombstones] = [new Map<string, string>(), new Map<string, string>()];
  for (const { logIndex, kind, hash } of entries)
    (kind === 0 ? etches : tombstones).set(bytesToHex(hash), `at the log index ${logIndex}`);
  return { etches, tombstones, singles: new Set<string>() };
}

/** Reads each attestation once. Reads no more after the chain could not be read. */
function chainSide({ chain, parallel = 4, unread }: RecordJob) {
  const trees = new AttestedTrees();
  const read = new Set<string>();
  const unchecked = new Set<string>();
  let problem = chain === null ? (unread ?? null) : null;
  async function readOne(uid: string): Promise<void> {
    if (chain === null || problem !== null) return;
    const { reader, trust } = chain;
    const answer = await reader.attestation(trust.contract, uid, trust.chainId);
    if (answer.kind === 'unreachable') {
      problem = `the chain cannot be read (${answer.reason}), so the times of the etches were not all checked; audit again, or name another endpoint`;
      return;
    }
    read.add(uid);
    const found = answer.attestation;
    const isOfSchema = found?.schema.toLowerCase() === trust.schemaUid;
    if (isOfSchema && trust.relayers.includes(found.attester.toLowerCase())) trees.add(found);
  }
  return {
    trees,
    unchecked,
    async read(etches: readonly RecordedEtch[]): Promise<void> {
      const named = etches.map(({ id, chain: one }) => ({ id, uids: uidsOf(one) }));
      const uids = new Set(
        named.flatMap((one) => one.uids).filter((uid) => uid !== NO_UID && !read.has(uid)),
      );
      const open = [...uids];
      const worker = async (): Promise<void> => {
        for (let uid = open.pop(); uid !== undefined; uid = open.pop()) await readOne(uid);
      };
      await Promise.all(Array.from({ length: parallel }, worker));
      for (const one of named) if (!one.uids.every((uid) => read.has(uid))) unchecked.add(one.id);
    },
    revoked: (): RecordFault[] =>
      [...trees.trees.values()].filter(isRevokedTree).map(({ root }) => ({
        what: 'not attested',
        etch_id: null,
        hash: root,
        detail: 'an attestation of this tree was revoked, and a service never revokes a tree',
      })),
    unproven: (): string[] => [
      ...(problem === null ? [] : [problem]),
      ...trees.unreadable.map(
        (uid) => `attestation ${uid}: a trusted relayer made it, but its data has an unknown format`,
      ),
    ],
  };
}

/** In place of the uid of a tombstone that the record does not name. */
const NO_UID = '';

const uidsOf = ({
  attestation_uid: uid,
  revocation_root: root,
  revocation_attestation_uid: tombstone,
}: RecordedEtch['chain']): string[] => [
  ...(uid === null ? [] : [uid]),
  ...(tombstone === null ? (root === null ? [] : [NO_UID]) : [tombstone]),
];

/** Attested etches without an entry: newer than the checkpoint, or left out of the index. */
async function judgeMissing(
  { log, account, keys, now }: RecordJob,
  { checkpoint }: IndexRead,
  missing: readonly RecordedEtch[],
): Promise<Pick<ComparedRecord, 'faults' | 'unproven' | 'notes'>> {
  const faults: RecordFault[] = [];
  const unproven: string[] = [];
  let newer = 0;
  for (const { id, hash, chain } of missing.slice(0, PROOFS)) {
    const fault = (detail: string) => faults.push({ what: 'missing', etch_id: id, hash, detail });
    const etch = { hash, userId: account.user_id, kind: 0 as const };
    const found = log === null ? undefined : await placeOf(log, id, etch, keysOf(checkpoint, keys));
    if (typeof found === 'string') fault(found);
    else if (found === undefined)
      unproven.push(
        `etch ${id}: the index leaves it out, and its proof of the log cannot be read; audit again later`,
      );
    else if (found !== null && found.index < checkpoint.size)
      fault(`its tree has the log index ${found.index}, and the index of accounts leaves the etch out`);
    else if (found !== null || now * 1000 - Date.parse(chain.anchored_at ?? '') < HOUR_MS) newer++;
    else if (isOverdue(chain.anchored_at, now))
      fault('it was attested more than a day ago, and the index of accounts leaves it out');
    else unproven.push(`etch ${id}: neither the index nor the log has its tree yet; audit again later`);
  }
  const more = missing.length - PROOFS;
  if (more > 0) unproven.push(`the index leaves out ${more} more etches, which were not checked`);
  return { faults, unproven, notes: counted('etches that are newer than the checkpoint', newer) };
}

/** Attested tombstones without an entry: newer than the checkpoint, or left out of the index. */
function judgeTombstones(
  trees: AttestedTrees,
  retracted: readonly RecordedEtch[],
  now: number,
): Pick<ComparedRecord, 'faults' | 'unproven' | 'notes'> {
  const faults: RecordFault[] = [];
  const unproven: string[] = [];
  let newer = 0;
  for (const { id, hash, chain } of retracted) {
    const named = trees.withRoot(1, chain.revocation_root ?? '');
    const tree = named.find(({ uids }) => uids.includes(chain.revocation_attestation_uid!));
    const age = tree === undefined ? null : (now - tree.time) * 1000;
    if (age === null || (age >= HOUR_MS && age <= DAY_MS)) unproven.push(id);
    else if (age < HOUR_MS) newer++;
    else
      faults.push({
        what: 'missing',
        etch_id: id,
        hash,
        detail: 'its tombstone was attested more than a day ago, and the index of accounts leaves it out',
      });
  }
  const [first] = unproven;
  return {
    faults,
    unproven:
      first === undefined
        ? []
        : [
            `tombstones that the index leaves out: ${unproven.length}, the first is of etch ${first}; audit again later`,
          ],
    notes: counted('tombstones that are newer than the checkpoint', newer),
  };
}

const counted = (what: string, count: number): string[] => (count > 0 ? [`${what}: ${count}`] : []);

/** Null: the log has no proof yet; undefined: it cannot be read now; a string: the fault of the proof. */
async function placeOf(
  log: LogReader,
  id: string,
  etch: { hash: string; userId: string; kind: 0 },
  keys: IndexTrust['keys'],
): Promise<{ index: number } | string | null | undefined> {
  const logs = keys.map((key) => ({ key, url: null }));
  const policy: Policy = { logs, witnesses: [], groups: new Map(), quorum: 'none' };
  try {
    const bytes = await readFrom(log, `proof/${id}`, PROOF_BYTES);
    if (bytes === null) return null;
    const proof = textOfBytes(bytes) ?? '';
    checkTlogProof(proof, etch, policy, Date.now() / 1000);
    return parseTlogProof(proof);
  } catch (error) {
    if (error instanceof TlogError) return `its proof of the log does not hold: ${error.message}`;
    if (error instanceof LogUnread) return undefined;
    throw error;
  }
}
