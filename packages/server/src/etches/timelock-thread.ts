import { randomBytes } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { armor, type DrandChain, RANDOM_BYTES, timelockEncrypt } from '@svc/protocol/timelock';

// A thread of its own: a pairing takes longer than a hundred answers.

export interface EncryptRequest {
  id: number;
  chain: DrandChain;
  round: number;
  text: string;
}
export type EncryptAnswer = { id: number; ciphertext: string } | { id: number; failure: string };

parentPort!.on('message', ({ id, chain, round, text }: EncryptRequest) => {
  let answer: EncryptAnswer;
  try {
    const file = timelockEncrypt(
      chain,
      round,
      new Uint8Array(Buffer.from(text)),
      new Uint8Array(randomBytes(RANDOM_BYTES)),
    );
    answer = { id, ciphertext: armor(file) };
  } catch (error) {
    answer = { id, failure: (error as Error).message };
  }
  parentPort!.postMessage(answer);
});
