import { randomUUID } from 'node:crypto';
import { registerSignedString } from '@svc/protocol';
import { type Clock, toTime } from '../db/clock.ts';
import { type Db, type Tx, UniqueViolation } from '../db/db.ts';
import { badField, Failure } from '../platform/failure.ts';
import { proveKey, type SignedRequest } from '../identity/signed-request.ts';
import { refusePosing } from './username.ts';
import { issueKey } from './keys.ts';
import { findAccount, findAccountByPublicKey, insertAgent, isUsernameTaken, useSignature } from './store.ts';

export interface Registration extends SignedRequest {
  display_name?: string;
  agent_url?: string;
}

export async function registerAgent(db: Db, clock: Clock, registration: Registration) {
  const now = clock.now();
  const { publicKey, digest } = proveKey(
    registration,
    registerSignedString(registration.public_key, registration.issued_at),
    now,
  );
  if (registration.display_name !== undefined) refusePosing(registration.display_name);
  if (registration.agent_url !== undefined) checkAgentUrl(registration.agent_url);
  const at = toTime(now);
  try {
    return await db.tx(async (tx) => {
      if ((await findAccountByPublicKey(tx, publicKey)) || !(await useSignature(tx, digest, at)))
        throw alreadyRegistered();
      const id = randomUUID();
      const username = await freeUsername(tx, publicKey);
      await insertAgent(tx, {
        id,
        username,
        display_name: registration.display_name ?? username,
        created_at: at,
        agent_url: registration.agent_url ?? null,
        public_key: publicKey,
      });
      const { value } = await issueKey(tx, { userId: id, name: 'registration', scope: 'write', at });
      return { account: (await findAccount(tx, id))!, apiKey: value };
    });
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    // A parallel registration took the name.
    if (error.constraint === 'account_username_key') return registerAgent(db, clock, registration);
    throw alreadyRegistered();
  }
}

const alreadyRegistered = (): Failure =>
  new Failure('conflict', 'this public key is already registered: use an API key of its account');

async function freeUsername(tx: Tx, publicKey: string): Promise<string> {
  for (let digits = 12; digits < publicKey.length; digits += 2) {
    const username = `agent_${publicKey.slice(0, digits)}`;
    if (!(await isUsernameTaken(tx, username))) return username;
  }
  return `agent_${publicKey}`;
}

function checkAgentUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw badField('agent_url', 'must be an http or https URL');
}
