import { checkAnswer } from '@svc/verifier/answers';
import { expect, test } from 'vitest';
import { madeAnswer } from '../../../../testing/clients/example-answers.ts';

const { etch } = madeAnswer({ content: 'Rain.', description: 'Weather', category_id: 'personal' });
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
  const challenge = { id: etch.id, url: `https://svc.example.org/ch/${etch.id}` };
  const changed = { ...challenge, url: `${bad}/ch/${etch.id}` };
  for (const operation of ['listChallenges', 'searchChallenges'])
    expect(await misfitsOf(operation, { challenges: [challenge, changed] })).toEqual(['challenges[1].url']);
  const about = { id: etch.id, url: `${bad}${path}` };
  expect(
    await misfitsOf('listEvents', { events: [{ data: { challenge } }, { data: { etch: about } }] }),
  ).toEqual(['events[1].data.etch.url']);
  const withExplorer = (explorer: string) => ({
    etch: { ...etch, chain: { ...etch.chain, tx_hash: '0xab', tx_url: `${explorer}/tx/0xab` } },
  });
  expect(await misfitsOf('getEtch', withExplorer(bad))).toContain('etch.chain.tx_url');
  const honest = await misfitsOf('getEtch', withExplorer('https://explorer.example/path?a=b#'));
  expect(honest).not.toContain('etch.chain.tx_url');
});
