import { checkAnswer } from '@svc/verifier/answers';
import { expect, test } from 'vitest';

const fieldsOfMisfits = async (operation: string, body: object, answer: object) =>
  (await checkAnswer({ operation, body: { ...body }, answer }, {})).map(({ field }) => field);

test('accepts a webhook in the form that the service stores, and rejects another one', async () => {
  const body = {
    url: 'HTTPS://Hooks.Example.org',
    types: ['etch.revealed', 'etch.anchored', 'etch.revealed'],
  };
  const webhook = { url: 'https://hooks.example.org/', types: ['etch.anchored', 'etch.revealed'] };
  expect(await fieldsOfMisfits('createWebhook', body, { webhook })).toEqual([]);
  const other = { url: 'https://hooks.example.org/other', types: ['etch.anchored'] };
  expect(await fieldsOfMisfits('createWebhook', body, { webhook: other })).toEqual([
    'webhook.url',
    'webhook.types',
  ]);
});

test('accepts a domain in its ASCII form, and rejects another one', async () => {
  const body = { domain: 'Bücher.example' };
  const shown = (agent_domain: string) => ({ agent: { agent_domain } });
  expect(await fieldsOfMisfits('setDomain', body, shown('xn--bcher-kva.example'))).toEqual([]);
  expect(await fieldsOfMisfits('setDomain', body, shown('xn--bcher.example'))).toEqual([
    'agent.agent_domain',
  ]);
});

test('rejects a list of one where the request has a text', async () => {
  const id = 'ba2700ee-b11f-45fe-a934-06098975d379';
  const [key, other] = [{ id }, { id: [id] }];
  const misfits = (answer: object) =>
    checkAnswer({ operation: 'revokeKey', params: { id }, answer: { key: answer } }, {});
  expect(await misfits(key)).toEqual([]);
  expect(await misfits(other)).toMatchObject([{ field: 'key.id' }]);
});
