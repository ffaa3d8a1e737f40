import { type Card, cardPath, type CardSubject, cardText } from '../cards/card.ts';
import { withQuery } from '../links.ts';
import type { Site } from '../site.ts';

export interface Picture {
  url: string;
  text: string;
}

export interface Alternate {
  type: string;
  href: string;
  title?: string;
}

/** Preview metadata for other sites: the picture of the current status, and the oEmbed address (oembed.com). */
export function preview(
  site: Site,
  subject: CardSubject,
  card: Card,
): { picture: Picture; oembed: Alternate } {
  const page = site.baseUrl + subject;
  return {
    picture: pictureOf(site, subject, card),
    oembed: {
      type: 'application/json+oembed',
      href: withQuery(`${site.baseUrl}/oembed`, { url: page, format: 'json' }),
      title: card.title,
    },
  };
}

export const pictureOf = (site: Site, subject: CardSubject, card: Card): Picture => ({
  url: site.baseUrl + cardPath(subject, card),
  text: cardText(card),
});
