import type { ChallengeDetail } from '@svc/contract';
import { cut, safeLine } from '../safe-text.ts';
import { type Site, SITE_NAME } from '../site.ts';
import { timeText } from '../format.ts';
import { questionText, type ShownEtch, titleOf } from '../etch-text.ts';

interface Moment {
  id: string;
  at: string;
  /** when this became true; only the day of a sealed etch */
  stamp: string;
  summary: string;
  description: string;
  url: string;
  cancelled?: boolean;
}

export function etchCalendar(site: Pick<Site, 'baseUrl'>, etch: ShownEtch): string | null {
  if (etch.reveal_at === null) return null;
  const isGone = etch.status === 'retracted';
  return calendar(site, {
    id: etch.id,
    at: etch.reveal_at,
    stamp: etch.retracted_at ?? `${etch.created_on}T00:00:00.000Z`,
    summary: `${isGone ? 'Retracted' : 'Opens'}: ${titleOf(etch)}`,
    description: isGone
      ? 'The words were erased: nothing opens here.'
      : `The words of @${etch.author.username} are sealed until ${timeText(etch.reveal_at, 'seconds')}, and open by themselves.`,
    url: etch.url,
    cancelled: isGone,
  });
}

export const challengeCalendar = (
  site: Pick<Site, 'baseUrl'>,
  { id, reveal_at: at, created_at: stamp, question }: ChallengeDetail,
): string =>
  calendar(site, {
    id,
    at,
    stamp,
    summary: `Closes, and opens: ${questionText(question)}`,
    description: `Answers are taken until ${timeText(at, 'seconds')}; all of them open then.`,
    url: `${site.baseUrl}/ch/${id}`,
  });

/** iCalendar (RFC 5545). */
function calendar(site: Pick<Site, 'baseUrl'>, moment: Moment): string {
  const { id, at, stamp, summary, description, url, cancelled = false } = moment;
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${SITE_NAME}//EN`,
    'BEGIN:VEVENT',
    `UID:${id}@${new URL(site.baseUrl).hostname}`,
    `DTSTAMP:${stampOf(stamp)}`,
    `DTSTART:${stampOf(at)}`,
    `SUMMARY:${textOf(summary)}`,
    `DESCRIPTION:${textOf(description)}`,
    `URL:${url}`,
    `STATUS:${cancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    `SEQUENCE:${cancelled ? 1 : 0}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
    .map((line) => `${folded(line)}\r\n`)
    .join('');
}

/** `20260503T120000Z`: calendars use whole seconds. */
const stampOf = (time: string): string => `${time.slice(0, 19).replace(/[-:]/g, '')}Z`;

const textOf = (text: string): string => cut(safeLine(text), 300).replace(/[\\;,]/g, (sign) => `\\${sign}`);

const LINE_BYTES = 75;

/** Folds lines at 75 bytes with a leading space; no character is split. */
function folded(line: string): string {
  let text = '';
  let bytes = 0;
  for (const character of line) {
    const length = new TextEncoder().encode(character).length;
    if (bytes + length > LINE_BYTES) {
      text += '\r\n ';
      bytes = 1;
    }
    text += character;
    bytes += length;
  }
  return text;
}
