import type { Etch } from '@svc/contract';
import { LATE_AFTER_MILLISECONDS } from '@svc/verifier';
import { erasureRecorded } from './receipt-outcome.ts';
import { between, countText, dayText, spanText, timeText, utcDayText } from './format.ts';
import { erasedBy, takenDownFor } from './etch-text.ts';

/** The status in one line, then what is proven and what is not. */
export interface ProofStatus {
  glyph: 'sealed' | 'revealed' | 'retracted' | 'pending' | 'anchored';
  tone: Etch['status'] | 'pending';
  headline: string;
  lead: string;
  provenTitle: string;
  proven: string[];
  unproven?: string;
  notProven: string[];
  caveats?: string[];
  /** the address of “the whole record” in a caveat */
  record?: string;
}

interface StatusContext {
  devnet: boolean;
  anchorSeconds?: number | undefined;
  /** who resolved a forecast, if its outcome counts */
  decidedBy?: string | undefined;
}

export function proofStatusOf(etch: Etch, { devnet, anchorSeconds, decidedBy }: StatusContext): ProofStatus {
  const standing = STATUS_TEXTS[etch.status](etch, soon(anchorSeconds ?? 60), devnet, decidedBy);
  const notProven = [...standing.notProven, ...AUTHOR_WORD(etch)];
  const { provenTitle, caveats } = trustIn(devnet);
  return {
    ...standing,
    provenTitle,
    notProven,
    caveats: [...(standing.caveats ?? []), unhashedFieldsText(etch), ...caveats],
    ...(standing.proven.length === 0 && { unproven: NOT_YET }),
  };
}

/** The title above what a chain proves, and what a development chain cannot prove. */
export const trustIn = (devnet: boolean): { provenTitle: string; caveats: string[] } =>
  devnet
    ? {
        provenTitle: 'Proven, if you trust this chain',
        caveats: [
          'Anything to other people. This is a development chain, and its operator could rewrite it.',
        ],
      }
    : { provenTitle: 'Proven', caveats: [] };

/** When the witnesses that the service names had seen the tree. */
export interface WitnessedTime {
  at: string;
  witnesses: number;
}

export const witnessedText = ({ at, witnesses }: WitnessedTime): string =>
  `${countText(witnesses, 'witness')} had seen its tree by ${timeText(at, 'seconds')}, by ${witnesses === 1 ? 'its own clock' : 'their own clocks'}.`;

/** `within`: until anchoring. */
type DescribeStatus = (
  etch: Etch,
  within: string,
  devnet: boolean,
  decidedBy?: string,
) => Omit<ProofStatus, 'provenTitle'>;
const STATUS_TEXTS: Readonly<Record<Etch['status'], DescribeStatus>> = { sealed, revealed, retracted };

function sealed(etch: Etch, within: string): ReturnType<DescribeStatus> {
  const anchored = etch.chain.anchored_at;
  return {
    glyph: 'sealed',
    tone: 'sealed',
    headline: `Sealed until ${timeText(etch.reveal_at!)}`,
    lead: anchored ? '' : waiting(etch, within),
    proven: anchored
      ? [
          `This hash existed by ${timeText(anchored, 'seconds')}: once the words are open, anyone can check that the words have this hash.`,
          'Its author cannot change the words any more, because different words have a different hash.',
        ]
      : [],
    notProven: [
      'The content. You can check it after the opening.',
      `The exact time of writing, which is hidden with the words; the UTC day is ${dayText(etch.created_on)}.`,
      'That the words stay secret until the opening: the operator of this service has their key.',
    ],
  };
}

function revealed(
  etch: Etch,
  within: string,
  devnet: boolean,
  decidedBy?: string,
): ReturnType<DescribeStatus> {
  const anchored = etch.chain.anchored_at;
  return {
    glyph: anchored ? 'anchored' : 'pending',
    tone: anchored ? 'revealed' : 'pending',
    headline: anchored ? anchoredHeadline(etch.created_at!, anchored) : waitingHeadline(etch),
    lead: anchored
      ? devnet
        ? 'The proof is on a development chain, which is only for testing.'
        : 'The proof is on the chain, so it is valid without this service.'
      : waiting(etch, within),
    proven: anchored
      ? [
          existedText(etch, anchored),
          'Nothing has changed since, not one character and not the stated time: the hash would differ.',
          ...(etch.signature
            ? ['The holder of the signing key (in the technical details) signed these words.']
            : []),
        ]
      : [],
    notProven: [
      decidedBy === undefined
        ? 'That the words are true or came true. Read them and judge.'
        : `That the words are true, or that the outcome is right: ${decidedBy} decided it.`,
    ],
    caveats: ['That the author wrote nothing else: see the whole record.'],
    record: `/u/${etch.author.username}`,
  };
}

function retracted(etch: Etch): ReturnType<DescribeStatus> {
  const { chain } = etch;
  const onChain = chain.revoked_onchain_at;
  const byOperator = takenDownFor(etch) !== null;
  const taken = byOperator ? 'Taken down' : 'Retracted';
  return {
    glyph: 'retracted',
    tone: 'retracted',
    headline: chain.anchored_at
      ? `${taken}: the text is erased, the proof of its hash remains`
      : `${taken}: the text is erased, its hash remains`,
    lead: byOperator
      ? `It was taken down ${erasedBy(etch)}. Words and salt are erased here; the hash and the dates stay, and so does this page.`
      : 'The author retracted it. Words and salt are erased here; the hash and the dates stay, and so does this page.',
    proven: [
      ...(chain.anchored_at ? [`This hash existed by ${timeText(chain.anchored_at, 'seconds')}.`] : []),
      ...(onChain ? [erasureRecorded(onChain)] : []),
    ],
    notProven: [
      'What it said. The hash alone does not reveal it. A saved copy of the words and the salt still proves them.',
      ...(chain.anchored_at ? [] : ['That it existed. Its hash is not on the chain yet.']),
      ...(onChain ? [] : [retractionWaits(etch)]),
    ],
  };
}

