import type { Card } from './card.ts';
import { type Face, isRightToLeft, type Measure, wrap } from './lines.ts';

export const CARD_WIDTH = 1200;
export const CARD_HEIGHT = 630;

const LEFT = 84;
const RIGHT = CARD_WIDTH - 72;
const COLUMN = RIGHT - LEFT;

/** The colours of the stylesheet's light theme. */
const INK = '#1d2226';
const SOFT = '#565f66';
const PAPER = '#faf8f3';
const LINE = '#d9d3c6';
const TONES: Readonly<Record<Card['tone'], { ink: string; fill: string }>> = {
  revealed: { ink: '#1c6240', fill: '#e8f3ea' },
  sealed: { ink: '#7a4a06', fill: '#faf0da' },
  retracted: { ink: '#5d4a63', fill: '#f1ebf2' },
  pending: { ink: '#34566b', fill: '#e8f0f4' },
  plain: { ink: '#17526f', fill: '#e8f0f4' },
};

const FAMILIES: Readonly<Record<Face, string>> = {
  serif: 'font-family="DejaVu Serif" font-weight="700"',
  text: 'font-family="DejaVu Serif"',
  sans: 'font-family="DejaVu Sans"',
};

/** A card as a picture; `measure` tells how wide a text is set. */
export function drawCard(card: Card, measure: Measure): string {
  const { ink, fill } = TONES[card.tone];
  const title = fit(card.title, 'serif', measure, [
    [58, 2],
    [48, 3],
    [40, 4],
  ]);
  const parts: string[] = [];
  let y = 214;
  parts.push(block(title, y));
  y += title.lines.length * title.leading - title.leading + 30;
  const room = 492 - y;
  if (card.words !== null) parts.push(quote(card.words, measure, y, room, ink));
  else if (card.absent !== null) parts.push(absent(card, measure, y, room));
  const state = wrap(card.state, 30, 'sans', measure, COLUMN, 1);
  const facts = wrap(card.facts, 24, 'sans', measure, COLUMN, 1);
  const address = wrap(card.address, 24, 'sans', measure, 520, 1);
  const by = wrap(card.by, 28, 'sans', measure, COLUMN - measure(address[0]!, 24, 'sans') - 40, 1);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD_WIDTH}" height="${CARD_HEIGHT}">`,
    '<defs><pattern id="sealed" width="24" height="24" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">',
    `<rect width="24" height="24" fill="${PAPER}"/><rect width="12" height="24" fill="${fill}"/></pattern></defs>`,
    `<rect width="${CARD_WIDTH}" height="${CARD_HEIGHT}" fill="${PAPER}"/>`,
    `<rect width="18" height="${CARD_HEIGHT}" fill="${ink}"/>`,
    anchor(LEFT, 44),
    text('Commitment Service', { x: LEFT + 44, y: 72, size: 26, face: 'serif', colour: INK }),
    card.devnet
      ? text('development chain', {
          x: RIGHT,
          y: 72,
          size: 22,
          face: 'sans',
          colour: TONES.sealed.ink,
          anchor: 'end',
        })
      : '',
    text(state[0]!, { x: LEFT, y: 136, size: 30, face: 'sans', colour: ink }),
    ...parts,
    `<path d="M${LEFT} 528H${RIGHT}" stroke="${LINE}" stroke-width="2"/>`,
    text(by[0]!, { x: LEFT, y: 568, size: 28, face: 'sans', colour: INK }),
    text(facts[0]!, { x: LEFT, y: 602, size: 24, face: 'sans', colour: SOFT }),
    text(address[0]!, { x: RIGHT, y: 568, size: 24, face: 'sans', colour: TONES.plain.ink, anchor: 'end' }),
    '</svg>',
  ].join('');
}

interface Set {
  lines: string[];
  size: number;
  leading: number;
  face: Face;
}

