import { hexToBytes, textOfBytes } from '@svc/protocol';
import { checkLog, LOG, type LogCheck } from '@svc/verifier/evidence';
import { fetchBounded } from '../bounded-fetch.ts';
import type { InputOf } from '../command.ts';
import { awayError, CommandError } from '../exit.ts';
import { MOST_BYTES, readPolicy, readShortText } from '../policy-file.ts';
import type { CommonOptions, LoadedReceipt, Proof } from './proof.ts';

const options = {
  '--policy <file>': 'for the log of trees: the log and the witnesses that you trust (C2SP tlog-policy)',
  '--tlog-proof <file>': 'the proof that svc receipt --tlog-proof wrote',
};

const { witness: _, ...named } = LOG;

/** The proof need not be in evidence, so the kind has no `witness` here. */
export const log: Proof<typeof options> = {
  ...named,
  options,
  misuse: ({ require, policy, tlogProof }) =>
    policy === undefined &&
    (require?.includes(LOG.need) === true || tlogProof !== undefined) &&
    '--require log and --tlog-proof require --policy: a file with the log and the witnesses that you trust',
  async check(found, given) {
    if (given.policy === undefined) return null;
    const policy = await readPolicy(given.policy);
    const { proof, why } = await findProof(found, given);
    if (proof !== null) return checkLog(found.receipt, proof, policy, Date.now());
    return { verdict: 'wait', badge: 'none', detail: why, evidence: [], time: null } satisfies LogCheck;
  },
  /** A sealed etch passes too, so the sentence is about the hash. `logged`: by a policy with `quorum none`. */
  words: (_, check) => ({
    pass:
      check?.badge === 'logged'
        ? 'PASS: the hash was in a log of your policy, which requires no witness; the chain was not required.'
        : 'PASS: the hash was in a log that the required witnesses had seen; the chain was not required.',
    fail: 'FAIL: the receipt or the proof of the log does not hold.',
    wait: 'WAIT: not every check can finish now; no check contradicts the receipt.',
  }),
};

/** From `--tlog-proof`, from the evidence, or from the service that returned the receipt. */
async function findProof(
  { receipt, evidence, service }: LoadedReceipt,
  { tlogProof, offline }: InputOf<typeof options> & CommonOptions,
): Promise<{ proof: string | null; why: string }> {
  const why = 'There is no proof of the log: give --tlog-proof, or name the etch by its url.';
  if (tlogProof !== undefined) return { proof: await readShortText(tlogProof), why };
  const witness = evidence?.witnesses?.find(({ of, kind }) => of === 'commitment' && kind === LOG.witness);
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
