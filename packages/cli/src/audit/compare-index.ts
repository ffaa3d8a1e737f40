// Checks 6 and 7 of docs/protocol.md#418-the-index-of-accounts.
import { bytesToHex } from '@svc/protocol';
import { checkTlogProof, parseTlogProof, type Policy, TlogError } from '@svc/protocol/tlog';
import { ApiError, type Client, type Etch } from '@svc/sdk';
import {
  AttestedTrees,
  type ChainReader,
  isRevokedTree,
  ProofFolder,
  RecordComparison,
  type RecordCounts,
  type RecordFault,
  type RecordNotice,
  type Trust,
} from '@svc/verifier';
import { CommandError } from '../exit.ts';
import { fetchTlogProof } from '../judge-log.ts';
import type { Progress } from '../context.ts';
import { type Account } from './audit-accounts.ts';
import { inParallel, sha256 } from './job.ts';
import type { IndexReading, IndexTrust } from './read-index.ts';

const PAGE = 100;
const PROOFS = 100;
const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];

export interface RecordJob extends Pick<IndexTrust, 'keys'> {
  client: Pick<Client, 'record' | 'origin'>;
  account: Account;
  trust: Trust;
  /** null: no endpoint is known */
  chain: ChainReader | null;
  parallel: number;
  progress: Progress;
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

/** @throws {ApiError} @throws {ConnectionError} when the record cannot be read */
export async function compareWithIndex(job: RecordJob, index: IndexReading): Promise<ComparedRecord> {
  const { client, account, progress } = job;
  const leaves = leavesOf(index);
  const chain = chainSide(job);
  const folding = { folder: new ProofFolder(sha256), sha256 };
  const comparison = new RecordComparison(account.user_id, chain.trees, folding);
  const missing: Etch[] = [];
  let [seen, logged] = [0, 0];
  for await (const page of recordPages(client, account.username)) {
    await chain.read(page.etches);
    for (const etch of page.etches) {
      comparison.add(etch);
      const { attestation_uid: uid, tree_version: version } = etch.chain;
      // The log has a tree before its attestation.
      if (uid === null) logged += Number(leaves.etches.delete(etch.hash));
      else if (version === 2 && !leaves.etches.has(etch.hash)) missing.push(etch);
    }
    progress.show(`record of ${account.username}`, (seen += page.etches.length), page.counts.total);
  }
  const compared = comparison.finish(leaves);
  const omitted = await judgeMissing(job, index, missing);
  const isChecked = ({ etch_id: id }: { etch_id: string | null }) => id === null || !chain.unchecked.has(id);
  return {
    counts: compared.counts,
    timed: chain.trees.trees.size,
    faults: [
      ...compared.faults.filter((fault) => !OF_CHAIN.has(fault.what) || isChecked(fault)),
      ...omitted.faults,
      ...chain.revoked(),
    ],
    notices: compared.notices.filter(isChecked),
    unproven: [...chain.unproven(), ...omitted.unproven],
    notes: [
      ...(logged > 0 ? [`etches in the log whose attestation the record does not name yet: ${logged}`] : []),
      ...omitted.notes,
    ],
  };
}

const OF_CHAIN: ReadonlySet<RecordFault['what']> = new Set(['not attested', 'no tombstone']);

/** An account whose record was removed has none. */
async function* recordPages(client: RecordJob['client'], username: string) {
  try {
    yield* client.record(username, { limit: PAGE }).pages();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
}

function leavesOf({ entries }: IndexReading) {
  const [etches, tombstones] = [new Map<string, string>(), new Map<string, string>()];
  for (const { logIndex, kind, hash } of entries)
    (kind === 0 ? etches : tombstones).set(bytesToHex(hash), `at the log index ${logIndex}`);
  return { etches, tombstones, singles: new Set<string>() };
}

/** Reads each attestation once. Reads no more after the chain could not be read. */
function chainSide({ chain, trust, parallel }: RecordJob) {
  const trees = new AttestedTrees();
  const read = new Set<string>();
  const unchecked = new Set<string>();
  let problem =
    chain === null
      ? 'no endpoint of the chain is known, so the times of the etches were not checked; name one with --rpc'
      : null;
  async function readOne(uid: string): Promise<void> {
    if (problem !== null) return;
    const answer = await chain!.attestation(trust.contract, uid, trust.chainId);
    if (answer.kind === 'unreachable') {
      problem = `the chain cannot be read (${answer.reason}), so the times of the etches were not all checked; audit again, or name an endpoint with --rpc`;
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
    async read(etches: readonly Etch[]): Promise<void> {
      const named = etches.map(({ id, chain: one }) => ({ id, uids: uidsOf(one) }));
      const uids = new Set(
        named.flatMap((one) => one.uids).filter((uid) => uid !== NO_UID && !read.has(uid)),
      );
      await inParallel([...uids], parallel, readOne);
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
}: Etch['chain']): string[] => [
  ...(uid === null ? [] : [uid]),
  ...(tombstone === null ? (root === null ? [] : [NO_UID]) : [tombstone]),
];

/** Attested etches without an entry: newer than the checkpoint, or left out of the index. */
async function judgeMissing(
  { client, account, keys }: RecordJob,
  { checkpoint }: IndexReading,
  missing: readonly Etch[],
): Promise<Pick<ComparedRecord, 'faults' | 'unproven' | 'notes'>> {
  const faults: RecordFault[] = [];
  const unproven: string[] = [];
  let newer = 0;
  for (const { id, hash, chain } of missing.slice(0, PROOFS)) {
    const fault = (detail: string) => faults.push({ what: 'missing', etch_id: id, hash, detail });
    const etch = { hash, userId: account.user_id, kind: 0 as const };
    const found = await placeOf(client.origin, id, etch, keys);
    const age = Date.now() - Date.parse(chain.anchored_at ?? '');
    if (typeof found === 'string') fault(found);
    else if (found === undefined)
      unproven.push(
        `etch ${id}: the index leaves it out, and its proof of the log cannot be read; audit again later`,
      );
    else if (found !== null && found.index < checkpoint.size)
      fault(`its tree has the log index ${found.index}, and the index of accounts leaves the etch out`);
    else if (found !== null || age < HOUR_MS) newer++;
    else if (age > DAY_MS)
      fault('it was attested more than a day ago, and the index of accounts leaves it out');
    else unproven.push(`etch ${id}: neither the index nor the log has its tree yet; audit again later`);
  }
  const more = missing.length - PROOFS;
  if (more > 0) unproven.push(`the index leaves out ${more} more etches, which were not checked`);
  const notes = newer > 0 ? [`etches that are newer than the checkpoint: ${newer}`] : [];
  return { faults, unproven, notes };
}

/** Null: the log has no proof yet; undefined: it cannot be read now; a string: the fault of the proof. */
async function placeOf(
  service: string,
  id: string,
  etch: { hash: string; userId: string; kind: 0 },
  keys: IndexTrust['keys'],
): Promise<{ index: number } | string | null | undefined> {
  const logs = keys.map((key) => ({ key, url: null }));
  const policy: Policy = { logs, witnesses: [], groups: new Map(), quorum: 'none' };
  try {
    const proof = await fetchTlogProof(service, id);
    if (proof === null) return null;
    checkTlogProof(proof, etch, policy, Date.now() / 1000);
    return parseTlogProof(proof);
  } catch (error) {
    if (error instanceof TlogError) return `its proof of the log does not hold: ${error.message}`;
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}
