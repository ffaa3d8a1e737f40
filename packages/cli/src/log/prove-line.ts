import { parseJson, readInput } from '../input-file.ts';
import { bytesToHex } from '@svc/protocol';
import { lineSalt, LOG_PROOF_FORMAT, LogTree, parseLog, parseLogProof } from '@svc/protocol/conventions';
import type { LogProof } from '@svc/protocol/conventions';
import type { Context, Shown } from '../context.ts';
import { asRefusal, EXIT, failError, inputError } from '../exit.ts';
import { sha256 } from '../files/manifest-file.ts';
import { writeOut } from '../out-file.ts';
import { onDevelopment } from '../verdict-words.ts';
import { checkedEtch } from '../verify/verify-command.ts';
import { requireState, saltOf } from './log-folder.ts';
import { readLog } from './read-log.ts';
import type { LogVerifyOptions } from './verify-log.ts';

export async function proveLine(log: string, number: number, out: string | undefined): Promise<Shown> {
  const state = await requireState(log);
  const { last } = state;
  if (last === null || number > last.lines)
    throw inputError(
      `line ${number} of ${log} is not anchored: the last anchored state has ${last?.lines ?? 0} lines`,
    );
  const tree = new LogTree(sha256, number - 1);
  let bytes: Uint8Array | null = null;
  await readLog(
    log,
    saltOf(state),
    (line) => {
      if (line.number > last.lines) return;
      tree.add(line.leaf);
      bytes ??= line.bytes;
    },
    number,
  );
  if (bytes !== null && Buffer.from(bytes).subarray(0, -1).includes('\r'))
    throw inputError(
      `line ${number} of ${log} has a carriage return, so it would look like several lines: no proof shows it`,
    );
  if (bytes === null || bytesToHex(tree.root()) !== last.root)
    throw failError(
      `${log} does not begin with the lines of etch ${last.etch}: svc log verify ${log} names the change`,
    );
  const proof: LogProof = {
    ...{ _format: LOG_PROOF_FORMAT, etch: last.etch, root: last.root, lines: last.lines, number },
    line: Buffer.from(bytes).toString('base64'),
    salt: bytesToHex(lineSalt(saltOf(state), number, sha256)),
    proof: tree.proof()!.map(bytesToHex),
  };
  if (out === undefined) return { value: proof };
  writeOut(out, proof);
  const words = [`${out} shows line ${number} of etch ${last.etch} and no other line`];
  return { value: { file: out, number, root: last.root }, words };
}

export async function verifyLine(path: string, options: LogVerifyOptions, context: Context): Promise<Shown> {
  const bytes = await readInput(path);
  const proof = asRefusal(() => parseLogProof(parseJson(bytes), sha256), EXIT.fail);
  const etch = await checkedEtch(options.etch ?? proof.etch, options, context);
  const words = asRefusal(() => parseLog(etch.content), EXIT.fail);
  const isSame = words.root === proof.root && words.lines === proof.lines;
  const result = isSame ? etch.result : 'fail';
  const { chain, etch_id: id } = etch.receipt;
  const line = Buffer.from(proof.line, 'base64').toString('utf8');
  const passed = `PASS: this is line ${proof.number} of ${proof.lines} in etch ${id}, anchored at ${chain.anchored_at ?? '(not yet)'}.`;
  const agrees = result === 'pass' ? onDevelopment(passed, etch.isDevelopment) : etch.verdict;
  const differs = `FAIL: the proof is not of etch ${id}: root or number of lines differ.`;
  return {
    value: { result, etch: id, number: proof.number, line, etch_verdict: etch.verdict },
    words: [line, isSame ? agrees : differs],
    status: EXIT[result],
  };
}
