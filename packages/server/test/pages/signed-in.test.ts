import { parseOpening } from '@svc/protocol/timelock';
import { expect, it } from 'vitest';
import { newReader, signedIn } from '../../../../testing/clients/reader.ts';
import { restoreAccount, suspend } from '../../src/acts/moderation-store.ts';
import { inDays, instant, useAda, write } from './ada.ts';

const { service, ada } = useAda();
const redirects = (location: string) => ({ status: 303, location });

let id: string;
it('challenges are created in two steps, once', async () => {
  const question = 'Which day brings the first frost?';
  const typed = { question, category_id: 'science', reveal_at: inDays(5) };
  const draft = ada.hidden(await ada.open('/challenges/new'));
  const preview = await ada.send('/challenges/new', { ...draft, ...typed, step: 'preview' });
  expect(preview.text).toContain('Check before you publish');
  const asked = [1, 2].map(() => ada.send('/challenges/new', { ...ada.hidden(preview), step: 'ask' }));
  const [first, second] = await Promise.all(asked);
  expect(second).toMatchObject(redirects(first!.location!));
  id = first!.location!.slice('/ch/'.length);
  const { challenge } = (await service.get(`/api/v1/challenges/${id}`)).body;
  const reveal_at = `${typed.reveal_at}:00.000Z`;
  expect(challenge).toMatchObject({ question, category: { id: 'science' }, reveal_at });
  expect((await ada.open(`/ch/${id}`)).text).toContain(`name="challenge_id" value="${id}"`);
});

it('a new challenge lists every error, and closes at a preset', async () => {
  const typed = { question: 'Which?', asks: 'outcomes', outcomes: 'Bingen', category_id: '' };
  const soon = new Date(service.clock.now() + 60_000).toISOString().slice(0, 16);
  const wrong = await ada.send('/challenges/new', { ...typed, reveal_at: soon, step: 'preview' });
  expect(wrong.status).toBe(400);
  expect([...wrong.text.matchAll(/<li><a href="#(\w+)"/g)].map(([, field]) => field)).toEqual([
    'outcomes',
    'category_id',
    'reveal_at',
  ]);
  const right = { ...typed, outcomes: 'Bingen\nMainz', category_id: 'science', opens_in: 'week' };
  const preview = ada.hidden(await ada.send('/challenges/new', { ...right, step: 'preview' }));
  const at = Date.parse(`${preview['reveal_at']}Z`);
  expect(Math.abs(at - service.clock.now() - 7 * 86_400_000)).toBeLessThanOrEqual(300_000);
});

it('challenges are answered once per account, sealed until they close', async () => {
  const etchId = await write(ada, { content: 'On a Monday', challenge_id: id });
  const made = { status: 'sealed', challenge: { id }, category: { id: 'science' } };
  expect(await service.read(etchId)).toMatchObject(made);
  expect(await ada.open(`/write?challenge=${id}`)).toMatchObject(redirects(`/ch/${id}`));
  const answered = await ada.open(`/ch/${id}`);
  expect(answered.text).toContain(`<a href="/e/${etchId}">your answer</a>`);
  expect(answered.text).not.toContain('name="challenge_id"');
  expect((await newReader(service.baseUrl).open(`/ch/${id}`)).text).not.toContain('You answered');
  const sent = await ada.send('/write', { content: 'On a Tuesday', challenge_id: id, step: 'etch' });
  expect(sent).toMatchObject({ status: 409, text: expect.stringContaining('On a Tuesday') });
});

it('an author’s actions are offered and allowed to the author only', async () => {
  const id = await write(ada, instant);
  const bea = await signedIn(service, 'bea');
  expect((await ada.open(`/e/${id}`)).text).toContain('Retract this etch');
  expect((await bea.open(`/e/${id}`)).text).not.toContain('Retract this etch');
  for (const refused of [
    bea.open(`/e/${id}/retract`),
    ...['retract', 'reveal', 'opening'].map((act) => bea.send(`/e/${id}/${act}`, {})),
  ])
    expect(await refused).toMatchObject(redirects(`/e/${id}?notice=author`));
  const notice = (await bea.open(`/e/${id}?notice=author`)).text;
  expect(notice).toContain('only the author of an etch can do that');
  expect((await bea.open(`/e/${id}?notice=constructor`)).text).not.toContain('class="note" role="status"');
  expect((await ada.open(`/e/${id}`)).text).toContain('Retract this etch');
  const visitor = newReader(service.baseUrl);
  expect((await visitor.open(`/e/${id}/retract`)).location).toBe(`/sign-in?return=%2Fe%2F${id}%2Fretract`);
  expect((await visitor.send(`/e/${id}/retract`, {})).status).toBe(401);
});

it('authors retract an etch after a confirmation', async () => {
  const id = await write(ada, { ...instant, content: 'To be taken back' });
  const asked = await ada.open(`/e/${id}/retract`);
  expect(asked.text).toContain('This cannot be undone');
  for (let time = 0; time < 2; time++) {
    expect(await ada.send(`/e/${id}/retract`, {})).toMatchObject(redirects(`/e/${id}`));
    const { text } = await ada.open(`/e/${id}`);
    expect(text).toContain('Retracted: the text is erased');
    expect(text).not.toContain('To be taken back');
    expect(await ada.open(`/e/${id}/retract`)).toMatchObject(redirects(`/e/${id}`));
  }
  const bea = await signedIn(service, 'bea');
  expect((await bea.send(`/e/${id}/retract`, {})).location).toBe(`/e/${id}?notice=author`);
});

