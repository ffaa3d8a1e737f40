// Types and small rules that the steps of creating an etch share (create.ts, create-store.ts, decide-batch.ts).
import type { CreateEtchBody } from '@svc/contract';
import type { EtchPromise } from '@svc/contract/types';
import type { Static } from 'typebox';
import { randomInt } from 'node:crypto';
import type { CountReplay } from '../accounts/guess-store.ts';
import type { KeyedRequest } from '../accounts/idempotency-store.ts';
import type { Clock } from '../db/clock.ts';
import type { Db } from '../db/db.ts';
import type { Promises } from '../etches/promise.ts';
import type { EtchReader } from '../etches/store.ts';
import type { Keyring } from '../platform/secrets/keyring.ts';
import type { Limits } from '../settings/config.ts';
import type { EtchColumns, EtchRow } from '../etches/row.ts';
import type { Caller } from '../identity/caller.ts';
import { badField, type Failure } from '../platform/failure.ts';

/** A challenge's description, topic and reveal time replace those of the request. */
export type EtchRequest = Static<typeof CreateEtchBody>;

export interface Creation {
  caller: Caller;
  request: EtchRequest;
  perDay: number;
  idempotency: KeyedRequest | undefined;
}

export interface CreateDependencies {
  db: Db;
  clock: Clock;
  keyring: Keyring;
  limits: Limits;
  reader: EtchReader;
  promises: Promises;
  countReplay: CountReplay;
}

export type NewEtch = EtchColumns & Pick<EtchRow, 'challenge_question'>;

export type CreateOutcome = Created | { id: string };

export interface Created {
  id: string;
  etch: NewEtch;
  content: string;
  promise: EtchPromise | null;
}

/** Omits characters that readers confuse. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const LENGTH = 6;

export function makeCode(): string {
  let code = '';
  for (let index = 0; index < LENGTH; index++) code += ALPHABET[randomInt(ALPHABET.length)];
  return code;
}

export function leadRefusal(revealAt: string, now: number, leadSeconds: number): Failure | undefined {
  return Date.parse(revealAt) - now < leadSeconds * 1000
    ? badField('reveal_at', `must lie at least ${leadSeconds} seconds ahead`)
    : undefined;
}
