import { REPEATED_INPUTS, ROUTES } from '@svc/contract';
import type { Etch, RetractedEtch, RevealedEtch, TopicId } from '@svc/contract';
import {
  anchorBy,
  canonicalString,
  etchHash,
  hashDescription,
  promiseLeaf,
  promisesText,
  promiseText,
  promiseWords,
} from '@svc/protocol';
import { newAgentKeys } from './agent-keys.ts';

const promiseKey = newAgentKeys();

const example = ROUTES.getEtch.success.example.etch;
const erased = ROUTES.retractEtch.success.example.etch;

export interface AskedEtch {
  content: string;
  description: string;
  category_id: TopicId;
}

/** Recomputes the hash; the etch is not anchored. */
export function withText(
  etch: Etch,
  content: string,
  createdAt = (etch as RevealedEtch).created_at,
): RevealedEtch {
  const { salt, author } = etch as RevealedEtch;
  const canonical = canonicalString({ userId: author.user_id, createdAt, salt, content });
  return {
    ...(etch as RevealedEtch),
    content,
    created_at: createdAt,
    created_on: createdAt.slice(0, 10),
    revealed_at: createdAt,
    hash: etchHash(canonical),
    canonical_string: canonical,
    signature: null,
    chain: Object.fromEntries(
      Object.keys(etch.chain).map((name) => [name, PENDING[name] ?? null]),
    ) as unknown as RevealedEtch['chain'],
  };
}

const PENDING: Readonly<Record<string, string>> = { status: 'pending', revocation_status: 'none' };

export function madeAnswer(asked: AskedEtch, createdAt?: string) {
  const { content, description, category_id: topic } = asked;
  const inputs: Partial<Record<string, unknown>> = { ...asked, mode: 'instant' };
  const etch: RevealedEtch = {
    ...withText(example, content, createdAt),
    ...Object.fromEntries(REPEATED_INPUTS.map((name) => [name, inputs[name] ?? null])),
    description,
    category: { id: topic, label: topic },
  };
  return { etch, promise: promiseOf(etch, content) };
}

export function goneAnswer(body: AskedEtch) {
  const { etch } = madeAnswer(body);
  const { content, salt, created_at, revealed_at, canonical_string } = erased;
  const gone = {
    ...etch,
    status: 'retracted' as const,
    retracted_at: '2026-01-03T03:04:05.678Z',
    content,
    salt,
    created_at,
    revealed_at,
    canonical_string,
    chain: { ...etch.chain, revocation_status: 'pending' as const },
  } as RetractedEtch;
  return { etch: gone, promise: null };
}

const nonce = 'c'.repeat(64);

function promiseOf(etch: RevealedEtch, content: string) {
  const text = promiseText({
    etchId: etch.id,
    userId: etch.author.user_id,
    hash: etch.hash,
    anchorBy: anchorBy(etch.created_on),
    descriptionHash: hashDescription(etch.description),
    topic: etch.category.id,
    mode: etch.mode,
    revealAt: etch.reveal_at,
    challengeId: null,
    words: promiseWords(nonce, content),
  });
  const signature = promiseKey.sign(promisesText(promiseLeaf(text)));
  return { text, path: [], public_key: promiseKey.publicKey, signature, nonce };
}

export const etchAnswer = madeAnswer({ content: 'Rain.', description: 'Weather', category_id: 'personal' });

const { listEvents, listWebhooks, listDeliveries, pingWebhook, redeliver } = ROUTES;

export const eventExamples = {
  event: listEvents.success.example.events[0],
  webhook: listWebhooks.success.example.webhooks[0],
  deliveries: listDeliveries.success.example.deliveries,
  ping: pingWebhook.success.example.delivery,
  again: redeliver.success.example.delivery,
};
