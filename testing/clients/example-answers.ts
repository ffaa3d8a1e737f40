import { ROUTES } from '@svc/contract';
import { anchorBy, promisedBeside, promiseText, promiseTextV2 } from '@svc/protocol';

const { etch } = ROUTES.getEtch.success.example;

/** What the making of an etch answers: the etch as the contract shows it, and a promise of it. Nobody here checks its signature. */
export const etchAnswer = {
  etch,
  promise: {
    text: promiseText({
      etchId: etch.id,
      userId: etch.author.user_id,
      hash: etch.hash,
      anchorBy: anchorBy(etch.created_on),
    }),
    public_key: 'a'.repeat(64),
    signature: 'b'.repeat(128),
  },
  promise_v2: {
    text: promiseTextV2(
      { etchId: etch.id, userId: etch.author.user_id, hash: etch.hash, anchorBy: anchorBy(etch.created_on) },
      promisedBeside({
        description: etch.description,
        topic: etch.category.id,
        mode: etch.mode,
        revealAt: etch.reveal_at,
        challengeId: null,
      }),
    ),
    public_key: 'a'.repeat(64),
    signature: 'b'.repeat(128),
  },
};

const { listEvents, listWebhooks, listDeliveries, pingWebhook, redeliver } = ROUTES;

/** Events and webhooks as the contract shows them. */
export const eventExamples = {
  event: listEvents.success.example.events[0],
  webhook: listWebhooks.success.example.webhooks[0],
  deliveries: listDeliveries.success.example.deliveries,
  ping: pingWebhook.success.example.delivery,
  again: redeliver.success.example.delivery,
};
