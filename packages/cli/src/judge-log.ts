import { readInput } from './input-file.ts';
import { awayError, CommandError, EXIT, inputError, parsed, usageError } from './exit.ts';
import { hexToBytes, type Receipt, textOfBytes } from '@svc/protocol';
import { checkTlogProof, parsePolicy, type Policy, TlogError } from '@svc/protocol/tlog';
import type { Check, Verdict } from '@svc/verifier';
import type { Evidence } from '@svc/verifier/evidence';
import { fetchBounded } from './bounded-fetch.ts';
import type { VerifyOptions } from './verify-options.ts';

export interface LogCheck {
  verdict: Exclude<Verdict, 'info'>;
  badge: 'witnessed' | 'logged' | 'unseen' | 'none' | 'mismatch';
  detail: string;
  evidence: Check['evidence'];
  /** by which the quorum had seen the tree; null: not proven */
  time: string | null;
}

const MOST_BYTES = 200_000;
/** Clocks differ; a cosignature of a later time does not count. */
const AHEAD_SECONDS = 60;

/**
 * docs/protocol.md#417-the-log-of-trees. The proof comes from `--tlog-proof`, from the evidence, or from the
 * service that returned the receipt.
 * @returns null when it is neither required nor possible without a policy
 */
export async function judgeLog(
  { receipt, evidence, service }: { receipt: Receipt; evidence: Evidence | null; service: string | null },
  options: VerifyOptions,
): Promise<LogCheck | null> {
  if (options.policy === undefined) {
    if (options.require?.includes('log') !== true && options.tlogProof === undefined) return null;
    throw usageError(
      '--require log and --tlog-proof require --policy: a file with the log and the witnesses that you trust',
    );
  }
  const policy = await readPolicy(options.policy);
  const { proof, why } = await findProof(receipt, evidence, service, options);
  if (proof === null) return waiting('none', why);
  const etch = { hash: receipt.hash, userId: receipt.author.user_id, kind: 0 as const };
  let found: LogProof;
  try {
    found = checkTlogProof(proof, etch, policy, Date.now() / 1000 + AHEAD_SECONDS);
  } catch (error) {
    if (!(error instanceof TlogError)) throw error;
    const detail = `The proof of the log does not hold: ${error.message}.`;
    return { verdict: 'fail', badge: 'mismatch', evidence: [], time: null, detail };
  }
  const { checkpoint, witnesses, time } = found;
  const seen = witnesses.length === 0 ? 'none' : witnesses.join(', ');
  const evidenced = [
    { label: 'Log', value: `${checkpoint.origin}, size ${checkpoint.size}`, copy: false },
    { label: 'Witnesses', value: seen, copy: false },
  ];
  if (time === null) {
    const detail = `The log has it, but the quorum of your policy has not cosigned (witnesses: ${seen}).`;
    return { ...waiting('unseen', detail), evidence: evidenced };
  }
  const passed = { verdict: 'pass', time: null } as const;
  if (time === 0) {
    const detail = 'The log has it. Your policy requires no witness.';
    return { ...passed, badge: 'logged', detail, evidence: evidenced };
  }
  const seenBy = new Date(time * 1000).toISOString();
  const detail = `The witnesses that your policy requires had seen its tree by ${seenBy}, by their own clocks.`;
  return { ...passed, badge: 'witnessed', detail, evidence: evidenced, time: seenBy };
}

type LogProof = ReturnType<typeof checkTlogProof>;

const waiting = (badge: 'none' | 'unseen', detail: string): LogCheck => ({
  verdict: 'wait',
  badge,
  detail,
  evidence: [],
  time: null,
});

export async function readPolicy(path: string): Promise<Policy> {
  const text = await readText(path);
  const policy = parsed(() => parsePolicy(text), TlogError, path, EXIT.input);
  if (policy.logs.length > 0) return policy;
  throw inputError(
    `${path}: it names no log: add a line \`log <key>\`, with the key from /.well-known/svc.json`,
  );
}

async function findProof(
  receipt: Receipt,
  evidence: Evidence | null,
  service: string | null,
  { tlogProof, offline }: VerifyOptions,
): Promise<{ proof: string | null; why: string }> {
  const why = 'There is no proof of the log: give --tlog-proof, or name the etch by its url.';
  if (tlogProof !== undefined) return { proof: await readText(tlogProof), why };
  const witness = evidence?.witnesses?.find(({ of, kind }) => of === 'commitment' && kind === 'tlog');
  if (witness !== undefined) return { proof: textOfBytes(hexToBytes(witness.proof.slice(2))) ?? '', why };
  if (service === null || offline) return { proof: null, why };
  try {
    const proof = await fetchTlogProof(service, receipt.etch_id);
    return { proof, why: `The log of ${service} has no tree with this etch yet.` };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { proof: null, why: `The proof of the log cannot be read from ${service}.` };
  }
}

const PATIENCE_MS = 10_000;

/** Null when the log has no tree with the etch yet. @throws {CommandError} when the service cannot be read */
export async function fetchTlogProof(service: string, etchId: string): Promise<string | null> {
  const url = new URL(`/log/proof/${etchId}`, service);
  const answer = await fetchBounded(url, MOST_BYTES, PATIENCE_MS).catch(() => null);
  if (answer?.status === 404) return null;
  const text = answer?.status === 200 && answer.bytes !== null ? textOfBytes(answer.bytes) : null;
  if (text !== null) return text;
  throw awayError(`the proof of the log cannot be read from ${service}`);
}

async function readText(path: string): Promise<string> {
  const bytes = await readInput(path);
  const text = bytes.length > MOST_BYTES ? null : textOfBytes(bytes);
  if (text === null) throw inputError(`${path} is not UTF-8 text of at most ${MOST_BYTES} bytes`);
  return text;
}