/**
 * `Sealed 3 May 2026, opened 1 August 2026 UTC`, for a picture or a frame. Null for another status, and for a late
 * anchor, which does not prove the day of the seal.
 */
export function openedText(etch: Etch): string | null {
  const { status, mode, chain, created_at: written, created_on: day, revealed_at: opened } = etch;
  const anchored = chain.anchored_at;
  if (status !== 'revealed' || mode !== 'delayed' || anchored === null || isLate(written, anchored))
    return null;
  return `Sealed ${dayText(day)}, opened ${utcDayText(opened)}`;
}

/** To follow the headline, which has the time. */
export const HIDDEN_WORDS = 'The service hides the words until then. Its operator has their key.';

export function erasedWords(etch: Etch): string {
  const reason = takenDownFor(etch);
  const done =
    reason === null
      ? 'The words were erased by their author.'
      : `The operator took the words down: ${reason}.`;
  return `${done} ${etch.chain.anchored_at ? 'The proof stays.' : 'Their hash remains.'}`;
}

/** True if the page will change by itself. */
export const isUnderWay = ({ status, chain }: Pick<Etch, 'status' | 'chain'>): boolean =>
  status === 'sealed' ||
  chain.status !== 'anchored' ||
  ['pending', 'failed'].includes(chain.revocation_status);

const NOT_YET =
  'Nothing to other people yet. Until it is on the chain, only this service vouches for the time.';

const isLate = (written: string, anchored: string): boolean =>
  between(written, anchored) > LATE_AFTER_MILLISECONDS;

/** A clock ran ahead of the chain. */
export const isBefore = (anchored: string, written: string): boolean =>
  Math.floor(Date.parse(anchored) / 1_000) < Math.floor(Date.parse(written) / 1_000);

/** Whole seconds, as the page shows both times. */
export function spanAfterWriting(createdAt: string, anchoredAt: string): string {
  const [written, anchored] = [createdAt, anchoredAt].map((time) => Math.floor(Date.parse(time) / 1_000));
  return spanText((anchored! - written!) * 1_000);
}

function anchoredHeadline(createdAt: string, anchoredAt: string): string {
  if (isBefore(anchoredAt, createdAt)) return 'Anchored before its stated time of writing';
  const sentence = `Anchored ${spanAfterWriting(createdAt, anchoredAt)} after it was written`;
  return isLate(createdAt, anchoredAt) ? `${sentence}: the time proven is the later one` : sentence;
}

function existedText(etch: Etch, anchored: string): string {
  const written = etch.created_at!;
  const by = timeText(anchored, 'seconds');
  const stated = timeText(written, 'seconds');
  if (isBefore(anchored, written))
    return `These exact words existed by ${by}. The stated time of writing, ${stated}, is later.`;
  return isLate(written, anchored)
    ? `These exact words existed by ${by}. The earlier time ${stated} is only stated.`
    : `These exact words existed by ${by}. That is ${spanAfterWriting(written, anchored)} after the stated time of writing, ${stated}.`;
}

export function soon(seconds: number): string {
  if (seconds <= 15) return 'a few seconds';
  if (seconds <= 90) return 'about a minute';
  return `about ${spanText(Math.ceil(seconds / 60) * 60_000)}`;
}

const waitingHeadline = ({ chain }: Etch): string =>
  chain.status === 'failed' ? 'Written, but the chain is unreachable' : 'Written, waiting for the chain';

function waiting({ chain }: Etch, within: string): string {
  return chain.status === 'failed'
    ? 'Anchoring has failed for more than an hour. The service keeps trying, and the hash will be anchored late.'
    : `The service anchors the hash within ${within}. If it cannot reach the chain, it retries.`;
}

function retractionWaits({ chain }: Etch): string {
  return chain.revocation_status === 'failed'
    ? 'The time of the erasure. The chain has not been reachable for more than an hour, and the service keeps trying.'
    : 'The time of the erasure. Its tombstone is not on the chain yet.';
}

const AUTHOR_WORD = ({ signature, author, status, chain }: Etch): string[] => {
  const name = `@${author.username}`;
  if (signature) return [`Who holds the signing key: only this service says that it belongs to ${name}.`];
  // Without the words, only a leaf of version 2 names the author.
  const bound = status === 'revealed' || (chain.anchored_at !== null && chain.tree_version === 2);
  return [
    bound
      ? `Who wrote it: the hash contains an account id. Only this service says that the account is ${name}; nothing shows who uses it.`
      : `Who wrote it: only this service says that it was ${name}.`,
  ];
};

function unhashedFieldsText({ mode, challenge }: Etch): string {
  const parts = [
    'Description',
    'topic',
    ...(mode === 'delayed' ? ['opening time'] : []),
    ...(challenge ? ['which challenge it answers'] : []),
  ];
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}: not in the hash, so only this service says so.`;
}

export const auditedText = (time: string): string =>
  `Complete as audited by the operator on ${timeText(time)}.`;
