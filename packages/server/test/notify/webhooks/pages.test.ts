import { expect, test } from 'vitest';
import { signedIn } from '../../../../../testing/clients/reader.ts';
import { HOOK, useHookedService } from './hooked-service.ts';

const hooks = useHookedService();

test('a webhook is added, tested, paused, resumed and removed on its pages', async () => {
  const ada = await signedIn(hooks.service, 'ada');
  const added = await ada.send('/account/webhooks', { url: HOOK, 'etch.revealed': 'on' });
  expect([added.status, added.location]).toEqual([303, '/account/webhooks']);
  const list = await ada.open('/account/webhooks');
  const secret = /whsec_[\w+/=]+/.exec(list.text)![0];
  expect((await ada.open('/account/webhooks')).text).not.toContain(secret);
  expect([...ada.jar.values()].join()).not.toContain(secret);

  const page = /href="(\/account\/webhooks\/[0-9a-f-]{36})"/.exec(list.text)![1]!;
  expect((await ada.open(page)).text).toContain('Nothing was sent yet.');
  hooks.receiver.answer = { status: 500 };
  expect((await ada.send(`${page}/ping`, {})).location).toBe(page);
  expect((await ada.open(page)).text).toContain('answered 500');
  const text = expect.stringContaining('pinged less than 5 seconds ago');
  expect(await ada.send(`${page}/ping`, {})).toMatchObject({ status: 429, text });
  await ada.send(`${page}/pause`, {});
  expect((await ada.open(page)).text).toMatch(new RegExp(`Paused since[^]*action="${page}/resume"`));
  await ada.send(`${page}/resume`, {});
  expect((await ada.open(page)).text).toContain(`action="${page}/pause"`);

  const bea = await signedIn(hooks.service, 'bea');
  expect((await bea.open(page)).status).toBe(404);
  for (const act of ['ping', 'pause', 'resume', 'remove'])
    expect((await bea.send(`${page}/${act}`, {})).status).toBe(404);
  expect((await ada.open(`${page}/remove`)).text).toContain('Remove this webhook?');
  const removed = await ada.send(`${page}/remove`, {});
  expect((await ada.open(removed.location!)).text).toContain('The webhook is removed');
  expect((await ada.open(page)).status).toBe(404);
});
