import { checkAnswer } from '@svc/verifier/answers';
import { expect, test } from 'vitest';
import { madeAnswer } from '../../../../testing/clients/example-answers.ts';

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

test('compares the inputs that an etch repeats with the request, and with an earlier answer', async () => {
  const asked = { content: 'Rain.', description: 'Weather', category_id: 'personal' } as const;
  const etch = { ...madeAnswer(asked).etch, mood: 'calm' };
  const misfits = async (exchange: object, answer: object = { etch }) => {
    const more = { operation: 'createdPage', answer, repeated: ['mode', 'mood'], ...exchange };
    return (await checkAnswer(more, {})).map(({ field }) => field);
  };
  const body = { ...asked, mode: 'instant' };
  const replayed = true;
  expect(await misfits({ body: { ...body, mood: 'calm' }, replayed })).toEqual([]);
  expect(await misfits({ body: { ...body, mood: 'tense' }, replayed })).toEqual(['etch.mood']);
  expect(await misfits({ body, replayed })).toEqual(['etch.mood']);
  const later = { operation: 'getEtch', known: { etch } };
  expect(await misfits(later)).toEqual([]);
  expect(await misfits(later, { etch: { ...etch, mood: null } })).toEqual(['etch.mood']);
});
