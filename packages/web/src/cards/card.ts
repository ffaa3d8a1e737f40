import { createHash } from 'node:crypto';
import type { AccountCounts, ChallengeCounts, ChallengeDetail, RecordUser } from '@svc/contract';
import { cut, safeLine } from '../safe-text.ts';
import { challengeStatus } from '../challenge-status.ts';
import { erasedWords, hiddenUntil, proofStatusOf } from '../proof-status.ts';
import { blindHeadline, blindSealOf, blindWords } from '../blind-seal.ts';
import { isDevnet, type Site } from '../site.ts';
import { countText, dayText, timeText } from '../format.ts';
import {
  nameOf,
  outcomeWords,
  questionText,
  type ShownEtch,
  type ShownOutcome,
  titleOf,
  wordsText,
} from '../etch-text.ts';

/** Public fields only; every text is one inert line. */
export interface Card {
  tone: 'revealed' | 'sealed' | 'retracted' | 'pending' | 'plain';
  state: string;
  title: string;
  words: string | null;
  dense?: true;
  absent: string | null;
  by: string;
  facts: string;
  address: string;
  devnet: boolean;
}

/** Part of the picture's URL: raise it when the drawing changes. */
const DRAWING = 1;
const TITLE = 280;
const WORDS = 420;

export function etchCard(site: Site, etch: ShownEtch): Card {
  const status = proofStatusOf(etch, { devnet: false });
  const seal = blindSealOf(etch, site);
  return {
    tone: seal ? 'sealed' : status.tone,
    state: seal ? blindHeadline(seal, site) : status.headline,
    title: line(titleOf(etch), TITLE),
    words:
      etch.content === null || seal ? null : line(wordsText(etch.content, etch.challenge?.question), WORDS),
    absent: {
      sealed: etch.reveal_at === null ? null : hiddenUntil(etch.reveal_at),
      retracted: erasedWords(etch),
      revealed: seal ? blindWords(seal) : null,
    }[etch.status],
    by: byline(etch.author),
    facts: `${dayText(etch.created_on)} · hash ${etch.hash.slice(0, 8)}…${etch.hash.slice(-6)}`,
    address: shortened(etch.short_url),
    devnet: isDevnet(site),
  };
}

export function challengeCard(
  site: Site,
  challenge: ChallengeDetail,
  { counts, outcome }: { counts: ChallengeCounts; outcome?: ShownOutcome | undefined },
): Card {
  const { closed } = challenge;
  const resolved = outcomeWords(outcome, challenge.question);
  const at = timeText(challenge.reveal_at);
  return {
    tone: closed ? 'revealed' : 'sealed',
    state: `Challenge. ${line(resolved ?? challengeStatus(challenge, counts).headline, TITLE)}`,
    title: line(questionText(challenge.question), TITLE),
    words: null,
    absent: closed
      ? counts.etches === 0
        ? null
        : `Answers were sealed until ${at}.`
      : 'Everyone answers once, no answer is shown, and all of them open at the same moment.',
    by: `asked by ${byline(challenge.creator)}`,
    facts: `${countText(counts.etches, 'answer')}${closed ? ` · closed ${at}` : ''}`,
    address: shortened(challenge.short_url),
    devnet: isDevnet(site),
  };
}

export function accountCard(site: Site, user: RecordUser, counts: AccountCounts): Card {
  const number = (count: number): string => count.toLocaleString('en');
  return {
    tone: 'plain',
    state: 'The whole record, retractions included',
    title: line(nameOf(user), TITLE),
    words: null,
    absent: `${countText(counts.total, 'etch')}: ${number(counts.revealed)} public, ${number(counts.sealed_pending_reveal)} sealed, ${number(counts.retracted)} retracted.`,
    by: `@${user.username}${user.kind === 'agent' ? ' · agent' : ''}`,
    facts: `here since ${dayText(user.created_at)}`,
    address: shortened(`${site.baseUrl}/u/${user.username}`),
    devnet: isDevnet(site),
  };
}

export function homeCard(site: Site): Card {
  return {
    tone: 'plain',
    state: 'Texts bound to a moment, public at once or sealed until a date',
    title: 'Write it down now. Prove later that you did.',
    words: null,
    absent:
      'It cannot be edited, it is anchored on a public blockchain, and nobody has to trust the service to check it.',
    by: 'Sealed predictions, promises, priority',
    facts: 'Anyone can check it, also without this service',
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

export const cardText = ({ state, title, words, absent, by, facts }: Card): string =>
  cut(`${state}. ${title}. ${words ?? absent ?? ''} ${by}, ${facts}`.replace(/\s+/g, ' '), 400);

const line = (text: string, most: number): string => cut(safeLine(text), most);
const byline = (author: { display_name: string; username: string }): string =>
  `${line(nameOf(author), 48)} @${author.username}`;
const shortened = (url: string): string => url.replace(/^https?:\/\//, '');

/** `/e/<id>`, `/ch/<id>`, `/u/<username>`, or empty for the first page. */
export type CardSubject = '' | `/${'e' | 'ch' | 'u'}/${string}`;

/** Includes the version, so that a reveal or a retraction changes the path. */
export const cardPath = (subject: CardSubject, card: Card): string =>
  `${subject}/card-${cardVersion(card)}.png`;
