// Signs checkpoints of the log, asks witnesses to cosign them, and decides which one readers get.
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
import type { IndexKeeper } from '../account-index/index-keeper.ts';
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
import { createLastSigned } from './last-signed.ts';
import { publishCheckpoint, signableSize, type TreeLog } from './tree-log.ts';

export interface WitnessedLogOptions {
  db: Db;
  treeLog: TreeLog;
  now: () => number;
  policy: Policy | undefined;
  index: Pick<IndexKeeper, 'extend'>;
  /** the folder of the file with the last signed checkpoint */
  ledgers: string;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
  timeoutMs?: number;
}

const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 30_000;

/**
 * A restored database may lack entries of a published checkpoint; a new checkpoint of the same size would be a
 * fork. Each process first compares the log with what a quorum of witnesses saw, and waits while the log is shorter
 * or different.
 */
export function createLogPublisher(options: WitnessedLogOptions): () => Promise<void> {
  const { db, treeLog, now, policy, log, index, timeoutMs = PATIENCE_MS } = options;
  const { origin } = treeLog;
  const witnesses = policy?.witnesses ?? [];
  const lastSigned = createLastSigned(options.ledgers, treeLog);
  const isQuorum = (of: readonly PolicyWitness[]): boolean =>
    policy !== undefined && quorumTime(policy, new Map(of.map(({ name }) => [name, 1]))) !== null;
  const isWitnessed = policy !== undefined && !isQuorum([]);
  /** whether the log has what its witnesses saw */
  let isCompared = policy === undefined;
  let nextLook = 0;
  let compared = -1;
  let held: string | null = null;
  const report = (hold: string | null): void => {
    if (hold !== null && hold !== held) log.error({}, `the log of trees: ${hold}`);
    held = hold;
  };

  async function compare(): Promise<boolean> {
    const seen = await Promise.all(witnesses.map((witness) => seenCheckpoint(witness, origin, timeoutMs)));
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
    const silent = witnesses.filter((_, at) => typeof seen[at] === 'string');
    const answered = witnesses.filter((_, at) => typeof seen[at] !== 'string');
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

  /** Null when the log did not grow; else the size up to which it has its index entries, which precede a comparison. */
  async function extendIndex(latest: StoredCheckpoint | null): Promise<number | null> {
    const signed = latest?.size ?? 0;
    if ((await logSize(db)) <= signed && signed === compared) return null;
    const last = await lastSigned.read();
    return index.extend(await signableSize(db, { latest, last, isWitnessed }));
  }

  /** Signs what is new. @returns whether the log continues what it signed */
  async function publish(latest: StoredCheckpoint | null, indexed: number | null): Promise<boolean> {
    if (indexed === null) return true;
    const signed = latest?.size ?? 0;
    let last = await lastSigned.read();
    const hold = await holdOf(db, origin, last, witnesses.length > 0);
    report(hold);
    if (hold !== null) return false;
    // Another process signed the latest one.
    if (latest !== null && signed > (last?.size ?? 0))
      await lastSigned.write((last = parseCheckpoint(latest.note)));
    compared = signed;
    const of = { latest, last, now: now(), isWitnessed, indexed };
    report((await publishCheckpoint(db, treeLog, lastSigned, of)) ? DOUBTFUL : null);
    return true;
  }

  /** @returns whether a witness saw a longer log */
  async function cosign(latest: StoredCheckpoint): Promise<boolean> {
    const states = await witnessStates(db, origin, toTime(now()));
    const behind = witnesses.filter((witness) => {
      const state = states.get(witnessId(witness));
      return state === undefined || (state.size < latest.size && state.due);
    });
    const note = async () => isWitnessed && !latest.quorum && noteQuorum(latest.size);
    if (behind.length === 0) await note(); // a process ended before it did
    const forks = await Promise.all(
      behind.map(async (witness) => {
        const isFork = await submit(witness, states.get(witnessId(witness)), latest);
        await note();
        return isFork;
      }),
    );
    return forks.includes(true);
  }

  async function submit(
    witness: PolicyWitness,
    state: WitnessState | undefined,
    { note }: StoredCheckpoint,
  ): Promise<boolean> {
    const checkpoint = parseCheckpoint(note);
    const { size } = checkpoint;
    const limits = { now: now(), timeoutMs };
    const send = async (old: number) => {
      const proof = await proveConsistency(old, size, subtreesOf(db));
      return addCheckpoint(witness, checkpoint, note, { size: old, proof }, limits);
    };
    let old = state?.size ?? 0;
    let answer = await send(old);
    // Our last answer was lost, or a different service submits the same log: retry from the witness's size.
    if ('size' in answer && answer.size <= size) answer = await send((old = answer.size));
    const key = { origin, witness: witnessId(witness), now: toTime(now()) };
    if ('line' in answer) await storeCosignature(db, { ...key, size, line: answer.line });
    const isCosigned = 'line' in answer;
    const isFork = 'size' in answer && answer.size > size;
    const fault = 'line' in answer ? null : 'fault' in answer ? answer.fault : hasSeenMore(answer.size, size);
    if (fault !== null && fault !== state?.fault)
      log.warn(
        { witness: witness.name, fault },
        `the log of trees: WITNESS_POLICY: the witness ${witness.name}: ${fault}`,
      );
    const has = isCosigned ? size : Math.min(old, size);
    await keepWitnessState(db, { ...key, size: has, tries: state?.tries ?? 0, fault });
    return isFork;
  }

  async function noteQuorum(size: number): Promise<void> {
    const { note } = (await checkpointAt(db, origin, size))!;
    const times = cosignaturesOf(parseCheckpoint(note), policy!, now() / 1000 + 60);
    const time = quorumTime(policy!, times);
    if (time !== null && time > 0) await markQuorum(db, origin, size, toTime(time * 1000));
  }

  return async () => {
    if (!isCompared && now() < nextLook) return;
    const signed = await latestCheckpoint(db, origin);
    const indexed = await extendIndex(signed);
    isCompared ||= await compare();
    nextLook = now() + LOOK_EVERY_MS;
    if (!isCompared || !(await publish(signed, indexed))) return;
    const latest = await latestCheckpoint(db, origin);
    if (latest === null) return;
    // A process of another machine stored this checkpoint after our signing. The next run writes it to our file, and serves it.
    if (latest.size > compared && latest.size > ((await lastSigned.read())?.size ?? 0)) return;
    const serve = async () => {
      if (!latest.served) await serveFinal(db, origin, { size: latest.size, givenUp: !isWitnessed });
    };
    if (!isWitnessed) await serve();
    if (witnesses.length > 0 && (await cosign(latest))) isCompared = false;
    if (isWitnessed) await serve();
  };
}

const hasSeenMore = (seen: number, size: number): string =>
  `it has seen ${seen} entries of this log, and this log has ${size}`;
