import {
  cosignaturesOf,
  isSignedBy,
  parseCheckpoint,
  parseVerifierKey,
  type Policy,
  type PolicyWitness,
  proveConsistency,
  quorumTime,
} from '@svc/protocol/tlog';
import { toTime } from '../../db/clock.ts';
import type { Db } from '../../db/db.ts';
import { addCheckpoint, seenCheckpoint } from './ask-witness.ts';
import {
  checkpointAt,
  keepWitnessState,
  latestCheckpoint,
  markQuorum,
  noteWitness,
  serveFinal,
  type StoredCheckpoint,
  storeCosignature,
  witnessId,
  type WitnessState,
  witnessStates,
} from './checkpoints.ts';
import { logSize, subtreesOf } from './entries.ts';
import { continues, DOUBTFUL, holdOf } from './hold.ts';
import { createLastSigned, type LastSigned } from './last-signed.ts';
import { publishCheckpoint, type TreeLog } from './tree-log.ts';

export interface WitnessedLogOptions {
  db: Db;
  treeLog: TreeLog;
  now: () => number;
  policy: Policy | undefined;
  /** the folder of the file with the last signed checkpoint */
  ledgers: string;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
  timeoutMs?: number;
}

const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 30_000;

export function createLogPublisher(options: WitnessedLogOptions): () => Promise<void> {
  const { db, treeLog, now, policy, log } = options;
  const { origin } = treeLog;
  const lastSigned = createLastSigned(options.ledgers, treeLog);
  const hasWitnesses = (policy?.witnesses.length ?? 0) > 0;
  const isWitnessed = policy !== undefined && quorumTime(policy, new Map()) === null;
  /** whether the log has what its witnesses saw */
  let isCompared = policy === undefined;
  let nextLook = 0;
  let compared = -1;
  let held: string | null = null;
  const report = (hold: string | null): void => {
    if (hold !== null && hold !== held) log.error({}, `the log of trees: ${hold}`);
    held = hold;
  };
  /** Signs what is new. @returns whether the log continues what it signed */
  const publish = async (): Promise<boolean> => {
    const latest = await latestCheckpoint(db, origin);
    const signed = latest?.size ?? 0;
    if ((await logSize(db)) <= signed && signed === compared) return true;
    let last = await lastSigned.read();
    const hold = await holdOf(db, origin, last, hasWitnesses);
    report(hold);
    if (hold !== null) return false;
    // Another process signed the latest one.
    if (latest !== null && signed > (last?.size ?? 0))
      await lastSigned.write((last = parseCheckpoint(latest.note)));
    compared = signed;
    const isDoubtful = await publishCheckpoint(db, treeLog, lastSigned, {
      ...{ latest, last, now: now(), isWitnessed },
    });
    report(isDoubtful ? DOUBTFUL : null);
    return true;
  };
  return async () => {
    if (!isCompared && now() < nextLook) return;
    isCompared ||= await hasWhatWitnessesSaw(options, policy!, lastSigned);
    nextLook = now() + LOOK_EVERY_MS;
    if (!isCompared || !(await publish())) return;
    const latest = await latestCheckpoint(db, origin);
    if (latest === null) return;
    if (hasWitnesses && (await cosign(options, policy!, latest, isWitnessed))) isCompared = false;
    if (!latest.served) await serveFinal(db, origin);
  };
}

/** @returns whether a witness saw a longer log */
async function cosign(
  options: WitnessedLogOptions,
  policy: Policy,
  latest: StoredCheckpoint,
  isWitnessed: boolean,
): Promise<boolean> {
  const { db, treeLog, now } = options;
  const states = await witnessStates(db, treeLog.origin, toTime(now()));
  const behind = policy.witnesses.filter((witness) => {
    const state = states.get(witnessId(witness));
    return state === undefined || (state.size < latest.size && state.due);
  });
  const note = async () => isWitnessed && !latest.quorum && noteQuorum(options, policy, latest.size);
  if (behind.length === 0) await note(); // a process ended before it did
  const forks = await Promise.all(
    behind.map(async (witness) => {
      const isFork = await submit(witness, states.get(witnessId(witness)), latest, options);
      await note();
      return isFork;
    }),
  );
  return forks.includes(true);
}

/**
 * A restored database may lack entries of a published checkpoint; a new checkpoint of the same size would be a
 * fork. Each process first compares the log with what a quorum of witnesses saw, and waits while the log is shorter
 * or different.
 */
async function hasWhatWitnessesSaw(
  { db, treeLog, log, now, timeoutMs }: WitnessedLogOptions,
  policy: Policy,
  lastSigned: LastSigned,
): Promise<boolean> {
  const { witnesses } = policy;
  const { origin } = treeLog;
  const seen = await Promise.all(
    witnesses.map((witness) => seenCheckpoint(witness, origin, timeoutMs ?? PATIENCE_MS)),
  );
  const keys = treeLog.keys.map(parseVerifierKey);
  const size = await logSize(db);
  const last = await lastSigned.read();
  let isKnown = true;
  let longest = last;
  for (const [at, answer] of seen.entries()) {
    let fault = typeof answer === 'string' ? answer : null;
    if (answer !== null && typeof answer !== 'string' && isSignedBy(answer, keys)) {
      if (answer.size > (longest?.size ?? 0)) longest = answer;
      if (!(await continues(db, answer))) {
        const isShorter = size < answer.size;
        isKnown = false;
        fault = isShorter ? hasSeenMore(answer.size, size) : 'it has seen a different history of this log';
        log.error(
          { size, witnessed: answer.size },
          isShorter
            ? 'the log of trees is shorter than a witness saw it: no checkpoint is signed until the missing trees are adopted from the chain'
            : 'the log of trees differs from what a witness saw: no checkpoint is signed (docs/operating/proofs.md#witnesses)',
        );
      }
    }
    await noteWitness(db, { origin, witness: witnessId(witnesses[at]!), fault, now: toTime(now()) });
  }
  if (longest !== last) await lastSigned.write(longest);
  const [answered, silent] = [false, true].map((isSilent) =>
    witnesses.filter((_, at) => (typeof seen[at] === 'string') === isSilent),
  ) as [PolicyWitness[], PolicyWitness[]];
  const isQuorum = (of: readonly PolicyWitness[]) =>
    quorumTime(policy, new Map(of.map(({ name }) => [name, 1]))) !== null;
  // Without the file, each quorum that may have cosigned has to have a witness that answered.
  const isMissed = last === null && isQuorum(silent) && !isQuorum([]);
  if (isQuorum(answered) && !isMissed && (answered.length > 0 || witnesses.length === 0)) return isKnown;
  log.warn(
    { faults: seen },
    isMissed && isQuorum(answered)
      ? 'the log of trees: WITNESS_POLICY: witnesses that make a quorum do not answer, and LEDGER_DIR has no checkpoint; no checkpoint is signed until they do'
      : 'the log of trees: WITNESS_POLICY: no quorum of witnesses answers; no checkpoint is signed until one does',
  );
  return false;
}

const hasSeenMore = (seen: number, size: number): string =>
  `it has seen ${seen} trees of this log, and this log has ${size}`;

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

async function noteQuorum(
  { db, treeLog, now }: WitnessedLogOptions,
  policy: Policy,
  size: number,
): Promise<void> {
  const { note } = (await checkpointAt(db, treeLog.origin, size))!;
  const times = cosignaturesOf(parseCheckpoint(note), policy, now() / 1000 + 60);
  const time = quorumTime(policy, times);
  if (time !== null && time > 0) await markQuorum(db, treeLog.origin, size, toTime(time * 1000));
}
