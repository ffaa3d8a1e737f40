import {
  type Checkpoint,
  cosignaturesOf,
  isSignedBy,
  parseCheckpoint,
  parseVerifierKey,
  type Policy,
  type PolicyWitness,
  proveConsistency,
  quorumTime,
  rootAt,
} from '@svc/protocol/tlog';
import { toTime } from '../../db/clock.ts';
import type { Db } from '../../db/db.ts';
import { addCheckpoint, seenCheckpoint } from './ask-witness.ts';
import {
  keepWitnessState,
  latestCheckpoint,
  markQuorum,
  noteWitness,
  storeCosignature,
  witnessId,
  type WitnessState,
  witnessStates,
} from './checkpoints.ts';
import { logSize, subtreesOf } from './entries.ts';
import { publishCheckpoint, type TreeLog } from './tree-log.ts';

export interface WitnessedLogOptions {
  db: Db;
  treeLog: TreeLog;
  now: () => number;
  policy: Policy | undefined;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
  timeoutMs?: number;
}

const PATIENCE_MS = 10_000;
const HELD =
  'the log of trees: this backup does not know another relayer key that attested later: no checkpoint is signed past that point ' +
  '(docs/operating/recovery.md#a-database-older-than-its-chain)';
const LOOK_EVERY_MS = 30_000;

export function createLogPublisher(options: WitnessedLogOptions): () => Promise<void> {
  const { db, treeLog, now, policy, log } = options;
  /** what a witness has seen of this log; null: no checkpoint may be signed */
  let seen = policy === undefined ? 0 : null;
  let nextLook = 0;
  let wasHeld = false;
  return async () => {
    if (seen === null && now() < nextLook) return;
    seen ??= await sizeSeen(options, policy!);
    nextLook = now() + LOOK_EVERY_MS;
    if (seen === null) return;
    const isWitnessed = policy !== undefined && policy.witnesses.length > 0;
    const { size, isHeld } = await publishCheckpoint(db, treeLog, { now: now(), isWitnessed, seen });
    if (isHeld && !wasHeld) log.error({ size }, HELD);
    wasHeld = isHeld;
    if (size === 0 || !isWitnessed) return;
    const states = await witnessStates(db, treeLog.origin, toTime(now()));
    const behind = policy.witnesses.filter((witness) => {
      const state = states.get(witnessId(witness));
      return state === undefined || (state.size < size && state.due);
    });
    if (behind.length === 0) return;
    const latest = await latestCheckpoint(db, treeLog.origin);
    const forks = await Promise.all(
      behind.map((witness) => submit(witness, states.get(witnessId(witness)), latest!, options)),
    );
    if (forks.includes(true)) seen = null;
    await noteQuorum(options, policy);
  };
}

/**
 * A restored database may lack entries of a published checkpoint; a new checkpoint of the same size would be a
 * fork. Each process first compares the log with what a quorum of witnesses saw, and waits while the log is shorter
 * or different.
 * @returns the longest size that they saw; null: wait
 */
async function sizeSeen(
  { db, treeLog, log, now, timeoutMs }: WitnessedLogOptions,
  policy: Policy,
): Promise<number | null> {
  const { witnesses } = policy;
  const { origin } = treeLog;
  const seen = await Promise.all(
    witnesses.map((witness) => seenCheckpoint(witness, origin, timeoutMs ?? PATIENCE_MS)),
  );
  const keys = treeLog.keys.map(parseVerifierKey);
  const size = await logSize(db);
  let isKnown = true;
  let longest = 0;
  for (const [at, answer] of seen.entries()) {
    let fault = typeof answer === 'string' ? answer : null;
    if (answer !== null && typeof answer !== 'string' && isSignedBy(answer, keys)) {
      const isShorter = size < answer.size;
      if (isShorter || !(await isPrefix(db, answer))) {
        isKnown = false;
        fault = isShorter ? hasSeenMore(answer.size, size) : 'it has seen a different history of this log';
        log.error(
          { size, witnessed: answer.size },
          isShorter
            ? 'the log of trees is shorter than a witness saw it: no checkpoint is signed until the missing trees are adopted from the chain'
            : 'the log of trees differs from what a witness saw: no checkpoint is signed (docs/operating/proofs.md#witnesses)',
        );
      } else longest = Math.max(longest, answer.size);
    }
    await noteWitness(db, { origin, witness: witnessId(witnesses[at]!), fault, now: toTime(now()) });
  }
  const answered = witnesses.filter((_, at) => typeof seen[at] !== 'string');
  const isQuorum = quorumTime(policy, new Map(answered.map(({ name }) => [name, 1]))) !== null;
  if (isQuorum && (answered.length > 0 || witnesses.length === 0)) return isKnown ? longest : null;
  log.warn(
    { faults: seen },
    'the log of trees: WITNESS_POLICY: no quorum of witnesses answers; no checkpoint is signed until one does',
  );
  return null;
}

const hasSeenMore = (seen: number, size: number): string =>
  `it has seen ${seen} trees of this log, and this log has ${size}`;

const isPrefix = async (db: Db, { size, root }: Checkpoint): Promise<boolean> =>
  Buffer.from(await rootAt(size, subtreesOf(db))).equals(root);

async function submit(
  witness: PolicyWitness,
  state: WitnessState | undefined,
  { note }: { note: string },
  options: WitnessedLogOptions,
): Promise<boolean> {
  const { db, treeLog, log } = options;
  const checkpoint = parseCheckpoint(note);
  const { size } = checkpoint;
  const limits = { now: options.now(), timeoutMs: options.timeoutMs ?? PATIENCE_MS };
  const send = async (old: number) => {
    const proof = await proveConsistency(old, size, subtreesOf(db));
    return addCheckpoint(witness, checkpoint, note, { size: old, proof }, limits);
  };
  let old = state?.size ?? 0;
  let answer = await send(old);
  // Our last answer was lost, or a different service submits the same log: retry from the witness's size.
  if (answer.kind === 'conflict' && answer.size <= size) answer = await send((old = answer.size));
  const key = { origin: treeLog.origin, witness: witnessId(witness) };
  if (answer.kind === 'cosigned') await storeCosignature(db, { ...key, size, line: answer.line });
  const fault =
    answer.kind === 'cosigned'
      ? null
      : answer.kind === 'fault'
        ? answer.fault
        : hasSeenMore(answer.size, size);
  if (fault !== null && fault !== state?.fault)
    log.warn(
      { witness: witness.name, fault },
      `the log of trees: WITNESS_POLICY: the witness ${witness.name}: ${fault}`,
    );
  await keepWitnessState(db, {
    ...key,
    ...{ size: answer.kind === 'cosigned' ? size : Math.min(old, size), tries: state?.tries ?? 0 },
    ...{ fault, now: toTime(options.now()) },
  });
  return answer.kind === 'conflict' && answer.size > size;
}

async function noteQuorum({ db, treeLog, now }: WitnessedLogOptions, policy: Policy): Promise<void> {
  const latest = await latestCheckpoint(db, treeLog.origin);
  if (latest === null || latest.quorum) return;
  const times = cosignaturesOf(parseCheckpoint(latest.note), policy, now() / 1000 + 60);
  const time = quorumTime(policy, times);
  if (time !== null && time > 0) await markQuorum(db, treeLog.origin, latest.size, toTime(time * 1000));
}
