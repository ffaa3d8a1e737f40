import { type Card, cardVersion } from './card.ts';

/** The path of the page that a picture is of: `/e/<id>`, `/ch/<id>`, `/u/<username>`, and nothing for the first page. */
export type CardSubject = '' | `/${'e' | 'ch' | 'u'}/${string}`;

/** Where the picture is. It names what the picture says: a reveal or a retraction has another one at another url. */
export const cardPath = (subject: CardSubject, card: Card): string =>
  `${subject}/card-${cardVersion(card)}.png`;
