import { z } from 'zod';
import type { Session } from '../session.ts';
import { tool } from '../tool.ts';
import { splitEtch, WARNING } from '../untrusted.ts';
import { content, idempotencyKey, revealAt, topic } from './inputs.ts';

export const challenge = tool({
  name: 'challenge',
  title: 'Open, enter, read or list challenges',
  description:
    'A challenge is a question whose answers stay sealed until it closes; each account answers once. ' +
    'action "list" shows open ones, "read" one with its answers, "create" asks a question (question, topic, reveal_at), "enter" answers (id, content).',
  input: {
    action: z.enum(['list', 'read', 'create', 'enter']),
    id: z.uuid().optional().describe('The challenge, for read and enter.'),
    question: z.string().min(1).max(560).optional().describe('At most 280 characters, for create.'),
    topic: topic.optional(),
    reveal_at: revealAt.optional(),
    content: content.optional(),
    idempotency_key: idempotencyKey,
  },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  forAccount: true,
  run(input, session) {
    const { action, id, question, topic: category_id, reveal_at, content: text, idempotency_key } = input;
    switch (action) {
      case 'list':
        return list(session);
      case 'read':
        return read(required(id, 'id'), session);
      case 'create':
        return create(
          {
            question: required(question, 'question'),
            category_id: required(category_id, 'topic'),
            reveal_at: required(reveal_at, 'reveal_at'),
          },
          idempotency_key,
          session,
        );
      case 'enter':
        return enter(required(id, 'id'), required(text, 'content'), idempotency_key, session);
    }
  },
});

function required<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new TypeError(`${name} is missing for this action`);
  return value;
}

async function list({ client }: Session) {
  const { challenges } = await client.challenges().first();
  const split = challenges.map(({ question, ...facts }) => ({ facts, untrusted: { question } }));
  return { warning: WARNING, challenges: split };
}

async function read(id: string, { client, settings }: Session) {
  const { challenge: found, counts, etches, page } = await client.getChallenge(id);
  const { question, creator, ...facts } = found;
  const { username, display_name, social_handle, ...asker } = creator;
  return {
    warning: WARNING,
    challenge: {
      facts: { ...facts, creator: asker },
      untrusted: { question, username, display_name, social_handle },
    },
    counts,
    etches: etches.map((etch) => splitEtch(etch, settings.drand)),
    page,
  };
}

async function create(
  body: Parameters<Session['client']['createChallenge']>[0],
  idempotencyKey: string | undefined,
  { client }: Session,
) {
  const { challenge: made, replayed } = await client.createChallenge(body, { idempotencyKey });
  const { question, ...facts } = made;
  return { warning: WARNING, replayed, challenge: { facts, untrusted: { question } } };
}

async function enter(id: string, text: string, idempotencyKey: string | undefined, session: Session) {
  const { challenge: found } = await session.client.getChallenge(id);
  const made = await session.client.etch(
    { content: text, category_id: found.category.id, mode: 'delayed', challenge_id: id },
    { sign: session.keyPair, idempotencyKey },
  );
  return {
    warning: WARNING,
    replayed: made.replayed,
    etch: splitEtch(made.etch, session.settings.drand),
    promise: made.promise,
    promise_v2: made.promiseV2,
  };
}
