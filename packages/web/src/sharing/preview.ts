import { type Card, cardPath, type CardSubject, cardText } from '../cards/card.ts';
import type { Site } from '../site.ts';
import { withQuery } from '../format.ts';

export interface Picture {
  url: string;
  text: string;
}

export interface Alternate {
  type: string;
  href: string;
  title?: string;
}

/** For other sites: the picture of the current status, and the oEmbed address (oembed.com). */
export function preview(site: Site, subject: CardSubject, card: Card, others: readonly Alternate[]) {
  const oembed = {
    type: 'application/json+oembed',
    href: withQuery(`${site.baseUrl}/oembed`, { url: site.baseUrl + subject, format: 'json' }),
    title: card.title,
  };
  return { picture: pictureOf(site, subject, card), alternates: [...others, oembed] };
}

export const pictureOf = (site: Site, subject: CardSubject, card: Card): Picture => ({
  url: site.baseUrl + cardPath(subject, card),
  text: cardText(card),
});
