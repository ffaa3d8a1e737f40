// The etch of a receipt in the index of accounts: `svc verify --against-index`, or the answer that
// `svc receipt --index` saved in the receipt.
import { parseVerifierKey } from '@svc/protocol/tlog';
import * as index from '@svc/verifier/account-index';
import { INDEX_WITNESS, readIndexPolicy } from '../audit/index-command.ts';
import { sha256 } from '../audit/job.ts';
import type { Context } from '../context.ts';
import { usageError } from '../exit.ts';
import { readNamedTrust } from '../find-trust.ts';
import { refuseUnwritable, writeOut } from '../out-file.ts';
import { pinsPath, readPin } from '../pins.ts';
import { guardedFetch } from '../public-fetch.ts';
import type { Proof, VerifiedReceipt } from './proof.ts';

const options = {
  ...INDEX_WITNESS,
  '--against-index':
    'check that the index of accounts of the service has the etch; else write svc-omission-<hash>.json, which proves the omission',
};

export const accountIndex: Proof<typeof options> = {
  field: 'index',
  title: 'The index of accounts',
  options,
  async check(found, given, context): Promise<index.PlaceCheck | null> {
    const { receipt, indexAnswers, origin } = found;
    const reads = given.againstIndex === true;
    if (!reads && indexAnswers === undefined) return null;
    if (reads && (given.offline || origin === null))
      throw usageError(
        '--against-index reads the log of the service: it needs the network, and a receipt that names its service',
      );
    const trust = await savedTrust(given, origin, context);
    if (trust.keys.length === 0)
      return { verdict: reads ? 'wait' : 'info', badge: 'unread', detail: NO_KEY, evidence: [] };
    return reads ? judgeRead(found, origin!, trust) : index.checkSavedPlace(receipt, indexAnswers, trust);
  },
};

const NO_KEY =
  'No key of the log is pinned: run svc trust <url> for its service, or give --trust or a --policy that names its log.';

interface IndexTrustOptions {
  policy?: string | undefined;
  indexWitness: string[];
  trust?: string | undefined;
}

/**
 * @param origin of the service that the file names
 * @param isOfAnyLog each log of the policy counts: the result names the log
 */
export async function savedTrust(
  options: IndexTrustOptions,
  origin: string | null,
  { env }: Pick<Context, 'env'>,
  isOfAnyLog = false,
): Promise<index.SavedTrust> {
  const policy = await readIndexPolicy(options);
  const named = await readNamedTrust(options.trust);
  const pin = origin === null ? null : readPin(pinsPath(env), origin);
  const pinned = (named?.facts.logKeys ?? pin?.logKeys ?? []).map(parseVerifierKey);
  return {
    keys: isOfAnyLog
      ? [...pinned, ...(policy?.logs ?? []).map(({ key }) => key)]
      : index.keysOfLog(pinned, policy, origin && new URL(origin).host),
    policy,
    indexWitnesses: options.indexWitness,
    now: Date.now() / 1000,
    sha256,
  };
}

async function judgeRead(
  { receipt, isNamed, known, chosen, verification }: VerifiedReceipt,
  origin: string,
  trust: index.SavedTrust,
): Promise<index.PlaceCheck> {
  const path = `svc-omission-${receipt.hash.slice(0, 12)}.json`;
  refuseUnwritable(path);
  const log = index.logReader(`${origin}/log`, guardedFetch(isNamed ? origin : null));
  // Only the chain of the service now counts: its log may be newer than a chain that it left.
  const isLeft = known.pin?.former.some(({ chainId }) => chainId === receipt.chain.chain_id) === true;
  const { anchored, onchainTimestamp } = verification.chain;
  const attestedAt = chosen.pinned && anchored && !isLeft ? onchainTimestamp : null;
  const { check, omission } = await index.readReceiptPlace(log, receipt, trust, attestedAt);
  if (omission === undefined) return check;
  writeOut(path, omission);
  return { ...check, detail: `${check.detail} ${path} proves it to anyone (svc verify ${path}).` };
}
