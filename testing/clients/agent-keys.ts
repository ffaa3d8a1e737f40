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
