import { canonicalString } from '@svc/protocol';
import {
  type DrandChain,
  type Opening,
  OPENING_NOTE,
  OPENING_TAG,
  openingText,
  roundAt,
} from '@svc/protocol/timelock';
import { Failure } from '../platform/failure.ts';
import type { Caller } from '../identity/caller.ts';
import type { Keyring } from '../platform/secrets/keyring.ts';
import type { Promises } from './promise.ts';
import type { EtchReader } from './store.ts';
import { decryptHidden } from './hidden-fields.ts';
import { statusAt } from './row.ts';
import type { Timelock } from './timelock.ts';

export interface OpeningDependencies {
  reader: EtchReader;
  clock: { now(): number };
  keyring: Keyring;
  promises: Promises;
  timelock: Pick<Timelock, 'encrypt' | 'close'>;
  chain: DrandChain | undefined;
}

/**
 * docs/protocol.md#411-openings. Never stored, because a stolen copy would open too.
 * @param count called when only encryption can still fail
 */
export async function makeOpening(
  { reader, clock, keyring, promises, timelock, chain }: OpeningDependencies,
  caller: Caller,
  id: string,
  count: () => Promise<unknown>,
): Promise<Opening> {
  const row = await readSealed({ reader, clock }, caller, id);
  if (chain === undefined)
    throw new Failure('unprocessable', 'this service makes no openings: its operator set DRAND_CHAIN to off');
  await count();
  const { content, salt } = decryptHidden(keyring, id, row.sealed);
  const { user_id: userId, created_at: createdAt } = row;
  const words = canonicalString({ userId, createdAt, salt: salt.toString('hex'), content });
  const round = roundAt(chain, Date.parse(row.reveal_at));
  const opening = {
    etch_id: id,
    hash: row.hash.toString('hex'),
    chain_hash: chain.hash,
    round,
    ciphertext: await timelock.encrypt(chain, round, words, userId),
  };
  // Check again: an opening outlives a retraction.
  await readSealed({ reader, clock }, caller, id);
  const { public_key, signature } = promises.sign(openingText(opening));
  return { _format: OPENING_TAG, _what_this_is: OPENING_NOTE, ...opening, public_key, signature };
}

async function readSealed(
  { reader, clock }: Pick<OpeningDependencies, 'reader' | 'clock'>,
  caller: Caller,
  id: string,
) {
  const row = await reader.get(id);
  if (row.user_id !== caller.userId)
    throw new Failure('forbidden', 'only the author may get the opening of an etch');
  const status = statusAt(row, clock.now());
  if (status === 'retracted')
    throw new Failure('unprocessable', 'the etch is retracted: there is nothing to open');
  if (status === 'revealed' || row.sealed === null || row.reveal_at === null)
    throw new Failure('unprocessable', 'the etch is public: there is nothing left to open');
  return { ...row, sealed: row.sealed, reveal_at: row.reveal_at };
}
