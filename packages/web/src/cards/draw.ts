import type { Card } from './card.ts';
import { type Face, isRightToLeft, type Measure, runsOf, wrap } from './lines.ts';
import { CARD_HEIGHT, CARD_WIDTH } from './size.ts';
import { escapeXml } from '../safe-text.ts';

const LEFT = 84;
const RIGHT = CARD_WIDTH - 72;
const COLUMN = RIGHT - LEFT;
const FLOOR = 500;

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

export function drawCard(card: Card, measure: Measure): string {
  const { ink, fill } = TONES[card.tone];
  const title = fit(card.title, 'serif', measure, COLUMN, [
    [68, 1],
    [58, 2],
    [48, 3],
    [40, 4],
  ]);
  const parts: string[] = [];
  let y = 158 + title.size;
  parts.push(block(title, y));
  y += (title.lines.length - 1) * title.leading + 34;
  const room = FLOOR - y;
  if (card.words !== null) parts.push(quote(card, measure, y, room));
  else if (card.absent !== null) parts.push(absent(card, measure, y, room));
  const state = wrap(card.state, 30, 'sans', measure, COLUMN, 1);
  const facts = wrap(card.facts, 24, 'sans', measure, COLUMN, 1);
  const address = wrap(card.address, 24, 'sans', measure, 520, 1);
  const by = wrap(card.by, 28, 'sans', measure, COLUMN - measure(address[0]!, 24, 'sans') - 40, 1);
  const end = { x: RIGHT, face: 'sans', anchor: 'end' } as const;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD_WIDTH}" height="${CARD_HEIGHT}">`,
    '<defs><pattern id="sealed" width="24" height="24" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">',
    `<rect width="24" height="24" fill="${PAPER}"/><rect width="12" height="24" fill="${fill}"/></pattern></defs>`,
    `<rect width="${CARD_WIDTH}" height="${CARD_HEIGHT}" fill="${PAPER}"/>`,
    `<rect width="18" height="${CARD_HEIGHT}" fill="${ink}"/>`,
    anchor(LEFT, 44),
    text('Commitment Service', { x: LEFT + 44, y: 72, size: 26, face: 'serif', colour: INK }),
    card.devnet ? text('development chain', { ...end, y: 72, size: 22, colour: TONES.sealed.ink }) : '',
    text(state[0]!, { x: LEFT, y: 136, size: 30, face: 'sans', colour: ink }),
    ...parts,
    `<path d="M${LEFT} 528H${RIGHT}" stroke="${LINE}" stroke-width="2"/>`,
    text(by[0]!, { x: LEFT, y: 568, size: 28, face: 'sans', colour: INK }),
    text(facts[0]!, { x: LEFT, y: 602, size: 24, face: 'sans', colour: SOFT }),
    text(address[0]!, { ...end, y: 568, size: 24, colour: TONES.plain.ink }),
    '</svg>',
  ].join('');
}

interface Set {
  lines: string[];
  size: number;
  leading: number;
  face: Face;
}

function fit(
  words: string,
  face: Face,
  measure: Measure,
  width: number,
  sizes: readonly (readonly [number, number])[],
): Set {
  const set = (size: number, lines: string[]): Set => ({
    lines,
    size,
    leading: Math.round(size * 1.3),
    face,
  });
  for (const [size, most] of sizes) {
    const lines = wrap(words, size, face, measure, width, most + 1);
    if (lines.length <= most) return set(size, lines);
  }
  const [size, most] = sizes.at(-1)!;
  return set(size, wrap(words, size, face, measure, width, most));
}

const linesIn = (room: number, size: number): [number, number] => [
  size,
  Math.max(1, Math.floor(room / Math.round(size * 1.3))),
];

function block(set: Set, y: number, indent = 0): string {
  const rightToLeft = isRightToLeft(set.lines.join(' '));
  const side = rightToLeft ? ({ x: RIGHT - indent, anchor: 'end' } as const) : { x: LEFT + indent };
  return column(set, { ...side, rightToLeft, y, colour: INK });
}

function quote({ words, dense, tone }: Card, measure: Measure, top: number, room: number): string {
  const sizes = dense ? [32, 26, 22, 20, 18] : [46, 38, 32];
  const fitting = sizes.map((one) => linesIn(room, one));
  const set = fit(words!, 'text', measure, COLUMN - 36, fitting);
  const bar = isRightToLeft(set.lines.join(' ')) ? RIGHT - 5 : LEFT;
  const height = set.lines.length * set.leading;
  return [
    `<rect x="${bar}" y="${top}" width="5" height="${height}" fill="${TONES[tone].ink}"/>`,
    block(set, top + Math.round(set.size * 1.02), 32),
  ].join('');
}

function absent(card: Card, measure: Measure, top: number, room: number): string {
  const { ink } = TONES[card.tone];
  const set = fit(card.absent!, 'text', measure, COLUMN - 96, [
    [34, 1],
    [30, 1],
    [34, 2],
    [28, 2],
  ]);
  const sealed = card.tone === 'sealed';
  const box = `fill="${sealed ? 'url(#sealed)' : 'none'}" stroke="${ink}" stroke-width="2"${sealed ? ' stroke-dasharray="9 7"' : ''}`;
  const y = Math.round(top + (room - (set.lines.length - 1) * set.leading) / 2 + set.size * 0.35);
  return [
    `<rect x="${LEFT}" y="${top}" width="${COLUMN}" height="${room}" rx="14" ${box}/>`,
    column(set, { x: LEFT + COLUMN / 2, y, colour: ink, anchor: 'middle' }),
  ].join('');
}

const column = ({ lines, size, leading, face }: Set, at: Omit<Setting, 'size' | 'face'>): string =>
  lines.map((line, index) => text(line, { ...at, y: at.y + index * leading, size, face })).join('');

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
  rightToLeft?: boolean;
}

function text(
  content: string,
  { x, y, size, face, colour, anchor: end, rightToLeft = false }: Setting,
): string {
  const where = `x="${x}" y="${y}" font-size="${size}" fill="${colour}"${end ? ` text-anchor="${end}"` : ''}`;
  return `<text ${where} ${FAMILIES[face]} xml:space="preserve">${set(rightToLeft ? directed(content) : content)}</text>`;
}

const set = (content: string): string =>
  runsOf(content)
    .map(({ script, text: run }) =>
      script
        ? `<tspan font-family="${script.family}" font-weight="400">${escapeXml(run)}</tspan>`
        : escapeXml(run),
    )
    .join('');

/** The renderer assumes left to right. */
const directed = (content: string): string => `\u202b${content}\u202c`;
