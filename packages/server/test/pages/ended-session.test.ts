import { beforeAll, expect, it } from 'vitest';
import { type Reader, signedIn } from '../../../../testing/clients/reader.ts';
import { useService } from '../../../../testing/service/service.ts';
import { inDays } from './ada.ts';

// A person types while the session ends or the database fails: the form keeps the text and its choices.
const service = useService();
const SECRET = 'the answer nobody may see yet';
const LOST = 'You are not signed in any more';
const instant = { description: 'All of it', category_id: 'science', mode: 'instant' };
let challenge: string;
let bea: Reader;

beforeAll(async () => {
  const asked = await service.ask(await service.registerAgent(), { question: 'Who comes first?' });
  challenge = asked.id;
  bea = await signedIn(service, 'bea');
});

async function leave(who: Reader): Promise<void> {
  expect((await who.send('/sign-out', {})).status).toBe(303);
}

it('an answer stays an answer when the session ends, and is sealed after a new sign-in', async () => {
  const draft = bea.hidden(await bea.open(`/write?challenge=${challenge}`));
  expect(draft['challenge_id']).toBe(challenge);
  await leave(bea);
  const edited = await bea.send('/write', { ...draft, content: SECRET, step: 'edit' });
  expect([edited.status, bea.hidden(edited)]).toEqual([200, draft]);
  for (const part of [SECRET, '<h1><bdi>Who comes first?</bdi></h1>', `href="/ch/${challenge}"`])
    expect(edited.text).toContain(part);
  expect(edited.text).not.toContain('value="instant"');
  const preview = await bea.send('/write', { ...draft, content: SECRET, step: 'preview' });
  expect(preview.text).toContain('Who comes first?');
  const lost = await bea.send('/write', { ...bea.hidden(preview), step: 'etch' });
  expect(lost.location).toBe('/sign-in?return=%2Fwrite%3Fdraft%3Dkept');
  await bea.signIn('bea', { returnTo: '/write?draft=kept' });
  const kept = await bea.open('/write?draft=kept');
  const done = await bea.send('/write', { ...bea.hidden(kept), step: 'etch' });
  expect(done.status, done.text).toBe(303);
  const etch = await service.read(done.location!.slice(3));
  expect(etch).toMatchObject({ status: 'sealed', content: null, challenge: { id: challenge } });
});

it('a new challenge keeps its fields when the session ends, and is created once after a new sign-in', async () => {
  const draft = bea.hidden(await bea.open('/challenges/new'));
  await leave(bea);
  const typed = { question: 'Who <will> know?', category_id: 'sports', reveal_at: inDays(3) };
  const lost = await bea.send('/challenges/new', { ...draft, ...typed, step: 'ask' });
  expect(lost.status).toBe(401);
  for (const part of [LOST, 'Who &lt;will> know?', `value="${typed.reveal_at}"`])
    expect(lost.text).toContain(part);
  expect(bea.hidden(lost)).toEqual(draft);
  await bea.signIn('bea', { returnTo: '/account' });
  expect((await bea.send('/challenges/new', { ...draft, ...typed, step: 'ask' })).status).toBe(303);
});

const STAMP = { public_key: 'ab'.repeat(32), signature: 'cd'.repeat(64), issued_at: '2026-01-02T03:04:05Z' };
const HOOK = { url: 'https://hooks.example.org/a?b=<c>', 'etch.revealed': 'on' };
const forms: { path: string; typed: Record<string, string>; kept: string }[] = [
  { path: '/account/name', typed: { display_name: 'Dora <the>' }, kept: 'value="Dora &lt;the>"' },
  { path: '/account/keys', typed: { name: 'a report', scope: 'write' }, kept: 'value="a report"' },
  { path: '/account/agents', typed: STAMP, kept: `value="${'cd'.repeat(64)}"` },
  { path: '/account/webhooks', typed: HOOK, kept: 'value="https://hooks.example.org/a?b=&lt;c>"' },
];

it.each(forms)('$path keeps the input without the database or the session', async ({ path, typed, kept }) => {
  const dora = await signedIn(service, 'dora');
  service.outage.on = true;
  const away = await dora.send(path, typed);
  service.outage.on = false;
  await leave(dora);
  const lost = await dora.send(path, typed);
  expect([away.status, lost.status, lost.location]).toEqual([503, 401, undefined]);
  expect(away.text).toContain('The database cannot be reached');
  expect(lost.text).toContain(LOST);
  expect(lost.headers.get('www-authenticate')).toBeNull();
  for (const { text } of [away, lost])
    for (const part of [kept, `action="${path}"`]) expect(text).toContain(part);
  for (const asked of [path === '/account/name' ? '/account?away=1' : path, '/account'])
    expect((await dora.open(asked)).location).toBe(`/sign-in?return=${encodeURIComponent(asked)}`);
});

it('a text over the limit comes back in its form with its length, unless it is longer than a form may be', async () => {
  const content = 'A long story. '.repeat(12_000);
  const long = await bea.send('/write', { ...instant, content, step: 'preview' });
  expect(long.status).toBe(400);
  expect(long.text).toContain('168,000 of 2,000 characters');
  expect(long.text).toContain(content);
  for (const path of ['/write', '/account/name']) {
    const over = await bea.send(path, { content: 'x'.repeat(300_000) });
    expect(over.status, path).toBe(413);
    expect(over.text).toMatch(/This form is too long[^]*Back button leads to the form/);
  }
});
