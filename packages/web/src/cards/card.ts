import { createHash } from 'node:crypto';
import type { AccountCounts, ChallengeCounts, ChallengeDetail, RecordUser } from '@svc/contract';
import { cut, safeLine } from '../safe-text.ts';
import type { AnswerDistribution } from '../answer-distribution.ts';
import { challengeResult } from '../challenge-status.ts';
import { distributionRows } from '../distribution-rows.ts';
import { erasedWords, HIDDEN_WORDS, openedText, proofStatusOf } from '../proof-status.ts';
import { blindHeadline, blindSealOf, blindWords } from '../blind-seal.ts';
import { isDevnet, type Site } from '../site.ts';
import { countText, recordText, timeText, utcDayText } from '../format.ts';
import {
  nameOf,
  questionText,
  type ShownEtch,
  type ShownOutcome,
  stateTone,
  stateWords,
  titleOf,
  wordsText,
} from '../etch-text.ts';

/** Public fields only; every text is one inert line. */
export interface Card {
  /** `public`: never sealed, so no seal is drawn */
  tone: 'public' | 'revealed' | 'sealed' | 'retracted' | 'pending' | 'plain';
  state: string;
  title: string;
  words: string | null;
  dense?: true;
  absent: string | null;
  /** of a resolved challenge */
  result?: { said: string; rows: readonly ChartRow[] };
  by: string;
  facts: string;
  /** `by` and `facts` as sentences, for the alternative text */
  sentences: string;
  address: string;
  devnet: boolean;
}

interface ChartRow {
  name: string;
  short?: string;
  /** 0 to 1 */
  share: number;
  text: string;
  cameTrue: boolean;
}

/** Part of the picture's URL: raise it when the drawing changes. */
const DRAWING = 3;
const TITLE = 280;
const WORDS = 420;

export function etchCard(site: Site, etch: ShownEtch): Card {
  const status = proofStatusOf(etch, { devnet: false });
  const seal = blindSealOf(etch, site);
  const { anchored_at: anchored } = etch.chain;
  const hash = `${etch.hash.slice(0, 8)}…${etch.hash.slice(-6)}`;
  const day = utcDayText(etch.created_on);
  return {
    tone: seal ? 'sealed' : status.tone === 'revealed' && etch.mode === 'instant' ? 'public' : status.tone,
    state: seal ? blindHeadline(seal, site) : (openedText(etch) ?? status.headline),
    title: line(titleOf(etch), TITLE),
    words: etch.content === null || seal ? null : line(wordsText(etch.content, etch), WORDS),
    absent: {
      sealed: HIDDEN_WORDS,
      retracted: erasedWords(etch),
      revealed: seal ? blindWords(seal) : null,
    }[etch.status],
    by: `by ${byline(etch.author)}`,
    facts: `${anchored ? `Proof of ${timeText(anchored)}` : `Written ${day}`} · hash ${hash}`,
    sentences: `Its author is ${byline(etch.author)}. ${anchored ? `The proof dates from ${timeText(anchored)}` : `It was written on ${day}`}, and the hash is ${hash}.`,
    address: shortened(etch.short_url),
    devnet: isDevnet(site),
  };
}

interface ChallengeCardData {
  counts: ChallengeCounts;
  outcome?: ShownOutcome | undefined;
  score?: Parameters<typeof challengeResult>[1]['score'];
  distribution?: AnswerDistribution | undefined;
}

export function challengeCard(
  site: Site,
  challenge: ChallengeDetail,
  { counts, outcome, score, distribution }: ChallengeCardData,
): Card {
  const { closed } = challenge;
  const tone = stateTone(challenge, outcome);
  const result = resultOf(challenge.question, { outcome, score, distribution });
  const at = timeText(challenge.reveal_at);
  return {
    tone,
    state: `Challenge. ${line(stateWords(challenge, outcome), TITLE)}`,
    title: line(questionText(challenge.question), TITLE),
    words: null,
    ...(result && { result }),
    absent: result
      ? null
      : closed
        ? counts.etches === 0
          ? null
          : 'Answers were sealed until the close.'
        : 'Each account answers once, no answer is shown, and all of them open at the same moment.',
    by: `Asked by ${byline(challenge.creator)}`,
    facts: `${countText(counts.etches, 'answer')} · ${closed ? 'closed' : 'closes'} ${at}`,
    sentences: `Its author is ${byline(challenge.creator)}. It has ${countText(counts.etches, 'answer')} and ${closed ? 'closed' : 'closes'} on ${at}.`,
    address: shortened(challenge.short_url),
    devnet: isDevnet(site),
  };
}

