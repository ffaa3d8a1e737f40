import type { Page } from './site.ts';

/** A page with a hundred long texts is drawn card by card, because it would stall the event loop. */

/** Marks a drawn card; no text contains it. */
const PLACE = '\u0000';

let placed: string[] = [];

export function place(card: string): string {
  placed.push(card);
  return PLACE;
}

export function withPlaces(render: () => string): Pick<Page, 'html' | 'cards'> {
  placed = [];
  try {
    return { html: render(), cards: placed };
  } finally {
    placed = [];
  }
}

export function pagePieces({ html, cards }: Pick<Page, 'html' | 'cards'>): string[] {
  if (cards.length === 0) return [html];
  return html.split(PLACE).flatMap((piece, index) => (index === 0 ? [piece] : [cards[index - 1]!, piece]));
}
