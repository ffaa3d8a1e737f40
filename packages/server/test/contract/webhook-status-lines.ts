import type { Operation, Provoking, StatusLine } from './provoking.ts';

export function webhookStatusLines(given: Provoking): StatusLine[] {
  const { provoke, withoutGuide, narrow } = given;
  const hookBody = { url: 'https://hooks.example.org/svc' };
  const ownHook = async () => {
    const { body } = await provoke('createWebhook', { key: given.agent.key, body: hookBody });
    return { key: given.agent.key, path: { id: body.webhook.id as string } };
  };
  const ownEvent = async () => {
    const hook = await ownHook();
    const { id } = await given.service.etch(given.agent);
    await given.service.call('POST', `/api/v1/etches/${id}/retract`, undefined, given.agent);
    await given.service.runTask('events');
    const { body } = await provoke('listDeliveries', hook);
    return { ...hook, path: { ...hook.path, event_id: body.deliveries[0].event_id as string } };
  };
  const ownPing = async () => {
    const hook = await ownHook();
    const { body } = await provoke('pingWebhook', hook);
    return { ...hook, path: { ...hook.path, event_id: body.delivery.event_id as string } };
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
    ['pingWebhook', 200, async () => provoke('pingWebhook', await ownHook())],
    ['pingWebhook', 404, () => provoke('pingWebhook', { key: given.agent.key })],
    [
      'pingWebhook',
      429,
      async () => {
        const hook = await ownHook();
        await provoke('pingWebhook', hook);
        return provoke('pingWebhook', hook);
      },
    ],
    ['pauseWebhook', 200, async () => provoke('pauseWebhook', await ownHook())],
    ['pauseWebhook', 404, () => provoke('pauseWebhook', { key: given.agent.key })],
    ['resumeWebhook', 200, async () => provoke('resumeWebhook', await ownHook())],
    ['resumeWebhook', 404, () => provoke('resumeWebhook', { key: given.agent.key })],
    ['redeliver', 200, async () => provoke('redeliver', await ownEvent())],
    ['redeliver', 404, async () => provoke('redeliver', await ownHook())],
    ['redeliver', 409, async () => provoke('redeliver', await ownPing())],
    ['rotateWebhookSecret', 200, async () => provoke('rotateWebhookSecret', await ownHook())],
    [
      'rotateWebhookSecret',
      400,
      async () => provoke('rotateWebhookSecret', { ...(await ownHook()), query: '?overlap_hours=169' }),
    ],
    ['rotateWebhookSecret', 404, () => provoke('rotateWebhookSecret', { key: given.agent.key })],
    [
      'rotateWebhookSecret',
      409,
      async () => {
        const hook = await ownHook();
        for (let count = 0; count < 4; count++) await provoke('rotateWebhookSecret', hook);
        return provoke('rotateWebhookSecret', hook);
      },
    ],
    ['deleteWebhook', 200, async () => provoke('deleteWebhook', await ownHook())],
    ['deleteWebhook', 404, () => provoke('deleteWebhook', { key: given.agent.key })],
  ];
}