function resultOf(
  question: string,
  { outcome, score, distribution }: Omit<ChallengeCardData, 'counts'>,
): Card['result'] {
  const said = challengeResult(question, { outcome, score });
  if (said === undefined) return undefined;
  const { rows, marked } = distribution ? distributionRows(distribution, outcome) : { rows: [], marked: -1 };
  return {
    said: line(said, TITLE),
    rows: rows.map((row, at) => ({ ...row, name: line(row.name, 40), cameTrue: at === marked })),
  };
}

export function accountCard(site: Site, user: RecordUser, counts: AccountCounts): Card {
  return {
    tone: 'plain',
    state: 'The record, retractions included',
    title: line(nameOf(user), TITLE),
    words: null,
    absent: `${recordText(counts)}.`,
    by: `@${user.username}${user.kind === 'agent' ? ' · agent' : ''}`,
    facts: `here since ${utcDayText(user.created_at)}`,
    sentences: `@${user.username} has been here${user.kind === 'agent' ? ' as an agent' : ''} since ${utcDayText(user.created_at)}.`,
    address: shortened(`${site.baseUrl}/u/${user.username}`),
    devnet: isDevnet(site),
  };
}

export function homeCard(site: Site): Card {
  const checkable = isDevnet(site) ? 'For testing only' : 'Anyone can check it, also without this service';
  return {
    tone: 'plain',
    state: 'Texts bound to a moment, public at once or sealed until a date',
    title: 'Write it down now. Prove later that you did.',
    words: null,
    absent: isDevnet(site)
      ? 'This service is for trying it out: its operator can rewrite its development chain, which proves nothing to strangers.'
      : `Its hash is anchored on the chain ${line(site.chain.name, 40)}. From then on no change stays unnoticed.`,
    by: 'Sealed predictions, promises, priority',
    facts: checkable,
    sentences: `It is for sealed predictions, promises and priority. ${checkable}.`,
    address: shortened(site.baseUrl),
    devnet: isDevnet(site),
  };
}

export function cardVersion(card: Card): string {
  return createHash('sha256')
    .update(JSON.stringify([DRAWING, card]))
    .digest('hex')
    .slice(0, 16);
}

export function cardText({ state, title, words, absent, result, sentences }: Card): string {
  const chart = result?.rows.map(
    ({ name, text, cameTrue }) => `${name} ${text}${cameTrue ? ' (the outcome)' : ''}`,
  );
  const said = [state, title, words ?? absent ?? result?.said, chart?.join(', '), sentences];
  return cut(
    said
      .filter(Boolean)
      .map((one) => sentence(one!))
      .join(' '),
    400,
  );
}

const sentence = (text: string): string => {
  const words = text.replace(/\s+/g, ' ').trim();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?…]$/.test(words) ? '' : '.'}`;
};

const line = (text: string, most: number): string => cut(safeLine(text), most);
const byline = (author: { display_name: string; username: string }): string =>
  `${line(nameOf(author), 48)} @${author.username}`;
const shortened = (url: string): string => url.replace(/^https?:\/\//, '');

/** `/e/<id>`, `/ch/<id>`, `/u/<username>`, or empty for the first page. */
export type CardSubject = '' | `/${'e' | 'ch' | 'u'}/${string}`;

/** Includes the version, so that a reveal or a retraction changes the path. */
export const cardPath = (subject: CardSubject, card: Card): string =>
  `${subject}/card-${cardVersion(card)}.png`;
