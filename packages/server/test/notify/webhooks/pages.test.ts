import { expect, test } from 'vitest';
import { newReader } from '../../../../../testing/clients/reader.ts';
import { HOOK, useHookedService } from './hooked-service.ts';

const hooks = useHookedService();

async function signedIn(name: string) {
  const reader = newReader(hooks.service.baseUrl);
  await reader.signIn(name);
  return reader;
}
const at = (text: string): string => /href="(\/account\/webhooks\/[0-9a-f-]{36})"/.exec(text)![1]!;

test('a webhook is added, tested, paused, resumed and removed on its pages', async () => {
  const ada = await signedIn('ada');
  const added = await ada.send('/account/webhooks', { url: HOOK, 'etch.revealed': 'on' });
  expect([added.status, added.location]).toEqual([303, '/account/webhooks']);
  const list = await ada.open('/account/webhooks');
  const secret = /whsec_[\w+/=]+/.exec(list.text)![0];
  expect((await ada.open('/account/webhooks')).text).not.toContain(secret);
  expect([...ada.jar.values()].join()).not.toContain(secret);

  const page = at(list.text);
  expect((await ada.open(page)).text).toContain('Nothing was sent yet.');
  hooks.receiver.answer = { status: 500 };
  expect((await ada.send(`${page}/ping`, {})).location).toBe(page);
  expect((await ada.open(page)).text).toContain('answered 500');
  const again = await ada.send(`${page}/ping`, {});
  expect(again.status).toBe(429);
  expect(again.text).toContain('pinged less than 5 seconds ago');
  await ada.send(`${page}/pause`, {});
  const paused = (await ada.open(page)).text;
  expect(paused).toContain('Paused since');
  expect(paused).toContain(`action="${page}/resume"`);
  await ada.send(`${page}/resume`, {});
  expect((await ada.open(page)).text).toContain(`action="${page}/pause"`);

  const bea = await signedIn('bea');
  expect((await bea.open(page)).status).toBe(404);
  for (const act of ['ping', 'pause', 'resume', 'remove'])
    expect((await bea.send(`${page}/${act}`, {})).status).toBe(404);
  expect((await ada.open(`${page}/remove`)).text).toContain('Remove this webhook?');
  const removed = await ada.send(`${page}/remove`, {});
  expect((await ada.open(removed.location!)).text).toContain('The webhook is removed');
  expect((await ada.open(page)).status).toBe(404);
});
