import { checkAnswer } from '@svc/verifier/answers';
import { ROUTES } from '@svc/contract';
import { expect, test } from 'vitest';

const { etch } = ROUTES.getEtch.success.example;
const path = `/e/${etch.id}`;
const misfitsOf = async (operation: string, answer: object) =>
  (await checkAnswer({ operation, answer }, {})).map(({ field }) => field);

/** An etch at this origin, whose links agree with each other. */
const etchAt = (origin: string, code: string = etch.code): object => ({
  ...etch,
  code,
  url: `${origin}${path}`,
  short_url: `${origin}/e/${code}`,
  verify_url: `${origin}${path}/verify`,
});

test.each(['https://svc.example.org', 'http://127.0.0.1:3000', 'http://[::1]:3000'])(
  'accepts links to %s, because a service may have a second public address',
  async (origin) => {
    expect(await misfitsOf('getEtch', { etch: etchAt(origin) })).toEqual([]);
  },
);

test.each([
  ['a line feed', 'https://svc.example.org\nmanifest=/etc/passwd\n'],
  ['a carriage return', 'https://svc.example.org\r::error::'],
  ['an escape sequence', 'https://svc.example.org\u001b[2J'],
  ['a path', 'https://svc.example.org/other'],
  ['a query', 'https://svc.example.org?'],
  ['credentials', 'https://svc.example.org@evil.example'],
  ['markup', 'https://svc.example.org)<b>'],
  ['a script', 'javascript:alert(1)//'],
  ['a workflow command', '::set-output name=manifest::'],
  ['no origin', ''],
])('rejects links with %s', async (_, origin) => {
  expect(await misfitsOf('getEtch', { etch: etchAt(origin) })).toEqual(['etch.url']);
});

test('rejects a code with a line feed', async () => {
  const changed = etchAt('https://svc.example.org', 'abc234\nmanifest=/etc/passwd');
  expect(await misfitsOf('getEtch', { etch: changed })).toEqual(['etch.code']);
});

test('checks the links of challenges, events and explorers', async () => {
  const bad = 'https://svc.example.org\n::error::';
  const [challenge] = ROUTES.listChallenges.success.example.challenges;
  const changed = { ...challenge, url: `${bad}/ch/${challenge?.id}` };
  for (const operation of ['listChallenges', 'searchChallenges'])
    expect(await misfitsOf(operation, { challenges: [challenge, changed] })).toEqual(['challenges[1].url']);
  const { events } = ROUTES.listEvents.success.example;
  expect(await misfitsOf('listEvents', { events })).toEqual([]);
  const about = { id: etch.id, url: `${bad}${path}` };
  expect(await misfitsOf('listEvents', { events: [{ data: { etch: about } }] })).toEqual([
    'events[0].data.etch.url',
  ]);
  const chain = { ...etch.chain, tx_url: `${bad}/${etch.chain.tx_hash}` };
  expect(await misfitsOf('getEtch', { etch: { ...etch, chain } })).toEqual(['etch.chain.tx_url']);
});
