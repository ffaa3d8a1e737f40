// The etch of a receipt in the index of accounts: `svc verify --against-index`, or the answer that
// `svc receipt --index` saved in the receipt.
import type { Receipt } from '@svc/protocol';
import { IndexError, parseIndexAnswer } from '@svc/protocol/account-index';
import { parseVerifierKey, TlogError } from '@svc/protocol/tlog';
import type { CheckResult, Verdict } from '@svc/verifier';
import * as index from '@svc/verifier/account-index';
import { readIndexPolicy } from '../audit/index-command.ts';
import { sha256 } from '../audit/job.ts';
import { many } from '../command.ts';
import type { Context } from '../context.ts';
import { usageError } from '../exit.ts';
import { readNamedTrust } from '../find-trust.ts';
import { refuseUnwritable, writeOut } from '../out-file.ts';
import { pinsPath, readPin } from '../pins.ts';
import { guardedFetch } from '../public-fetch.ts';
import type { Proof } from './proof.ts';

const options = {
  '--index-witness <name>': many(
    'with --policy: a witness of the policy that recomputes the index of accounts, by its name there; may be repeated',
  ),
  '--against-index':
    'check that the index of accounts of the service has the etch; else write svc-omission-<hash>.json, which proves the omission',
};

type IndexCheck = CheckResult<'present' | 'omitted' | 'absent' | 'contradicted' | 'unread'>;

export const accountIndex: Proof<typeof options> = {
  field: 'index',
  title: 'The index of accounts',
  options,
  async check({ receipt, indexAnswers, origin, isNamed }, given, context): Promise<IndexCheck | null> {
    const reads = given.againstIndex === true;
    if (!reads && indexAnswers === undefined) return null;
    if (reads && (given.offline || origin === null))
      throw usageError(
        '--against-index reads the log of the service: it needs the network, and a receipt that names its service',
      );
    const trust = await savedTrust(given, origin, context);
    if (trust.keys.length === 0)
      return found(
        reads ? 'wait' : 'info',
        'unread',
        'No key of the log is pinned: run svc trust <url> for its service, or give --policy or --trust.',
      );
    try {
      if (reads) return await judgeRead(receipt, origin!, isNamed, trust);
      const pages = Array.isArray(indexAnswers) ? indexAnswers.map(parseIndexAnswer) : [];
      const saved = index.checkSavedIndex(pages, receipt.author.user_id, trust);
      const { at, of } = index.placeInIndex(receipt, saved);
      if (at > 0) return present(at, of, saved);
      return found('wait', 'absent', 'The saved index does not have the etch: give --against-index.');
    } catch (error) {
      if (error instanceof index.LogUnread) return found('wait', 'unread', sentence(error.message));
      if (error instanceof IndexError || error instanceof TlogError)
        return found('fail', 'contradicted', sentence(error.message));
      throw error;
    }
  },
};

interface IndexTrustOptions {
  policy?: string | undefined;
  indexWitness: string[];
  trust?: string | undefined;
}

/** @param origin of the service that the file names */
export async function savedTrust(
  options: IndexTrustOptions,
  origin: string | null,
  { env }: Pick<Context, 'env'>,
): Promise<index.SavedTrust> {
  const policy = await readIndexPolicy(options);
  const named = await readNamedTrust(options.trust);
  const pin = origin === null ? null : readPin(pinsPath(env), origin);
  const pinned = (named?.facts.logKeys ?? pin?.logKeys ?? []).map(parseVerifierKey);
  return {
    keys: [...pinned, ...(policy?.logs ?? []).map(({ key }) => key)],
    policy,
    indexWitnesses: options.indexWitness,
    now: Date.now() / 1000,
    sha256,
  };
}

async function judgeRead(
  receipt: Receipt,
  origin: string,
  isNamed: boolean,
  trust: index.SavedTrust,
): Promise<IndexCheck> {
  const path = `svc-omission-${receipt.hash.slice(0, 12)}.json`;
  refuseUnwritable(path);
  const log = index.logReader(`${origin}/log`, guardedFetch(isNamed ? origin : null));
  const place = await index.readReceiptPlace(log, receipt, trust);
  if (place.state === 'present') return present(place.at, place.of, place.index);
  if (place.state === 'uncovered') return found('wait', 'absent', sentence(place.why));
  writeOut(path, place.omission);
  return found(
    'fail',
    'omitted',
    `The service signed an index that leaves out this etch. ${path} proves it to anyone (svc verify ${path}).`,
  );
}

function present(at: number, of: number, { covered, recomputedBy, unproven }: SavedIndex): IndexCheck {
  const by =
    recomputedBy.length > 0
      ? `${recomputedBy.join(', ')} recomputed the index, by your word.`
      : 'Nobody whom you named has recomputed the index.';
  const detail = `Etch ${at} of ${of} of its author in the trees below entry ${covered} of the log. ${by}`;
  const [first] = unproven;
  return first === undefined
    ? found('pass', 'present', detail)
    : found('wait', 'present', `${detail} ${sentence(first)}`);
}

type SavedIndex = ReturnType<typeof index.checkSavedIndex>;

const found = (verdict: Verdict, badge: IndexCheck['badge'], detail: string): IndexCheck => ({
  verdict,
  badge,
  detail,
  evidence: [],
});

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
