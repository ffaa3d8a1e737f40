import { beforeAll, expect, it } from 'vitest';
import { newReader, type Reader } from '../../../../testing/clients/reader.ts';
import { useService } from '../../../../testing/service/service.ts';
import { inDays } from './ada.ts';

// A visitor writes and previews, signs in at the last step, and loses nothing. No script runs.
const service = useService();
const WORDS = 'Sealed words of a visitor\n  with ünïcödé 🦉';
const KEPT = '/write?draft=kept';
const typed = {
  content: WORDS,
  description: 'About an owl',
  category_id: 'science',
  mode: 'delayed',
  reveal_at: inDays(3),
};
let challenge: string;
let visitor: Reader;

beforeAll(async () => {
  const asked = await service.ask(await service.registerAgent(), { question: 'Is it an owl? [yes|no]' });
  challenge = asked.id;
  visitor = newReader(service.baseUrl);
});

async function previewed(who: Reader, fields: Record<string, string> = typed) {
  const draft = who.hidden(await who.open('/write'));
  const preview = await who.send('/write', { ...draft, ...fields, step: 'preview' });
  expect(preview.status, preview.text).toBe(200);
  return preview;
}

const signInPath = `/sign-in?return=${encodeURIComponent(KEPT)}`;

it('seals what was written before the sign-in, after a confirmation', async () => {
  const preview = await previewed(visitor);
  const header = 'href="/sign-in?return=%2Fwrite"';
  for (const part of ['About an owl', 'the account with which you sign in', 'Sign in and seal it', header])
    expect(preview.text).toContain(part);
  expect(preview.headers.get('cache-control')).toBe('private, no-cache');
  const asked = await visitor.send('/write', { ...visitor.hidden(preview), step: 'etch' });
  expect([asked.status, asked.location]).toEqual([303, signInPath]);
  for (const line of asked.headers.getSetCookie()) {
    expect(line).toMatch(/; Path=\/write; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
    expect(line).not.toMatch(/About|visitor/);
  }

  const before = await visitor.open(KEPT);
  expect(before.text).toContain('Sign in and seal it');
  expect(before.headers.get('cache-control')).toBe('no-store');

  expect((await visitor.signIn('vera', { returnTo: KEPT })).location).toBe(KEPT);
  const kept = await visitor.open(KEPT);
  for (const part of ['@vera (the hash contains the account id)', '>Seal it<', 'this uses one'])
    expect(kept.text).toContain(part);
  expect(visitor.hidden(kept)).toEqual(visitor.hidden(preview));
  const done = await visitor.send('/write', { ...visitor.hidden(kept), step: 'etch' });
  expect(done.status, done.text).toBe(303);
  expect(await service.read(done.location!.slice(3))).toMatchObject({
    status: 'sealed',
    description: 'About an owl',
    author: { username: 'vera' },
  });
  expect((await visitor.open(KEPT)).status).toBe(410);
});

it('answers a challenge whose form the visitor filled in', async () => {
  const who = newReader(service.baseUrl);
  const page = await who.open(`/ch/${challenge}`);
  expect(page.text).toContain('You sign in at the last step');
  expect(page.text).toBe((await who.open(`/ch/${challenge}`)).text);
  const answer = { ...who.hidden(page), forecast_0: '70', content: 'It hoots.' };
  const preview = await who.send('/write', { ...answer, step: 'preview' });
  expect(preview.text).toContain('Is it an owl?');
  await who.send('/write', { ...who.hidden(preview), step: 'etch' });
  await who.signIn('wim', { returnTo: KEPT });
  const done = await who.send('/write', { ...who.hidden(await who.open(KEPT)), step: 'etch' });
  expect(done.status, done.text).toBe(303);
  expect(await service.read(done.location!.slice(3))).toMatchObject({ challenge: { id: challenge } });
});

it('tells a visitor who had answered already, after the sign-in', async () => {
  const who = newReader(service.baseUrl);
  const answer = { challenge_id: challenge, forecast_name_0: 'yes', forecast_0: '60', content: 'Again.' };
  const preview = await who.send('/write', { ...answer, step: 'preview' });
  await who.send('/write', { ...who.hidden(preview), step: 'etch' });
  await who.signIn('wim', { returnTo: KEPT });
  const kept = await who.open(KEPT);
  expect(kept.status).toBe(409);
  expect(kept.text).toContain('This account has already etched in this challenge');
  expect(kept.text).toContain('Again.');
});

it('shows a kept text to no other visitor, for half an hour, and not after a sign-out', async () => {
  const who = newReader(service.baseUrl);
  const preview = await previewed(who);
  await who.send('/write', { ...who.hidden(preview), step: 'etch' });
  const gone = await newReader(service.baseUrl).open(KEPT);
  expect([gone.status, gone.text.includes('visitor')]).toEqual([410, false]);
  expect(gone.text).toContain('kept for half an hour: write it again');
  service.clock.advance(31 * 60_000);
  expect((await who.open(KEPT)).status).toBe(410);

  await who.send('/write', { ...who.hidden(await previewed(who)), step: 'etch' });
  await who.signIn('xaver');
  expect((await who.open(KEPT)).status).toBe(200);
  await who.send('/sign-out', {});
  expect((await who.open(KEPT)).status).toBe(410);
});

it('returns a text that is too long for the cookies in its form', async () => {
  const content = Array.from({ length: 2_000 }, (_, at) =>
    String.fromCodePoint(0x20000 + ((at * 7919) % 42_000)),
  ).join('');
  const preview = await previewed((visitor = newReader(service.baseUrl)), { ...typed, content });
  const asked = await visitor.send('/write', { ...visitor.hidden(preview), step: 'etch' });
  expect(asked.status).toBe(401);
  for (const part of ['You are not signed in', content]) expect(asked.text).toContain(part);
});

it('accepts no form of another site, and no date that is too near', async () => {
  const sent = await visitor.send('/write', { ...typed, step: 'etch' }, { origin: 'https://evil.example' });
  expect(sent.status).toBe(403);
  const near = await visitor.send('/write', { ...typed, reveal_at: inDays(0), step: 'preview' });
  expect(near.status).toBe(400);
});

it.each([
  ['/account', '/'],
  ['/account/keys', '/'],
  ['/inbox', '/'],
  ['/feed', '/'],
  ['/watching', '/'],
  ['/following', '/'],
  ['/challenges/new', '/'],
  ['/ch/abc234/resolve', '/'],
  ['/e/abc234/retract', '/'],
  ['/ch/abc234', '/ch/abc234'],
  [KEPT, KEPT],
])('“Not now” on the way to %s leads to %s', async (returnTo, path) => {
  const { text } = await newReader(service.baseUrl).open(`/sign-in?return=${encodeURIComponent(returnTo)}`);
  expect(text).toContain(`<a href="${path}">Not now</a>`);
});
