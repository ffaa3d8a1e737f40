import { findEtchId } from '../find-id.ts';
import { answerMade, DESCRIBED, ETCH } from '../outputs.ts';
import { readingTool, writingTool } from '../tool.ts';
import { descriptionWarning, refuseMalformed, splitEtch } from '../untrusted.ts';
import { asText, content, etchName, FORECASTS, idempotencyKey, revealAt, TERMS, termsOf } from './inputs.ts';
import { STAYS_PUBLIC } from '@svc/contract';
import { WaitError } from '@svc/sdk';
import { z } from 'zod';
import type { Session } from '../session.ts';

export const show = readingTool({
  name: 'show',
  title: 'Show an etch',
  description:
    'Returns the current state of an etch: its text if public, its status, and its place on the chain. It proves nothing; use verify.',
  input: { id: etchName },
  output: ETCH,
  async run({ id }, { client, settings: { drand } }) {
    return { etch: splitEtch(await client.getEtch(await findEtchId(id, client)), drand) };
  },
});

const MOST_SECONDS = 50;
/** A waiting request occupies the service. */
const MOST_SECONDS_OVER_HTTP = 20;

export const wait = readingTool({
  name: 'wait',
  title: 'Wait for the anchor or the reveal',
  description:
    'Waits until an etch is anchored on the chain, or revealed, and returns it. If done is false, the time ran out: call it again.',
  input: {
    id: etchName,
    until: z.enum(['anchored', 'revealed']),
    seconds: z
      .number()
      .int()
      .min(1)
      .max(MOST_SECONDS)
      .optional()
      .describe(`Default: 30; over HTTP at most ${MOST_SECONDS_OVER_HTTP}.`),
  },
  output: { ...ETCH, done: 'boolean' },
  async run({ id: named, until, seconds = 30 }, { client, settings }, signal) {
    const id = await findEtchId(named, client);
    const waitFor = until === 'anchored' ? client.waitForAnchored : client.waitForRevealed;
    const most = settings.perRequest ? Math.min(seconds, MOST_SECONDS_OVER_HTTP) : seconds;
    let done = true;
    const etch = await waitFor(id, { timeoutMs: most * 1000, signal }).catch((error: unknown) => {
      if (!(error instanceof WaitError)) throw error;
      done = false;
      return client.getEtch(id, { signal });
    });
    return { done, etch: splitEtch(etch, settings.drand) };
  },
});

const TEXT = { content, ...TERMS, idempotency_key: idempotencyKey, as_text: asText };

export const etch = writingTool({
  name: 'etch',
  title: 'Etch a text',
  description:
    'Publishes a text permanently: hashed with the time, anchored on a public chain within a minute, never edited. To hide a text until a time, use seal. ' +
    FORECASTS,
  input: TEXT,
  output: DESCRIBED,
  forAccount: true,
  run: etchText,
});

/** Without a time the text is public at once. */
type Text = z.infer<z.ZodObject<typeof TEXT>> & { reveal_at?: string };

/** Etches or seals a text outside challenges. */
export async function etchText(
  { content: text, reveal_at, idempotency_key, as_text, ...given }: Text,
  { client, keyPair, settings }: Session,
) {
  refuseMalformed(text, null, as_text);
  const body = { content: text, ...termsOf(given) };
  const made = await client.etch(
    reveal_at === undefined ? { ...body, mode: 'instant' } : { ...body, mode: 'delayed', reveal_at },
    { sign: keyPair, idempotencyKey: idempotency_key },
  );
  return answerMade(made, settings, { description_warning: descriptionWarning(given.description, text) });
}

export const seal = writingTool({
  name: 'seal',
  title: 'Seal a prediction',
  description:
    'Commits to a text now and hides it until reveal_at: its hash, description and day are public at once; the text and its exact time become public at reveal_at. ' +
    FORECASTS,
  input: {
    content,
    ...TERMS,
    reveal_at: revealAt,
    idempotency_key: idempotencyKey,
    as_text: asText,
  },
  output: DESCRIBED,
  forAccount: true,
  run: etchText,
});

export const reveal = writingTool({
  idempotent: true,
  name: 'reveal',
  title: 'Write a due reveal',
  description:
    'Writes the reveal of your own etch after its reveal_at. It is rarely needed: the etch opens by itself at reveal_at. An earlier call fails (422).',
  input: { id: etchName },
  output: ETCH,
  forAccount: true,
  run: async ({ id }, { client, settings: { drand } }) => ({
    etch: splitEtch(await client.reveal(await findEtchId(id, client)), drand),
  }),
});

export const retract = writingTool({
  destructive: true,
  name: 'retract',
  title: 'Retract an etch permanently',
  description:
    'PERMANENTLY erases the text, salt and signature of your own etch; hash, description and dates stay public as a tombstone. It cannot be undone. Ask the person you work for first.',
  input: {
    id: etchName,
    confirm: z.literal('erase for ever').describe('Exactly "erase for ever", after the person has agreed.'),
  },
  output: { ...ETCH, stays: 'string' },
  forAccount: true,
  run: async ({ id }, { client, settings: { drand } }) => ({
    etch: splitEtch(await client.retract(await findEtchId(id, client)), drand),
    stays: STAYS_PUBLIC,
  }),
});
