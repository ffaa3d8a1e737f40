import type { Page } from './site.ts';

/**
 * Of a page with a hundred long texts each card is drawn ahead, in portions, and the page is sent in pieces: put
 * together and encoded in one go it would hold up everybody else. Its bytes are the same.
 */

/** Stands in a page's markup where a card goes that was drawn ahead: a character that no text holds. */
const PLACE = '\u0000';

let placed: string[] = [];

/** Where the card is to stand. */
export function place(card: string): string {
  placed.push(card);
  return PLACE;
}

/** The markup that `render` makes, and what was placed in it, in order. */
export function withPlaces(render: () => string): Pick<Page, 'html' | 'cards'> {
  placed = [];
  try {
    return { html: render(), cards: placed };
  } finally {
    placed = [];
  }
}

/** A page's markup from beginning to end. */
export function pagePieces({ html, cards }: Pick<Page, 'html' | 'cards'>): string[] {
  return html.split(PLACE).flatMap((piece, index) => (index === 0 ? [piece] : [cards[index - 1]!, piece]));
}
