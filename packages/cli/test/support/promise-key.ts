import { createHash } from 'node:crypto';
import { newAgentKeys } from '../../../../testing/clients/agent-keys.ts';

export function promiseKey() {
  const { publicKey, sign } = newAgentKeys();
  const rootOf = (text: string) => createHash('sha256').update('\0').update(text).digest('hex');
  return {
    publicKey,
    sign,
    promise: (text: string, nonce = '5'.repeat(64)) => ({
      text,
      path: [],
      public_key: publicKey,
      signature: sign(`svc-promises:v1|${rootOf(text)}`),
      nonce,
    }),
  };
}
