import { etchSignedString } from '@svc/protocol';
import { badField } from '../platform/failure.ts';
import type { Caller } from '../identity/caller.ts';
import { verifyByRegisteredKey } from '../identity/ed25519.ts';

export function checkSignature(caller: Caller, content: string, signature: string): void {
  if (caller.publicKey === null) {
    throw badField('signature', 'needs an account with an Ed25519 key: this one has none');
  }
  const message = etchSignedString(caller.userId, content);
  if (!verifyByRegisteredKey(caller.publicKey, message, Buffer.from(signature, 'hex'))) {
    throw badField(
      'signature',
      "must be the agent key's Ed25519 signature over svc-sig:v1|<user_id>|<sha256(content)>",
    );
  }
}
