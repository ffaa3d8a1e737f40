import { createHash } from 'node:crypto';
import {
  type Checkpoint,
  cosignatureTime,
  parseCheckpoint,
  parseSignatureLine,
  parseSize,
  type PolicyWitness,
  TlogError,
  encodeBase64,
} from '@svc/protocol/tlog';
import { readBytes } from '@svc/verifier/requests';

/** The line of a cosignature, or the size that the witness has, or a fault. */
export type WitnessAnswer = { line: string } | { size: number } | { fault: string };

const MOST_BYTES = 64_000;
const AHEAD_SECONDS = 60;

/** Sends a checkpoint with the proof from the size that the witness has. Never throws. */
export async function addCheckpoint(
  { key, url }: PolicyWitness,
  checkpoint: Checkpoint,
  note: string,
  from: { size: number; proof: readonly Uint8Array[] },
  { now, timeoutMs }: { now: number; timeoutMs: number },
): Promise<WitnessAnswer> {
  const body = `old ${from.size}\n${from.proof.map((hash) => `${encodeBase64(hash)}\n`).join('')}\n${note}`;
  const answer = await request(`${url}/add-checkpoint`, { method: 'POST', body }, timeoutMs);
  if ('fault' in answer) return answer;
  const { status, text } = answer;
  try {
    if (status === 409) return { size: parseSize(text.replace(/\n$/, '')) };
    const [, reason] = /^([ -~]{1,300})\n$/.exec(text) ?? [];
    if (status !== 200)
      return {
        fault: `${REASONS[status] ?? `it answers status ${status}`}${reason ? ` (it says: ${reason})` : ''}`,
      };
    for (const line of text.split('\n').slice(0, -1)) {
      const signature = parseSignatureLine(line);
      const time = cosignatureTime(checkpoint.text, signature, key);
      // 0 does not count towards a quorum.
      if (time === null || time === 0) continue;
      if (time > now / 1000 + AHEAD_SECONDS) return { fault: 'its cosignature is of a future time' };
      return { line: signature.line };
    }
    return { fault: 'its answer has no valid cosignature of its key on this checkpoint' };
  } catch (error) {
    if (!(error instanceof TlogError)) throw error;
    return { fault: `its answer is malformed: ${error.message}` };
  }
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'it rejects the request as malformed (400)',
  403: 'it does not accept the signature of this log (403): give it a key of the log',
  404: 'it does not know this log (404): add the log to it',
  422: 'it rejects the checkpoint (422): it has seen a different history of this log, or found its index of accounts wrong',
};

/** null: none; a text: why it is unknown */
export async function seenCheckpoint(
  { url }: PolicyWitness,
  origin: string,
  timeoutMs: number,
): Promise<Checkpoint | null | string> {
  const originHash = createHash('sha256').update(origin).digest('hex');
  const answer = await request(`${url}/${originHash}/checkpoint`, {}, timeoutMs);
  if ('fault' in answer) return answer.fault;
  if (answer.status === 404) return null;
  if (answer.status !== 200) return `it answers status ${answer.status}`;
  try {
    const checkpoint = parseCheckpoint(answer.text);
    return checkpoint.origin === origin ? checkpoint : 'it answers a checkpoint of a different log';
  } catch (error) {
    if (!(error instanceof TlogError)) throw error;
    return `its checkpoint is malformed: ${error.message}`;
  }
}

async function request(
  url: string,
  init: RequestInit,
  timeoutMs: number,
): Promise<{ status: number; text: string } | { fault: string }> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { ...init, redirect: 'error', signal });
    const bytes = await readBytes(response, MOST_BYTES);
    if (bytes === null) return { fault: `its answer is longer than ${MOST_BYTES} bytes` };
    return { status: response.status, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { fault: 'it cannot be reached, does not answer in time, or answers no text' };
  }
}
