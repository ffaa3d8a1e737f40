import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import type { Card } from './card.ts';
import { drawCard } from './draw.ts';
import { fontsFor, openFonts } from './fonts.ts';

/** A card takes a tenth of a second or more. */
export interface DrawRequest {
  id: number;
  card: Card;
}
export type DrawAnswer = { id: number } & ({ png: Uint8Array } | { failure: string });

const port = parentPort!;
const wasm = readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm'));
const ready = initWasm(wasm);
const { measure, drawable } = openFonts();

port.on('message', ({ id, card }: DrawRequest) => {
  void ready
    .then(() => draw(card))
    .then(
      (png) => port.postMessage({ id, png } satisfies DrawAnswer, [png.buffer as ArrayBuffer]),
      (error: unknown) =>
        port.postMessage({
          id,
          failure: error instanceof Error ? error.message : 'unknown',
        } satisfies DrawAnswer),
    );
});

function draw(card: Card): Uint8Array {
  const { title, words, by, result } = card;
  const svg = drawCard(
    {
      ...card,
      title: drawable(title),
      words: words === null ? null : drawable(words),
      by: drawable(by),
      ...(result && {
        result: {
          said: drawable(result.said),
          rows: result.rows.map((row) => ({ ...row, name: drawable(row.name) })),
        },
      }),
    },
    measure,
  );
  const renderer = new Resvg(svg, {
    font: { fontBuffers: fontsFor(svg), defaultFontFamily: 'DejaVu Sans', sansSerifFamily: 'DejaVu Sans' },
  });
  try {
    const image = renderer.render();
    try {
      return image.asPng();
    } finally {
      image.free();
    }
  } finally {
    renderer.free();
  }
}
