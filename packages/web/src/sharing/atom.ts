import type { AccountCounts, CursorPage, Etch, RecordUser } from '@svc/contract';
import { cut, escapeXml, safeLine, splitInvisible } from '../safe-text.ts';
import { proofStatusOf } from '../proof-status.ts';
import { blindHeadline, blindSealOf, blindWords } from '../blind-seal.ts';
import { isDevnet, type Site, SITE_NAME } from '../site.ts';
import { nameOf, takenDownFor, titleOf, wordsText } from '../etch-text.ts';
import { timeText, utcDayText, withQuery } from '../format.ts';

export interface RecordPage {
  user: RecordUser;
  counts: AccountCounts;
  etches: readonly Etch[];
  page: CursorPage;
}

const ATOM = 'application/atom+xml';

type AtomFeedExtras = { cursor: string | undefined; entries?: readonly string[] };

/** RFC 4287, newest first, retractions included. */
export function atomFeed(site: Site, data: RecordPage, extras: AtomFeedExtras): string {
  const { cursor, entries = data.etches.map((etch) => atomEntry(site, etch)) } = extras;
  const { user, etches, page } = data;
  const here = `${site.baseUrl}/u/${user.username}`;
  const feed = `${here}/feed.atom`;
  const updated = etches.map(updatedAt).reduce((a, b) => (a > b ? a : b), user.created_at);
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    element('id', `urn:uuid:${user.user_id}`),
    element('title', `${oneLine(nameOf(user))} (@${user.username})`),
    element('subtitle', 'Etches: none can be edited, and retractions stay in the list.'),
    element('updated', updated),
    link('self', ATOM, withQuery(feed, { cursor })),
    link('alternate', 'text/html', here),
    ...(cursor === undefined ? [] : [link('first', ATOM, feed)]),
    ...(page.next_cursor ? [link('next', ATOM, withQuery(feed, { cursor: page.next_cursor }))] : []),
    `<author>${element('name', oneLine(nameOf(user)))}${element('uri', here)}</author>`,
    `<generator>${escapeXml(SITE_NAME)}</generator>`,
    ...entries,
    '</feed>',
    '',
  ].join('\n');
}

/** Rendered in advance, in time slices: a page may have many long texts. */
export function atomEntry(site: Site, etch: Etch): string {
  const { title, published, more } = etch.status === 'sealed' ? sealedParts(etch) : openParts(site, etch);
  return [
    '<entry>',
    element('id', `urn:uuid:${etch.id}`),
    element('title', title),
    element('updated', updatedAt(etch)),
    element('published', published),
    link('alternate', 'text/html', etch.url),
    ...more,
    '</entry>',
  ].join('\n');
}

const sealedParts = (etch: Etch & { status: 'sealed' }) => ({
  title: `Sealed until ${timeText(etch.reveal_at)}`,
  published: dayOf(etch),
  more: [element('summary', `Written ${utcDayText(etch.created_on)}.`)],
});

function openParts(site: Site, etch: Etch) {
  const { status, content, category } = etch;
  const { headline, lead } = proofStatusOf(etch, {
    devnet: isDevnet(site),
    anchorSeconds: site.anchorSeconds,
  });
  const seal = blindSealOf(etch, site);
  const erased = takenDownFor(etch) === null ? 'Retracted: ' : 'Taken down: ';
  return {
    title: `${status === 'retracted' ? erased : ''}${oneLine(titleOf(etch))}`,
    published: etch.created_at ?? dayOf(etch),
    more: [
      `<category term="${escapeXml(category.id)}" label="${escapeXml(category.label)}"/>`,
      element('summary', seal ? `${blindHeadline(seal, site)}. ${blindWords(seal)}` : `${headline}. ${lead}`),
      ...(content === null || seal
        ? []
        : [`<content type="text">${escapeXml(shown(wordsText(content, etch)))}</content>`]),
    ],
  };
}

/** Only the day of a sealed etch is public, so its midnight counts. */
function updatedAt(etch: Etch): string {
  return etch.retracted_at ?? etch.revealed_at ?? etch.created_at ?? dayOf(etch);
}

const dayOf = ({ created_on: day }: Etch): string => `${day}T00:00:00.000Z`;
const oneLine = (text: string): string => cut(safeLine(text), 160);
const shown = (text: string): string =>
  splitInvisible(text)
    .map((run) => (run.invisible ? `[${run.text}]` : run.text))
    .join('');

const element = (name: string, text: string): string => `<${name}>${escapeXml(text)}</${name}>`;
const link = (rel: string, type: string, href: string): string =>
  `<link rel="${rel}" type="${type}" href="${escapeXml(href)}"/>`;
