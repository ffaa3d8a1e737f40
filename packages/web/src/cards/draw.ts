import type { Card } from './card.ts';
import { type Face, isRightToLeft, type Measure, runsOf, wrap } from './lines.ts';
import { CARD_HEIGHT, CARD_WIDTH } from './size.ts';
import { escapeXml } from '../safe-text.ts';
import { SEAL_SHAPES, type SealState } from '../seal-shapes.ts';

const LEFT = 84;
const RIGHT = CARD_WIDTH - 72;
const COLUMN = RIGHT - LEFT;
const FLOOR = 500;
/** The seal in the corner shows the status. */
const SEAL = 104;

const INK = '#1d2226';
const SOFT = '#565f66';
const PAPER = '#faf8f3';
const LINE = '#d9d3c6';
const GREEN = { ink: '#1c6240', fill: '#e8f3ea' };
const TONES: Readonly<Record<Card['tone'], { ink: string; fill: string }>> = {
  public: GREEN,
  revealed: GREEN,
  sealed: { ink: '#7a4a06', fill: '#faf0da' },
  retracted: { ink: '#5d4a63', fill: '#f1ebf2' },
  pending: { ink: '#34566b', fill: '#e8f0f4' },
  plain: { ink: '#17526f', fill: '#e8f0f4' },
};

const FAMILIES: Readonly<Record<Face, string>> = { serif: 'Besley', text: 'Besley', sans: 'Figtree Light' };
/** The renderer knows only the lightest weight of a variable font, so a stroke in the size of the letters adds weight. */
const STROKES: Readonly<Record<Face, number>> = { serif: 0.03, text: 0, sans: 0.018 };

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
  else if (card.result) parts.push(resultOf(card.result, card.tone, measure, { top: y, room }));
  else if (card.absent !== null) parts.push(absent(card, measure, y, room));
  const state = wrap(card.state, 30, 'sans', measure, COLUMN - SEAL - 30, 1);
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
    shape('sealed', { x: LEFT - 2, y: 45, size: 38, color: INK }),
    card.tone in SEAL_SHAPES
      ? shape(card.tone as SealState, { x: RIGHT - SEAL, y: 40, size: SEAL, color: ink })
      : '',
    text('Commitment Service', { x: LEFT + 44, y: 72, size: 26, face: 'serif', colour: INK }),
    card.devnet
      ? text('development chain', { ...end, x: RIGHT - SEAL - 30, y: 72, size: 22, colour: TONES.sealed.ink })
      : '',
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

type Shape = { x: number; y: number; size: number; color: string };

const shape = (state: SealState, { x, y, size, color }: Shape): string =>
  `<g transform="translate(${x} ${y}) scale(${size / 20})" fill="none" stroke="${color}" stroke-linecap="round">${SEAL_SHAPES[state].replaceAll('currentColor', color)}</g>`;

const [LEAST_ROW, MOST_ROW] = [26, 40];
const NAMES = 300;

function resultOf(
  { said, rows }: NonNullable<Card['result']>,
  tone: Card['tone'],
  measure: Measure,
  { top, room }: { top: number; room: number },
): string {
  const set = fit(said, 'text', measure, COLUMN, [
    [38, 1],
    [32, 2],
  ]);
  const y = top + set.lines.length * set.leading + 14;
  const left = top + room - y;
  const row = Math.min(MOST_ROW, left / rows.length);
  const colors = { came: TONES[tone].ink, other: TONES.plain.ink };
  const chart =
    row >= LEAST_ROW
      ? barsOf(rows, measure, { top: y, row }, colors)
      : columnsOf(rows, measure, { top: y, room: left }, colors);
  return [block(set, top + set.size), ...chart].join('');
}

type Rows = NonNullable<Card['result']>['rows'];
type Colors = { came: string; other: string };

function barsOf(rows: Rows, measure: Measure, { top, row }: { top: number; row: number }, colors: Colors) {
  const size = Math.round(row * 0.65);
  return rows.flatMap(({ name, share, text: value, cameTrue }, at) => {
    const y = top + at * row;
    const fill = cameTrue ? colors.came : colors.other;
    const width = Math.max(3, share * (COLUMN - NAMES - 140));
    const [label] = wrap(`${cameTrue ? '✓ ' : ''}${name}`, size, 'sans', measure, NAMES - 20, 1);
    const line = { y: y + row * 0.66, size, face: 'sans' } as const;
    return [
      text(label!, { ...line, x: LEFT, colour: cameTrue ? colors.came : INK }),
      `<rect x="${LEFT + NAMES}" y="${(y + row * 0.1).toFixed(1)}" width="${width.toFixed(1)}" height="${(row * 0.72).toFixed(1)}" fill="${fill}"/>`,
      text(value, { ...line, x: LEFT + NAMES + width + 14, colour: INK }),
    ];
  });
}

function columnsOf(
  rows: Rows,
  measure: Measure,
  { top, room }: { top: number; room: number },
  colors: Colors,
) {
  const wide = COLUMN / rows.length;
  return rows.flatMap(({ name, short = name, share, cameTrue }, at) => {
    const height = Math.max(3, share * (room - 56));
    const fill = cameTrue ? colors.came : colors.other;
    const [label] = wrap(short, 17, 'sans', measure, wide - 4, 1);
    const x = LEFT + at * wide;
    const y = top + room - 30 - height;
    return [
      cameTrue ? text('✓', { x, y: y - 6, size: 22, face: 'sans', colour: fill }) : '',
      `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${(wide - 10).toFixed(1)}" height="${height.toFixed(1)}" fill="${fill}"/>`,
      text(label!, { x, y: top + room - 6, size: 17, face: 'sans', colour: cameTrue ? colors.came : SOFT }),
    ];
  });
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
  const weight =
    STROKES[face] > 0 ? ` stroke="${colour}" stroke-width="${(size * STROKES[face]).toFixed(2)}"` : '';
  return `<text ${where} font-family="${FAMILIES[face]}"${weight} xml:space="preserve">${set(rightToLeft ? directed(content) : content)}</text>`;
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
