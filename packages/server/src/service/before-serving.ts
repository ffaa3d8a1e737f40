import type { Logger } from 'pino';
import { replayRevocations } from '../accounts/revocations.ts';
import { replayErasures } from '../acts/erasures.ts';
import { ensureSameChain } from '../anchoring/index.ts';
import { type Chain, ChainUnavailable, WrongSetting } from '../chain/port.ts';
import type { Db } from '../db/db.ts';
import { ensureLedger } from '../flow/ledger-file.ts';
import type { Keyring } from '../secrets/keyring.ts';
import type { ChainInUse } from '../start/chain.ts';
import { lookForTombstones } from '../tombstones/look.ts';

/** Backup and restore name the file before its first entry. @throws Error that names the setting */
async function createLedger(setting: string, file: string): Promise<void> {
  try {
    await ensureLedger(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`${setting}: ${file} cannot be written (${code}); name a file that this user may write`, {
      cause: error,
    });
  }
}

/** A database that came out of a backup must not bring back what was retracted since. */
export async function eraseAgain(db: Db, ledger: string, log: Logger): Promise<void> {
  const { erased, takenDown, refused } = await replayErasures(db, ledger);
  await createLedger('ERASURE_LEDGER', ledger);
  if (erased > 0)
    log.warn(
      { etches: erased },
      'etches of an older database were erased again: their authors had retracted them',
    );
  if (takenDown > 0)
    log.warn(
      { descriptions: takenDown },
      'descriptions of an older database were taken down again: an operator had taken them down',
    );
  if (refused > 0)
    log.error({ lines: refused, ledger }, 'the erasure ledger holds lines that do not fit this database');
}

/** Nor may it give back a key that was revoked since, or a session that was ended. */
export async function revokeAgain(db: Db, ledger: string, log: Logger): Promise<void> {
  const { keys, sessions, refused } = await replayRevocations(db, ledger);
  await createLedger('REVOCATION_LEDGER', ledger);
  if (keys + sessions > 0)
    log.warn({ keys, sessions }, 'what an older database gave back was revoked again: keys and sessions');
  if (refused > 0) log.error({ lines: refused, ledger }, 'the revocation ledger holds damaged lines');
}

/**
 * Another chain refuses to start; one that is down does not: it is checked again before anything is anchored.
 * @returns whether the chain could be asked
 */
export async function bindChain(db: Db, { chain, devnet }: ChainInUse, log: Logger): Promise<boolean> {
  try {
    const found = await ensureSameChain(db, chain, { devnet: devnet !== undefined });
    if (found === 'reset') log.warn('the devnet began anew: everything is anchored again');
    return true;
  } catch (error) {
    if (!(error instanceof ChainUnavailable) || error instanceof WrongSetting) throw error;
    const setting = devnet ? 'the embedded chain' : 'CHAIN_RPC_URL';
    log.warn(
      { reason: error.message },
      `${setting}: ${error.message}: etches are taken, and anchored when the chain is back`,
    );
    return false;
  }
}

/** Before anybody is answered. While the chain is down nothing can be told of it: looked at again as soon as it is back. */
export async function withholdRetracted(db: Db, chain: Chain, keyring: Keyring, log: Logger): Promise<void> {
  try {
    await lookForTombstones(db, chain, keyring, log);
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    log.warn({ reason: error.message }, 'the chain cannot be asked for tombstones that the database forgot');
  }
}

/** Without coin nothing is anchored. What the chain cannot answer now is on /status later. */
export async function warnOfEmptyRelayer(chain: Chain, log: Logger): Promise<void> {
  const balance = await chain.balance().catch(() => undefined);
  if (balance === 0n)
    log.warn(
      { relayer: chain.relayer, chain: chain.name },
      `RELAYER_PRIVATE_KEY: its account ${chain.relayer} has no coin on ${chain.name}: etches are taken, and anchored once it has some; send it coin`,
    );
}
