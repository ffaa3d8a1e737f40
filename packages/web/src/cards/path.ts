import { type Card, cardVersion } from './card.ts';

/** The path of the page: `/e/<id>`, `/ch/<id>`, `/u/<username>`, or nothing for the first page. */
export type CardSubject = '' | `/${'e' | 'ch' | 'u'}/${string}`;

/** The path of the picture. It contains the version, so a reveal or a retraction has another path. */
export const cardPath = (subject: CardSubject, card: Card): string =>
  `${subject}/card-${cardVersion(card)}.png`;
