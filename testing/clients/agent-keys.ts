import { generateKeyPairSync, sign } from 'node:crypto';

export interface AgentKeys {
  publicKey: string;
  sign: (message: string) => string;
}

export function newAgentKeys(): AgentKeys {
  const pair = generateKeyPairSync('ed25519');
  return {
    publicKey: Buffer.from(pair.publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('hex'),
    sign: (message) => sign(null, Buffer.from(message), pair.privateKey).toString('hex'),
  };
}

/** The body of a request that an agent's key signs. */
export const signedBody = (tag: string, at: string, keys = newAgentKeys(), subject = keys.publicKey) => ({
  public_key: keys.publicKey,
  issued_at: at,
  signature: keys.sign(`${tag}|${subject}|${at}`),
});
