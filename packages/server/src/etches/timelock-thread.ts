// The thread of timelock.ts: one pairing takes longer than a hundred requests.
import { randomBytes } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { armor, type DrandChain, isBeacon, RANDOM_BYTES, timelockEncrypt } from '@svc/protocol/timelock';

// One pairing takes longer than a hundred requests.

export type TimelockTask =
  | { kind: 'encrypt'; chain: DrandChain; round: number; text: string }
  | { kind: 'check'; chain: DrandChain; round: number; signature: string };
export type TimelockAnswer = { result: string | boolean } | { failure: string };

parentPort!.on('message', (task: TimelockTask) => {
  let answer: TimelockAnswer;
  try {
    answer = { result: run(task) };
  } catch (error) {
    answer = { failure: (error as Error).message };
  }
  parentPort!.postMessage(answer);
});

function run(task: TimelockTask): string | boolean {
  const { chain, round } = task;
  if (task.kind === 'check') return isBeacon(chain, round, task.signature);
  const text = new Uint8Array(Buffer.from(task.text));
  return armor(timelockEncrypt(chain, round, text, new Uint8Array(randomBytes(RANDOM_BYTES))));
}
