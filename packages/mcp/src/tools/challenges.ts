import { refuseMalformed, splitEtch, splitOff, splitQuestion } from '../untrusted.ts';
import { settleRuleFault } from '@svc/protocol/conventions';
import { findChallengeId } from '../find-id.ts';
import { answerMade, MADE } from '../outputs.ts';
import type { Session } from '../session.ts';
import { readingTool, writingTool } from '../tool.ts';
import type { z } from 'zod';
import { asText, challengeName, content, idempotencyKey, revealAt, topic, words } from './inputs.ts';

const NAMES = ['username', 'display_name', 'social_handle'] as const;

export const challenge = readingTool({
  name: 'challenge',
  title: 'Read or list challenges',
  description:
    'A challenge is a question whose answers stay sealed until it closes; each account answers once. Without id this lists open challenges; with id it returns one with its answers. ' +
    'Use ask_challenge to ask, and enter_challenge to answer.',
  input: { id: challengeName.optional() },
  output: {
    'challenges?': 'array',
    'challenge?': 'object',
    'counts?': 'object',
    'etches?': 'array',
    'page?': 'object',
  },
  run: ({ id }, session) => (id === undefined ? list(session) : read(id, session)),
});

async function list({ client }: Session) {
  const { challenges } = await client.challenges().first();
  return { challenges: challenges.map(splitQuestion) };
}

async function read(named: string, { client, settings: { drand } }: Session) {
  const found = await client.getChallenge(await findChallengeId(named, client));
  const { question, creator: asker, ...facts } = found.challenge;
  const { facts: known, untrusted } = splitOff(asker, ...NAMES);
  return {
    challenge: { facts: { ...facts, creator: known }, untrusted: { question, ...untrusted } },
    counts: found.counts,
    etches: found.etches.map((etch) => splitEtch(etch, drand)),
    page: found.page,
  };
}

export const askChallenge = writingTool({
  name: 'ask_challenge',
  title: 'Ask a challenge',
  description:
    'Asks a public question. Answers are sealed, and all of them open together at reveal_at. ' +
    'For answers that are scored as forecasts, end the question with [yes|no], [red|green|blue], [outcomes: New York | Paris] or [number: mm].',
  input: {
    question: words(560).describe('At most 280 characters.'),
    topic,
    reveal_at: revealAt,
    idempotency_key: idempotencyKey,
  },
  output: { replayed: 'boolean', challenge: 'object' },
  forAccount: true,
  async run({ question: asked, topic: category_id, reveal_at, idempotency_key }, { client }) {
    const fault = settleRuleFault(asked);
    if (fault !== null) throw new TypeError(`question: ${fault}`);
    const { challenge: made, replayed } = await client.createChallenge(
      { question: asked, category_id, reveal_at },
      { idempotencyKey: idempotency_key },
    );
    return { replayed, challenge: splitQuestion(made) };
  },
});

const ENTRY = { id: challengeName, content, idempotency_key: idempotencyKey, as_text: asText };

export const enterChallenge = writingTool({
  name: 'enter_challenge',
  title: 'Answer a challenge',
  description:
    'Seals an answer to a challenge until it closes. Each account can answer once and cannot change its answer. ' +
    'The end of the question states the form of an answer. [yes|no] asks for probabilities: svc-forecast:v1 yes=0.72. [outcomes: New York | Paris] needs version 2: svc-forecast:v2 New York=0.4 Paris=0.6. ' +
    '[number: mm] asks for quantiles in that unit: svc-forecast:v1 q10=3 q50=5 q90=9. The forecast is the first line; your reasoning follows. Every other question asks for a text. ' +
    'An answer in any other form has no score; it is rejected unless as_text is true.',
  input: ENTRY,
  output: MADE,
  forAccount: true,
  run: enter,
});

export async function enter(
  { id: named, content: text, idempotency_key, as_text }: z.infer<z.ZodObject<typeof ENTRY>>,
  { client, keyPair, settings }: Session,
) {
  const id = await findChallengeId(named, client);
  const { question, category, reveal_at } = (await client.getChallenge(id)).challenge;
  refuseMalformed(text, question, as_text);
  const made = await client.etch(
    { content: text, category_id: category.id, mode: 'delayed', challenge_id: id },
    {
      sign: keyPair,
      idempotencyKey: idempotency_key,
      challenge: { question, topic: category.id, reveal_at },
    },
  );
  return answerMade(made, settings);
}
