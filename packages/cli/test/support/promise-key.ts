import { newAgentKeys } from '../../../../testing/clients/agent-keys.ts';

/** A key that promises are signed with, and promises by it. */
export function promiseKey() {
  const { publicKey, sign } = newAgentKeys();
  return {
    publicKey,
    sign: (text: string) => ({ text, public_key: publicKey, signature: sign(text) }),
  };
}
