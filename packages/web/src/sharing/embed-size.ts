import type { Etch } from '@svc/contract';
import { standingOf } from '../proven.ts';
import { blindHeadline, blindSealOf } from '../blind-seal.ts';
import { isDevnet, type Site } from '../site.ts';

/**
 * An embed has no script and cannot report its height, so the server measures its text by the sizes of embed.css.
 */
const MOST_LINES_OF_WORDS = 8;
const MOST_LINES_OF_TITLE = 3;
const FRAME = { width: 44, height: 34 };

/** The height of a frame of this width; long words scroll. */
export function embedHeight(site: Site, etch: Etch, width: number): number {
  const inner = Math.max(120, width - FRAME.width);
  const standing = standingOf(etch, { devnet: false });
  const seal = blindSealOf(etch, site);
  const lines = (text: string, pixelsEach: number, most: number, indent = 0): number =>
    Math.min(most, linesOf(text, Math.floor((inner - indent) / pixelsEach)));
  const state = lines(seal ? blindHeadline(seal, site) : standing.headline, 8.6, 3, 26) * 22 + 8;
  const title = lines(etch.description, 11, MOST_LINES_OF_TITLE) * 25 + 8;
  const body = seal || etch.content === null ? ABSENT(lines) : WORDS(lines, etch.content);
  const devnet = isDevnet(site) ? lines('x'.repeat(58), 7.6, 2) * 24 + 8 : 0;
  const { display_name: name, username } = etch.author;
  const foot = lines(`${name} @${username}, 30 September 2026`, 7.8, 4) * 21;
  const said = lines('Verify it yourself · Commitment Service', 7.8, 2) * 21;
  const isBeside = units(name + username) + 62 <= Math.floor(inner / 7.8);
  return Math.ceil(FRAME.height + state + title + body + devnet + 8 + (isBeside ? 21 : foot + said + 4));
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
const units = (text: string): number =>
  [...text].reduce((sum, character) => sum + (character.codePointAt(0)! < 0x1100 ? 1 : 2), 0);
