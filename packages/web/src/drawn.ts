import type { Page } from './site.ts';

/**
 * A page with a hundred long texts is drawn card by card in time slices and sent in pieces; rendered at once it would stall the
 * event loop. Its bytes are the same.
 */

/** Placeholder of a card that was drawn before: a character that no text contains. */
const PLACE = '\u0000';

let placed: string[] = [];

/** Marks the position of the card. */
export function place(card: string): string {
  placed.push(card);
  return PLACE;
}

/** The markup that `render` makes, and its cards in order. */
export function withPlaces(render: () => string): Pick<Page, 'html' | 'cards'> {
  placed = [];
  try {
    return { html: render(), cards: placed };
  } finally {
    placed = [];
  }
}

/** The markup of a page in pieces. */
export function pagePieces({ html, cards }: Pick<Page, 'html' | 'cards'>): string[] {
  return html.split(PLACE).flatMap((piece, index) => (index === 0 ? [piece] : [cards[index - 1]!, piece]));
}
