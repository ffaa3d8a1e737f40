// An event as a message of Slack, Discord or Matrix. Descriptions, questions and committed words are texts of strangers: they mention
// no member, contain no markup, and stay on one line, so that they cannot imitate the lines around them.
import { EVENT_LABELS } from '@svc/contract/tables';
import type { Event } from '@svc/sdk';
import { printable } from './context.ts';

export const PRODUCTS = ['slack', 'discord', 'matrix'] as const;
export type Product = (typeof PRODUCTS)[number];

/** Where messages go. `url` is the secret address of a Slack or Discord webhook, or the address of a Matrix server. */
export interface Target {
  url: URL;
  token?: string | undefined;
  room?: string | undefined;
}

interface ChatRequest {
  url: URL;
  method: 'POST' | 'PUT';
  headers: Record<string, string>;
  body: string;
}

export const chatRequest = (to: Product, target: Target, event: Event): ChatRequest =>
  REQUESTS[to](target, event);

const REQUESTS: Record<Product, (target: Target, event: Event) => ChatRequest> = {
  slack: ({ url }, event) => {
    const text = messageOf(event, escapeSlack, escapeSlack);
    return post(url, { text, mrkdwn: false, unfurl_links: false, unfurl_media: false });
  },
  discord: ({ url }, event) => {
    // Brackets around a link suppress its preview.
    const content = messageOf(event, escapeMarkdown, (link) => `<${link}>`);
    return post(url, { content: content.slice(0, 2_000), allowed_mentions: { parse: [] } });
  },
  matrix: ({ url, token, room = '' }, event) => {
    const path = `_matrix/client/v3/rooms/${encodeURIComponent(room)}/send/m.room.message/${event.id}`;
    const body = messageOf(event, asIs, asIs);
    // Empty mentions disable the rules of clients that search the text for names.
    const message = { msgtype: 'm.notice', body, 'm.mentions': {} };
    const base = url.href.endsWith('/') ? url : new URL(`${url.href}/`);
    const sent = post(new URL(path, base), message);
    return { ...sent, method: 'PUT', headers: { ...sent.headers, authorization: `Bearer ${token}` } };
  },
};

const post = (url: URL, body: object): ChatRequest => ({
  url,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** In characters. Doubled by escaping, two of them and the rest fit into the 2,000 of Discord. */
const LONGEST_TEXT = 400;

function messageOf(
  { type, data }: Event,
  escape: (text: string) => string,
  link: (url: string) => string,
): string {
  const { about, url } =
    'etch' in data
      ? { about: data.etch.description, url: data.etch.short_url }
      : { about: data.challenge.question, url: data.challenge.url };
  const words = 'resolution' in data ? data.resolution.content : 'etch' in data ? data.etch.content : null;
  const foreign = (text: string) => escape(shortened(printable(text.replaceAll(/\s+/g, ' ').trim())));
  return [
    `${EVENT_LABELS[type]}: ${foreign(about)}`,
    ...(words === null ? [] : [`${'resolution' in data ? 'Outcome' : 'Words'}: ${foreign(words)}`]),
    link(new URL(url).href),
  ].join('\n');
}

function shortened(text: string): string {
  const characters = [...text];
  return characters.length <= LONGEST_TEXT ? text : `${characters.slice(0, LONGEST_TEXT - 1).join('')}…`;
}

const asIs = (text: string): string => text;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escapeSlack = (text: string): string => text.replaceAll(/[&<>]/g, (character) => ENTITIES[character]!);

/** Escapes what begins formatting, mentions, links (`:`) and emoji. Markup of lines needs the start of a line. */
const escapeMarkdown = (text: string): string => text.replaceAll(/[\\*_~`|<>@#:[\]()]/g, String.raw`\$&`);
