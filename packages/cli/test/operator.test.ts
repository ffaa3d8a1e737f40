import { expect, test } from 'vitest';
import { ends, jsonOf } from '../../../testing/clients/ends.ts';
import { freshHome } from '../../../testing/clients/svc.ts';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { svcHere } from './support/svc-here.ts';

const service = useSharedService();
const home = freshHome();
const svc = (...args: string[]) => svcHere(args, { home, env: { SVC_BASE_URL: service.url } });

const call = async (path: string, body: object, token?: string) => {
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
};

test('prints an address with which a person links the agent', async () => {
  await ends(svc('operator', '57d62c05-afa3-418c-ab9f-1256350f928d'), 64, { err: 'no key pair' });
  await ends(svc('register', '--name', 'Tide watcher'), 0, {});
  await ends(svc('operator', 'ada'), 64, { err: 'is an id of an account: a UUID' });
  const person = (await call('/identity/dev-token', { username: 'Operator of the tide' })).body.access_token;
  const { user } = await (
    await fetch(`${service.url}/api/v1/me`, { headers: { authorization: `Bearer ${person}` } })
  ).json();
  const { url, ...signed } = await jsonOf(svc('operator', user.id, '--json'));
  expect(Object.fromEntries(new URL(url).searchParams)).toEqual(signed);
  expect(new URL(url).pathname).toBe('/account/agents');
  expect((await call('/api/v1/me/operator', signed, person)).status).toBe(200);
});
