import { challengeItem } from '../examples/challenge.ts';
import { retractedEtch, revealedEtch } from '../examples/etch.ts';
import { event, ping, webhook } from '../examples/webhook.ts';
import { EVENTS, type ExampleStatus } from '../resources/event.ts';
import { PING, Ping } from '../resources/webhook.ts';
import type { TObject } from 'typebox';
import { json, type JsonObject, type SchemaBook } from './schemas.ts';

const header = (name: string, description: string, example: string): JsonObject => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

/** Standard Webhooks 1.0. */
const HEADERS: JsonObject[] = [
  header('webhook-id', "The event's id: process each id once.", event.id),
  header('webhook-timestamp', 'When this attempt was signed, in seconds since 1970.', '1767323083'),
  header(
    'webhook-signature',
    "`v1,` and, in base64, HMAC-SHA-256 by the webhook's secret over `<id>.<timestamp>.<body>`; after a rotation several of them, with blanks between, of which one has to agree.",
    'v1,3a4mK0Vv1G0mD5JkqLxPz2hU2b0zW4c6m8o0q2s4u6w=',
  ),
];

const ONCE = 'Sent once and signed like an event. It is not an event and appears in no list.';
const DESCRIPTION =
  'Sent at least once to each webhook of the account that takes this type, and retried for days, in no guaranteed order. Verify the signature over the raw body before you parse it.';

const EXAMPLES: Readonly<Record<ExampleStatus, object>> = {
  revealed: revealedEtch,
  retracted: retractedEtch,
  closed: { ...challengeItem, closed: true },
};

export function webhooksOf(book: SchemaBook): { [type: string]: { post: JsonObject } } {
  const events = Object.entries(EVENTS).map(([type, { schema, example }]) => {
    // scripts/write-types.mjs runs this before the compiler names a missing example.
    const fields = Object.entries({ ...example }).map(([name, status]) => [name, EXAMPLES[status]] as const);
    return [type, { post: requestOf(book, type, schema, Object.fromEntries(fields)) }] as const;
  });
  return { ...Object.fromEntries(events), [PING]: { post: requestOf(book, PING, Ping, { webhook }) } };
}

function requestOf(book: SchemaBook, type: string, schema: TObject, data: object): JsonObject {
  const { id, timestamp } = type === PING ? { id: ping.event_id, timestamp: ping.created_at } : event;
  const { title, description } = schema as { title?: string; description?: string };
  return {
    operationId: `on${String(title).replace(/Event$/, '')}`,
    summary: String(description).replace(/[.;].*$/, ''),
    description: `${String(description)} ${type === PING ? ONCE : DESCRIPTION}`,
    tags: ['Events'],
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: book.write(schema),
          example: json({ id, type, timestamp, data }),
        },
      },
    },
    responses: {
      '2XX': { description: 'It arrived.' },
      '410': { description: 'The receiver wants no more events: the webhook is disabled at once.' },
      default: { description: 'The delivery failed and is retried.' },
    },
  };
}
