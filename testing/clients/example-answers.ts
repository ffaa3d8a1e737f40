import { ROUTES } from '@svc/contract';
import { anchorBy, hashDescription, promiseText, promiseWords } from '@svc/protocol';

const { etch } = ROUTES.getEtch.success.example;

const nonce = 'c'.repeat(64);

/** The answer to the creation of an etch with this content. No client here checks the promise's signature. */
export const etchAnswerFor = (content: string) => ({
  etch,
  promise: {
    text: promiseText({
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
    }),
    path: [],
    public_key: 'a'.repeat(64),
    signature: 'b'.repeat(128),
    nonce,
  },
});

export const etchAnswer = etchAnswerFor('Rain.');

const { listEvents, listWebhooks, listDeliveries, pingWebhook, redeliver } = ROUTES;

/** Events and webhooks as the contract shows them. */
export const eventExamples = {
  event: listEvents.success.example.events[0],
  webhook: listWebhooks.success.example.webhooks[0],
  deliveries: listDeliveries.success.example.deliveries,
  ping: pingWebhook.success.example.delivery,
  again: redeliver.success.example.delivery,
};
