import type { Operation, Provoking, StatusLine } from './provoking.ts';

/** Events, and the webhooks that they are sent to. */
export function webhookStatusLines(given: Provoking): StatusLine[] {
  const { provoke, withoutGuide, narrow } = given;
  const hookBody = { url: 'https://hooks.example.org/svc' };
  const ownHook = async () => {
    const { body } = await provoke('createWebhook', { key: given.agent.key, body: hookBody });
    return { key: given.agent.key, path: { id: body.webhook.id as string } };
  };
  const withoutWebhooks = async (operation: Operation, body?: object) =>
    provoke(operation, {
      on: withoutGuide,
      key: (await withoutGuide.registerAgent()).key,
      body,
    });
  return [
    ['listEvents', 200, () => provoke('listEvents', { key: given.agent.key })],
    ['listEvents', 400, () => provoke('listEvents', { key: given.agent.key, query: '?cursor=x' })],
    ['listWebhooks', 200, () => provoke('listWebhooks', { key: given.agent.key })],
    ['listWebhooks', 404, () => withoutWebhooks('listWebhooks')],
    ['createWebhook', 201, () => provoke('createWebhook', { key: given.agent.key, body: hookBody })],
    ['createWebhook', 404, () => withoutWebhooks('createWebhook', hookBody)],
    [
      'createWebhook',
      409,
      async () =>
        provoke('createWebhook', {
          on: narrow,
          key: (await narrow.registerAgent()).key,
          body: hookBody,
        }),
    ],
    ['listDeliveries', 200, async () => provoke('listDeliveries', await ownHook())],
    ['listDeliveries', 404, () => provoke('listDeliveries', { key: given.agent.key })],
    ['deleteWebhook', 200, async () => provoke('deleteWebhook', await ownHook())],
    ['deleteWebhook', 404, () => provoke('deleteWebhook', { key: given.agent.key })],
  ];
}
