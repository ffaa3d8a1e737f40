// The etch of a receipt in the index of accounts: `svc verify --against-index`, or the answer that
// `svc receipt --index` saved in the receipt.
import type { Receipt } from '@svc/protocol';
import { IndexError, parseIndexAnswer } from '@svc/protocol/account-index';
import { TlogError } from '@svc/protocol/tlog';
import type { Check, Verdict } from '@svc/verifier';
import * as index from '@svc/verifier/account-index';
import type { Context } from '../context.ts';
import { usageError } from '../exit.ts';
import { refuseUnwritable, writeOut } from '../out-file.ts';
import { guardedFetch } from '../public-fetch.ts';
import type { VerifyOptions } from '../verify-options.ts';
import { savedTrust } from './saved-files.ts';

export interface IndexCheck {
  verdict: Verdict;
  badge: 'present' | 'omitted' | 'absent' | 'contradicted' | 'unread';
  detail: string;
  evidence: Check['evidence'];
}

interface Indexed {
  receipt: Receipt;
  /** in the file of the receipt; undefined: it has none */
  answers: unknown;
  origin: string | null;
  /** by the reader, not only by the receipt */
  isNamed: boolean;
}

/** Null when the receipt has no answer, and none is to be read. */
export async function judgeIndex(
  { receipt, answers, origin, isNamed }: Indexed,
  options: VerifyOptions,
  context: Pick<Context, 'env'>,
): Promise<IndexCheck | null> {
  const reads = options.againstIndex === true;
  if (!reads && answers === undefined) return null;
  if (reads && (options.offline || origin === null))
    throw usageError(
      '--against-index reads the log of the service: it needs the network, and a receipt that names its service',
    );
  const trust = await savedTrust(options, origin, context);
  if (trust.keys.length === 0)
    return found(
      reads ? 'wait' : 'info',
      'unread',
      'No key of the log is pinned: run svc trust <url> for its service, or give --policy or --trust.',
    );
  try {
    if (reads) return await judgeRead(receipt, origin!, isNamed, trust);
    const pages = Array.isArray(answers) ? answers.map(parseIndexAnswer) : [];
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
