import type { ChallengeDetail } from '@svc/contract';
import { blindHeadline, blindSealOf } from '../blind-seal.ts';
import { type Card, cardPath, type CardSubject, cardText } from '../cards/card.ts';
import { CARD_HEIGHT, CARD_WIDTH } from '../cards/size.ts';
import { nameOf, questionText, type ShownEtch, titleOf } from '../etch-text.ts';
import { withQuery } from '../format.ts';
import { cut, safeLine } from '../safe-text.ts';
import { proofStatusOf } from '../proof-status.ts';
import { isDevnet, type Site, SITE_NAME } from '../site.ts';

export interface OembedBounds {
  maxWidth?: number;
  maxHeight?: number;
}

const WIDTH = 600;
/** Seconds: a retraction must appear soon. */
const CACHE_AGE = 300;

export const etchFrame = (site: Site, etch: ShownEtch, size = sizeOf(site, etch, {})): string =>
  frame(`${etch.url}/embed`, titleOf(etch), size);

const frame = (url: string, title: string, { width, height }: { width: number; height: number }): string =>
  `<iframe src="${attribute(url)}" width="${width}" height="${height}" title="${attribute(line(title))}" frameborder="0" style="max-width: 100%" loading="lazy" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`;

/** Within the consumer's limit; the words scroll if it is too small. */
function sizeOf(site: Site, etch: ShownEtch, { maxWidth = WIDTH, maxHeight = Infinity }: OembedBounds) {
  const width = Math.min(WIDTH, maxWidth);
  return { width, height: Math.min(embedHeight(site, etch, width), maxHeight) };
}

export function etchOembed(site: Site, etch: ShownEtch, picture: string, bounds: OembedBounds) {
  const { width, height } = sizeOf(site, etch, bounds);
  const title = line(titleOf(etch));
  const html = etchFrame(site, etch, { width, height });
  return {
    ...answer(site, 'rich', { title, author: etch.author }),
    ...thumbnail(picture, bounds),
    html,
    width,
    height,
  };
}

const CHART_HEIGHT = 480;

export const challengeFrame = (
  { baseUrl }: Site,
  { id, question }: Pick<ChallengeDetail, 'id' | 'question'>,
  size = { width: WIDTH, height: CHART_HEIGHT },
): string => frame(`${baseUrl}/ch/${id}/embed`, questionText(question), size);

export function challengeOembed(
  site: Site,
  challenge: ChallengeDetail,
  picture: string,
  bounds: OembedBounds,
) {
  const { maxWidth = WIDTH, maxHeight = CHART_HEIGHT } = bounds;
  const size = { width: Math.min(WIDTH, maxWidth), height: Math.min(CHART_HEIGHT, maxHeight) };
  const title = line(questionText(challenge.question));
  return {
    ...answer(site, 'rich', { title, author: challenge.creator }),
    ...thumbnail(picture, bounds),
    html: challengeFrame(site, challenge, size),
    ...size,
  };
}

export function linkOembed(site: Site, { title, author }: Named, picture: string, bounds: OembedBounds) {
  return { ...answer(site, 'link', { title: line(title), author }), ...thumbnail(picture, bounds) };
}

type Named = { title: string; author: { username: string; display_name: string } };

/** oembed.com, version 1.0. */
function answer({ baseUrl }: Site, type: 'rich' | 'link', { title, author }: Named) {
  return {
    version: '1.0',
    type,
    title,
    author_name: line(nameOf(author)),
    author_url: `${baseUrl}/u/${author.username}`,
    provider_name: SITE_NAME,
    provider_url: baseUrl,
    cache_age: CACHE_AGE,
  };
}

/** All three fields or none; a picture larger than requested is left out. */
function thumbnail(url: string, { maxWidth = CARD_WIDTH, maxHeight = CARD_HEIGHT }: OembedBounds) {
  if (maxWidth < CARD_WIDTH || maxHeight < CARD_HEIGHT) return {};
  return { thumbnail_url: url, thumbnail_width: CARD_WIDTH, thumbnail_height: CARD_HEIGHT };
}

const line = (text: string): string => cut(safeLine(text), 200);
const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * An embed has no script and cannot report its height, so the server measures its text by the sizes of embed.css.
 */
const MOST_LINES_OF_WORDS = 8;
const MOST_LINES_OF_TITLE = 3;
const FRAME = { width: 44, height: 34 };

/** The height of a frame of this width; long words scroll. */
function embedHeight(site: Site, etch: ShownEtch, width: number): number {
  const inner = Math.max(120, width - FRAME.width);
  const status = proofStatusOf(etch, { devnet: false });
  const seal = blindSealOf(etch, site);
  const lines = (text: string, pixelsEach: number, most: number, indent = 0): number =>
    Math.min(most, linesOf(text, Math.floor((inner - indent) / pixelsEach)));
  const state = lines(seal ? blindHeadline(seal, site) : status.headline, 8.6, 3, 26) * 22 + 8;
  const title = lines(etch.description, 11, MOST_LINES_OF_TITLE) * 25 + 8;
  const body = seal || etch.content === null ? ABSENT(lines) : WORDS(lines, etch.content);
  const devnet = isDevnet(site) ? lines('x'.repeat(58), 7.6, 2) * 24 + 8 : 0;
  const { display_name: name, username } = etch.author;
  const foot = lines(`${name} @${username}, 30 September 2026`, 7.8, 4) * 21;
  const verifyHeight = lines('Verify it yourself · Commitment Service', 7.8, 2) * 21;
  const isBeside = units(name + username) + 62 <= Math.floor(inner / 7.8);
  return Math.ceil(
    FRAME.height + state + title + body + devnet + 8 + (isBeside ? 21 : foot + verifyHeight + 4),
  );
}

type Lines = (text: string, pixelsEach: number, most: number, indent?: number) => number;

const WORDS = (lines: Lines, content: string): number =>
  lines(content, 8.8, MOST_LINES_OF_WORDS, 18) * 26.5 + 18;
/** For the whole hash and the replacement of the words; short words fit there when they open. */
const ABSENT = (lines: Lines): number =>
  lines('x'.repeat(120), 7.6, 4) * 24 + 8 + lines('x'.repeat(80), 8.6, 4) * 22 + 8;

const linesOf = (text: string, perLine: number): number =>
  text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(units(line) / perLine)), 0);

/** Characters from Hangul on, and emoji, are about twice as wide. */
function units(text: string): number {
  let sum = 0;
  for (const character of text) sum += character < '\u1100' ? 1 : 2;
  return sum;
}

export interface Picture {
  url: string;
  text: string;
}

export interface Alternate {
  type: string;
  href: string;
  title?: string;
}

/** For other sites: the picture of the current status, and the oEmbed address (oembed.com). */
export function preview(site: Site, subject: CardSubject, card: Card, others: readonly Alternate[]) {
  const oembed = {
    type: 'application/json+oembed',
    href: withQuery(`${site.baseUrl}/oembed`, { url: site.baseUrl + subject, format: 'json' }),
    title: card.title,
  };
  return { picture: pictureOf(site, subject, card), alternates: [...others, oembed] };
}

export const pictureOf = (site: Site, subject: CardSubject, card: Card): Picture => ({
  url: site.baseUrl + cardPath(subject, card),
  text: cardText(card),
});
