import { titleOf } from '../title.ts';
import type { ChallengeDetail, Etch } from '@svc/contract';
import { CARD_HEIGHT, CARD_WIDTH } from '../cards/size.ts';
import { cut, inertLine } from '../inert.ts';
import { questionText } from '../question-text.ts';
import { type Site, SITE_NAME } from '../site.ts';
import { nameOf } from '../names.ts';
import { embedHeight } from './embed-size.ts';

export interface OembedBounds {
  maxWidth?: number;
  maxHeight?: number;
}

/** oembed.com, version 1.0. */
export interface Oembed {
  version: '1.0';
  type: 'rich' | 'link';
  title: string;
  author_name: string;
  author_url: string;
  provider_name: string;
  provider_url: string;
  /** seconds: a retraction must appear soon */
  cache_age: number;
  thumbnail_url?: string;
  thumbnail_width?: number;
  thumbnail_height?: number;
  html?: string;
  width?: number;
  height?: number;
}

const WIDTH = 600;
const CACHE_AGE = 300;

export const etchFrame = (site: Site, etch: Etch, size = sizeOf(site, etch, {})): string =>
  frame(`${etch.url}/embed`, titleOf(etch), size);

const frame = (url: string, title: string, { width, height }: { width: number; height: number }): string =>
  `<iframe src="${attribute(url)}" width="${width}" height="${height}" title="${attribute(line(title))}" frameborder="0" style="max-width: 100%" loading="lazy" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`;

/** Within the consumer's limit; the words scroll if it is too small. */
function sizeOf(site: Site, etch: Etch, { maxWidth = WIDTH, maxHeight = Infinity }: OembedBounds) {
  const width = Math.min(WIDTH, maxWidth);
  return { width, height: Math.min(embedHeight(site, etch, width), maxHeight) };
}

export function etchOembed(site: Site, etch: Etch, picture: string, bounds: OembedBounds): Oembed {
  const { width, height } = sizeOf(site, etch, bounds);
  const title = line(titleOf(etch));
  const html = etchFrame(site, etch, { width, height });
  return {
    ...answer(site, { type: 'rich', title, author: etch.author }),
    ...thumbnail(picture, bounds),
    html,
    width,
    height,
  };
}

const CHART_HEIGHT = 480;

export function challengeOembed(
  site: Site,
  challenge: ChallengeDetail,
  picture: string,
  bounds: OembedBounds,
): Oembed {
  const { maxWidth = WIDTH, maxHeight = CHART_HEIGHT } = bounds;
  const size = { width: Math.min(WIDTH, maxWidth), height: Math.min(CHART_HEIGHT, maxHeight) };
  const title = line(questionText(challenge.question));
  return {
    ...answer(site, { type: 'rich', title, author: challenge.creator }),
    ...thumbnail(picture, bounds),
    html: frame(`${site.baseUrl}/ch/${challenge.id}/embed`, title, size),
    ...size,
  };
}

export function linkOembed(
  site: Site,
  page: { title: string; author: { username: string; display_name: string } },
  picture: string,
  bounds: OembedBounds,
): Oembed {
  const { title, author } = page;
  return { ...answer(site, { type: 'link', title: line(title), author }), ...thumbnail(picture, bounds) };
}

function answer(
  { baseUrl }: Site,
  {
    type,
    title,
    author,
  }: Pick<Oembed, 'type' | 'title'> & { author: { username: string; display_name: string } },
): Oembed {
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

const line = (text: string): string => cut(inertLine(text), 200);
const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