it('authors save the opening of a sealed etch, with an explanation', async () => {
  const id = await write(ada, { ...instant, mode: 'delayed', reveal_at: inDays(1) });
  const { text } = await ada.open(`/e/${id}`);
  for (const part of [`action="/e/${id}/opening"`, 'href="/open"']) expect(text).toContain(part);
  expect((await ada.open('/verify')).text).toContain('href="/open"');
  expect(text).toContain('even if this service is gone or you retract the etch.');
  const saved = await ada.send(`/e/${id}/opening`, {});
  expect(saved.status).toBe(200);
  expect(saved.headers.get('cache-control')).toBe('no-store');
  expect(saved.headers.get('content-disposition')).toMatch(/^attachment; filename="opening-\w+\.json"$/);
  expect(parseOpening(JSON.parse(saved.text))).toMatchObject({ etch_id: id });
  const bea = await signedIn(service, 'bea');
  expect((await bea.open(`/e/${id}`)).text).not.toContain('/opening');
  const open = await write(ada, instant);
  expect((await ada.open(`/e/${open}`)).text).not.toContain('/opening');
  expect((await ada.send(`/e/${open}/opening`, {})).location).toBe(`/e/${open}?notice=public`);
});

it('following works for accounts, topics, challenges and etches, and returns to their pages', async () => {
  const author = await service.registerAgent();
  const other = await service.etch(author, { mode: 'delayed', reveal_at: `${inDays(4)}:00Z` });
  const reader = await signedIn(service, 'follower');
  expect((await reader.open('/feed')).text).toContain('Follow accounts and topics');
  for (const path of [`/u/${author.username}`, '/topics/science', `/e/${other.id}`]) {
    const page = await reader.open(path);
    const form = /action="(\/follow)">((?:<input[^>]+>)+)/.exec(page.text)!;
    const followed = await reader.send(form[1]!, reader.hidden({ ...page, text: form[2]! }));
    expect(followed).toMatchObject(redirects(path));
    expect((await reader.open(path)).text).toContain('Stop following');
  }
  const watching = (await reader.open('/watching')).text;
  for (const part of ['1 etch still sealed', `/e/${other.id}`]) expect(watching).toContain(part);
  await service.runTask('search');
  expect((await reader.open('/feed')).text).toContain('that you follow rank higher');
  const etch = { target_type: 'etch', target_id: other.id, return: `/e/${other.id}` };
  expect((await reader.send('/unfollow', etch)).location).toBe(`/e/${other.id}`);
  expect((await reader.open('/watching')).text).toContain('You watch nothing yet');
});

it('following rejects unknown targets and redirects nowhere else', async () => {
  const bad = await ada.send('/follow', { target_type: 'user', target_id: 'nobody', return: '/' });
  expect(bad).toMatchObject(redirects('/?notice=follow-gone'));
  expect((await ada.open(bad.location!)).text).toContain('Not followed: it no longer exists.');
  expect((await newReader(service.baseUrl).open(bad.location!)).text).not.toContain('Not followed');
  expect((await ada.send('/follow', { target_type: 'user' })).status).toBe(400);
  const away = { target_type: 'category', target_id: 'ai', return: '//evil.example' };
  expect((await ada.send('/follow', away)).location).toBe('/');
  const topic = { target_type: 'category', target_id: 'tech', return: '/topics/tech' };
  service.outage.on = true;
  const later = await ada.send('/follow', topic);
  service.outage.on = false;
  expect(later).toMatchObject(redirects('/topics/tech?notice=follow-later'));
  const page = (await ada.open(later.location!)).text;
  for (const part of ['the service cannot save it now', 'Follow this topic']) expect(page).toContain(part);
});

it('public pages of a signed-in person are private, and unchanged for others', async () => {
  const visitor = newReader(service.baseUrl);
  for (const path of ['/', '/search', '/challenges', '/topics/ai', '/u/ada', '/verify', '/no/such/page']) {
    const own = await ada.open(path);
    expect(own.headers.get('cache-control'), path).toBe('no-store');
    expect(own.text, path).toContain('href="/account"');
    const open = await visitor.open(path);
    expect(open.text, path).not.toContain('href="/account"');
    expect(open.text, path).toContain('href="/sign-in');
    if (open.status === 200) expect(open.headers.get('vary')).toBe('Accept, Cookie, Accept-Encoding');
  }
});

it('a suspended person cannot write or follow, but can retract', async () => {
  const id = await write(ada, instant);
  const draft = ada.hidden(await ada.open('/write'));
  await suspend(service.db, 'ada', 'abuse', { by: 'keeper', now: service.clock.now() });
  const text = expect.stringContaining('suspended this account (abuse)');
  const sent = await ada.send('/write', { ...draft, ...instant, step: 'preview' });
  expect(sent).toMatchObject({ status: 403, text });
  const followed = await ada.send('/follow', { target_type: 'etch', target_id: id, return: `/e/${id}` });
  expect(followed).toMatchObject(redirects(`/e/${id}?notice=follow-suspended`));
  expect((await ada.open(followed.location!)).text).toContain('Not followed: your account is suspended.');
  expect((await ada.send('/account/name', { display_name: 'Another' })).status).toBe(403);
  expect((await ada.send(`/e/${id}/retract`, {})).status).toBe(303);
  await restoreAccount(service.db, 'ada', { by: 'keeper', now: service.clock.now() });
});
