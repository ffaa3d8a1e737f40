import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { useServer } from '../../../testing/machine/server.ts';
import { eventually, patient } from '../../../testing/wait.ts';
import { ends } from '../../../testing/clients/ends.ts';
import { useAccount } from './support/account.ts';

const { service, home, run, json } = useAccount();
let answers: { status?: number; body: string | Buffer; location?: string }[] = [];
const server = useServer((_, response) => {
  const { status = 200, body, location } = answers.length > 1 ? answers.shift()! : answers[0]!;
  response.writeHead(status, location === undefined ? {} : { location });
  response.end(body);
});
let url: string;
let decided: string;
let undecidable: string;
let elsewhere: string;
let out: string;

beforeAll(async () => {
  url = `${server.url}/gauge.json`;
  out = join(home, 'kept.json');
  const ask = async (rule: string): Promise<string> =>
    (await json(['challenge', 'create', `Rain? settles-by: ${rule} [yes|no]`, '--closes', `${patient(5)}s`]))
      .challenge.id;
  [decided, undecidable, elsewhere] = await Promise.all([
    ask(`${url} /rain true=yes,false=no`),
    ask(`${url} /snow`),
    ask(`${url} /rain true=yes,false=no`),
  ]);
  await eventually('both challenges are closed', async () => {
    const shown = await Promise.all(
      [decided, undecidable, elsewhere].map((id) => json(['challenge', 'show', id])),
    );
    return shown.every(({ challenge }) => challenge.closed);
  });
});

const rain = (value: boolean, more = '') => ({ body: `{"rain":${value}}${more}` });

const large = { body: Buffer.alloc(6 * 1024 * 1024, ' ') };
test.each<[string, typeof answers, number, RegExp]>([
  ['is HTML', [{ body: '<html>' }], 1, /is not JSON; nothing was etched/],
  ['is too large', [large], 1, /is larger than 5242880 bytes; nothing was etched/],
  ['redirects', [{ status: 302, body: '', location: '/x' }], 1, /redirects; .* nothing was etched/],
  ['is away', [{ status: 503, body: '' }], 69, /answers status 503; nothing was etched/],
  ['answers differently twice', [rain(true), rain(false)], 1, /differently twice; nothing was etched/],
])('a document that %s settles nothing', async (_, given, status, message) => {
  answers = given;
  await ends(run(['settle', decided, '--out', out]), status, { out: '', err: message });
  expect(existsSync(out)).toBe(false);
});

test('an open challenge settles nothing, and its document is not fetched', async () => {
  answers = [];
  const question = `Rain? settles-by: ${url} /rain [yes|no]`;
  const { challenge } = await json(['challenge', 'create', question, '--closes', '1h']);
  await ends(run(['settle', challenge.id]), 2, {
    out: '',
    err: /^svc: WAIT: the challenge is open until .*nothing was fetched/,
  });
  writeFileSync(join(home, 'taken.json'), '');
  await ends(run(['settle', decided, '--out', join(home, 'taken.json')]), 66, { err: 'exists already' });
});

test('a service on another machine cannot lead svc to this machine', async () => {
  answers = [rain(true)];
  // This machine too, but not by a loopback address.
  const foreign = service.url.replace('127.0.0.1', '0.0.0.0');
  await ends(run(['settle', decided, '--out', out, '--base-url', foreign]), 1, {
    out: '',
    err: /leads to an address that is not public.*; nothing was etched/,
  });
  expect(existsSync(out)).toBe(false);
});

test('the creator settles by the rule, and anyone checks it again', async () => {
  answers = [rain(true)];
  const { etch, settled } = await json(['settle', decided, '--out', out, '--wait']);
  expect(settled).toMatchObject({ outcome: 'yes', document: out });
  expect(etch.content).toContain(`svc-resolution:v1 ${decided} yes sha256:${settled.sha256} ${url}\n`);
  expect(readFileSync(out, 'utf8')).toBe(answers[0]!.body);

  const check = (...more: string[]) => run(['settle', '--check', decided, ...more]);
  await ends(check('--document', out), 0, { out: 'PASS: ' });
  await ends(check(), 0);
  answers = [rain(true, '\n')];
  await ends(check(), 2, { out: 'the document changed' });
  answers = [rain(false)];
  await ends(check(), 2, { out: 'gives no now' });
  writeFileSync(out, '{"rain":true} ');
  await ends(check('--document', out), 1, { out: 'SHA-256 is different' });
  const standings = await run(['score', decided]);
  expect(standings.out, standings.err).toContain('settled by rule, document kept');
});

test('a resolution whose source names a different URL fails', async () => {
  answers = [rain(true)];
  const kept = join(home, 'other.json');
  writeFileSync(kept, '{"rain":true}');
  const hash = createHash('sha256').update('{"rain":true}').digest('hex');
  const source = `sha256:${hash} https://example.org/other.json`;
  await json(['etch', '--resolve', elsewhere, '--outcome', 'yes', '--source', source, '--wait']);
  await ends(run(['settle', '--check', elsewhere, '--document', kept]), 1, {
    err: 'names a different document than the rule',
  });
});

test('an undecidable rule gives void, which is counted', async () => {
  answers = [rain(true)];
  const { settled } = await json(['settle', undecidable, '--out', join(home, 'undecidable.json'), '--wait']);
  expect(settled).toMatchObject({ outcome: 'void', reason: expect.stringContaining('/snow leads to no') });
});

test('rejects a malformed rule and a question without one', async () => {
  const create = (question: string) => run(['challenge', 'create', question, '--closes', '1h', '--json']);
  const example = 'https://example.org/a.json';
  for (const [rule, fault] of [
    [`settles-by: ${url} rain`, 'a JSON pointer'],
    [`settles-by ${example} /rain`, 'settles-by is no rule'],
    [`Settles-By: ${example} /rain`, 'settles-by is no rule'],
    [`(settles-by: ${example} /rain)`, 'settles-by is no rule'],
    ['settles-by: https://::/a /rain', 'names no valid host'],
    ['settles-by: http://localhost:99999/a /rain', 'names no valid host'],
    ['settles-by: https://ada:secret@example.org/a /rain', 'contains credentials'],
    [`settles-by: ${example} /rain true=yes,true=no`, 'one value two outcomes'],
  ] as const)
    await ends(create(`Rain? ${rule} [yes|no]`), 64, {
      err: [fault, 'Nothing was created'],
      where: rule,
    });
  await ends(create('Will the case be settled by May? [yes|no]'), 0);
  const { challenge } = JSON.parse((await create('Rain? [yes|no]')).out);
  await ends(run(['settle', challenge.id]), 64, { err: 'has no rule' });
});
