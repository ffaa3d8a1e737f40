import { type Card, cardVersion } from './card.ts';

/** `/e/<id>`, `/ch/<id>`, `/u/<username>`, or empty for the first page. */
export type CardSubject = '' | `/${'e' | 'ch' | 'u'}/${string}`;

/** Includes the version, so that a reveal or a retraction changes the path. */
export const cardPath = (subject: CardSubject, card: Card): string =>
  `${subject}/card-${cardVersion(card)}.png`;