/** The largest of these sizes in which a text fits its number of lines; the last one cuts it. */
function fit(
  words: string,
  face: Face,
  measure: Measure,
  sizes: readonly (readonly [number, number])[],
): Set {
  for (const [size, most] of sizes) {
    const lines = wrap(words, size, face, measure, COLUMN, most + 1);
    if (lines.length <= most) return { lines, size, leading: Math.round(size * 1.24), face };
  }
  const [size, most] = sizes.at(-1)!;
  const lines = wrap(words, size, face, measure, COLUMN, most);
  return { lines, size, leading: Math.round(size * 1.24), face };
}

function block({ lines, size, leading, face }: Set, top: number): string {
  const rightToLeft = isRightToLeft(lines.join(' '));
  return lines
    .map((line, index) => {
      const at = rightToLeft ? ({ x: RIGHT, anchor: 'end' } as const) : { x: LEFT };
      return text(line, { ...at, y: top + index * leading, size, face, colour: INK });
    })
    .join('');
}

function quote(words: string, measure: Measure, top: number, room: number, colour: string): string {
  const size = 30;
  const leading = 42;
  const lines = wrap(words, size, 'text', measure, COLUMN - 36, Math.max(1, Math.floor(room / leading)));
  const rightToLeft = isRightToLeft(lines.join(' '));
  const bar = rightToLeft ? RIGHT - 4 : LEFT;
  return [
    `<rect x="${bar}" y="${top}" width="4" height="${lines.length * leading + 2}" fill="${colour}"/>`,
    ...lines.map((line, index) =>
      text(line, {
        ...(rightToLeft ? { x: RIGHT - 32, anchor: 'end' as const } : { x: LEFT + 32 }),
        y: top + 32 + index * leading,
        size,
        face: 'text',
        colour: INK,
      }),
    ),
  ].join('');
}

function absent(card: Card, measure: Measure, top: number, room: number): string {
  const { ink } = TONES[card.tone];
  const lines = wrap(card.absent!, 28, 'text', measure, COLUMN - 80, 2);
  const height = Math.min(room, 40 + lines.length * 40);
  const box =
    card.tone === 'plain' || card.tone === 'retracted'
      ? `fill="none" stroke="${ink}" stroke-width="2"`
      : `fill="url(#sealed)" stroke="${ink}" stroke-width="2" stroke-dasharray="8 6"`;
  const middle = top + height / 2 - ((lines.length - 1) * 40) / 2 + 10;
  return [
    `<rect x="${LEFT}" y="${top}" width="${COLUMN}" height="${height}" rx="12" ${box}/>`,
    ...lines.map((line, index) =>
      text(line, {
        x: LEFT + COLUMN / 2,
        y: middle + index * 40,
        size: 28,
        face: 'text',
        colour: ink,
        anchor: 'middle',
      }),
    ),
  ].join('');
}

function anchor(x: number, y: number): string {
  const d =
    'M10 7.5V17M10 3a2.2 2.2 0 1 0 0 4.4A2.2 2.2 0 0 0 10 3zM6.5 10h7M3.5 11.5c0 3.5 3 5.5 6.5 5.5s6.5-2 6.5-5.5';
  return `<path transform="translate(${x} ${y}) scale(1.8)" d="${d}" fill="none" stroke="${INK}" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round"/>`;
}

interface Setting {
  x: number;
  y: number;
  size: number;
  face: Face;
  colour: string;
  anchor?: 'end' | 'middle';
}

function text(content: string, { x, y, size, face, colour, anchor: end }: Setting): string {
  const where = `x="${x}" y="${y}" font-size="${size}" fill="${colour}"${end ? ` text-anchor="${end}"` : ''}`;
  return `<text ${where} ${FAMILIES[face]} xml:space="preserve">${escapeXml(content)}</text>`;
}

/** What XML 1.0 cannot hold is shown as what cannot be shown. */
export function escapeXml(content: string): string {
  return (
    content
      // eslint-disable-next-line no-control-regex -- naming them is the point
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
  );
}
