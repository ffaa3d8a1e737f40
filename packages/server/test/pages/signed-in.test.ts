import { parseOpening } from '@svc/protocol/timelock';
import { expect, it } from 'vitest';
import { newReader } from '../../../../testing/clients/reader.ts';
import { restoreAccount, suspend } from '../../src/acts/moderation-store.ts';
import { inDays, instant, signedIn, useAda, write } from './ada.ts';

const { service, ada } = useAda();

let id: string;
it('challenges are created in two steps, once', async () => {
  const typed = {
    question: 'Which day brings the first frost?',
    category_id: 'science',
    reveal_at: inDays(5),
  };
  const draft = ada.hidden(await ada.open('/challenges/new'));
  const preview = await ada.send('/challenges/new', { ...draft, ...typed, step: 'preview' });
  expect(preview.text).toContain('Check before you publish');
  const asked = [1, 2].map(() => ada.send('/challenges/new', { ...ada.hidden(preview), step: 'ask' }));
  const [first, second] = await Promise.all(asked);
  expect(first!.status).toBe(303);
  expect(second!.location).toBe(first!.location);
  id = first!.location!.slice('/ch/'.length);
  const { challenge } = (await service.get(`/api/v1/challenges/${id}`)).body;
  const { question, reveal_at: at } = typed;
  expect(challenge).toMatchObject({ question, category: { id: 'science' }, reveal_at: `${at}:00.000Z` });
  const page = await ada.open(`/ch/${id}`);
  expect(page.text).toContain(`href="/write?challenge=${id}"`);
});

it('challenges are answered once per account, sealed until they close', async () => {
  const etchId = await write(ada, { content: 'On a Monday', challenge_id: id });
  const { etch: made } = (await service.get(`/api/v1/etches/${etchId}`)).body;
  expect(made).toMatchObject({ status: 'sealed', challenge: { id }, category: { id: 'science' } });
  const again = await ada.open(`/write?challenge=${id}`);
  expect([again.status, again.location]).toEqual([303, `/ch/${id}`]);
  const answered = await ada.open(`/ch/${id}`);
  expect(answered.text).toContain(`<a href="/e/${etchId}">your answer</a>`);
  expect(answered.text).not.toContain('/write?challenge=');
  expect((await newReader(service.baseUrl).open(`/ch/${id}`)).text).not.toContain('You answered');
  const sent = await ada.send('/write', { content: 'On a Tuesday', challenge_id: id, step: 'etch' });
  expect(sent.status).toBe(409);
  expect(sent.text).toContain('On a Tuesday');
});

it('an author’s actions are offered and allowed to the author only', async () => {
  const id = await write(ada, instant);
  const bea = await signedIn(service, 'bea');
  expect((await ada.open(`/e/${id}`)).text).toContain('Retract this etch');
  expect((await bea.open(`/e/${id}`)).text).not.toContain('Retract this etch');
  const refused = [
    await bea.open(`/e/${id}/retract`),
    await bea.send(`/e/${id}/retract`, {}),
    await bea.send(`/e/${id}/reveal`, {}),
  ];
  for (const { status, location } of refused)
    expect([status, location]).toEqual([303, `/e/${id}?notice=author`]);
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
  const done = await ada.send(`/e/${id}/retract`, {});
  expect(done.location).toBe(`/e/${id}`);
  const page = await ada.open(`/e/${id}`);
  expect(page.text).toContain('Retracted: the text is erased');
  expect(page.text).not.toContain('To be taken back');
  expect((await ada.open(`/e/${id}/retract`)).location).toBe(`/e/${id}`);
  const again = await ada.send(`/e/${id}/retract`, {});
  expect([again.status, again.location]).toEqual([303, `/e/${id}`]);
  const bea = await signedIn(service, 'bea');
  expect((await bea.send(`/e/${id}/retract`, {})).location).toBe(`/e/${id}?notice=author`);
});

it('authors save the opening of a sealed etch, with an explanation', async () => {
  const id = await write(ada, { ...instant, mode: 'delayed', reveal_at: inDays(1) });
  const { text } = await ada.open(`/e/${id}`);
  expect(text).toContain(`action="/e/${id}/opening"`);
  expect(text.replace(/\s+/g, ' ')).toMatch(
    /A retraction does not reach it.*nobody can check what is in it, not even you/,
  );
  const saved = await ada.send(`/e/${id}/opening`, {});
  expect(saved.status).toBe(200);
  expect(saved.headers.get('cache-control')).toBe('no-store');
  expect(saved.headers.get('content-disposition')).toMatch(/^attachment; filename="opening-\w+\.json"$/);
  expect(parseOpening(JSON.parse(saved.text))).toMatchObject({ etch_id: id });
  const bea = await signedIn(service, 'bea');
  expect((await bea.open(`/e/${id}`)).text).not.toContain('/opening');
  expect((await bea.send(`/e/${id}/opening`, {})).location).toBe(`/e/${id}?notice=author`);
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
    expect([followed.status, followed.location]).toEqual([303, path]);
    expect((await reader.open(path)).text).toContain('Stop following');
  }
  const watching = await reader.open('/watching');
  expect(watching.text).toContain('1 etch still sealed');
  expect(watching.text).toContain(`/e/${other.id}`);
  await service.runTask('search');
  const feed = await reader.open('/feed');
  expect(feed.text).toContain('What you follow comes first');
  const etch = { target_type: 'etch', target_id: other.id, return: `/e/${other.id}` };
  expect((await reader.send('/unfollow', etch)).location).toBe(`/e/${other.id}`);
  expect((await reader.open('/watching')).text).toContain('You watch nothing yet');
});

it('following rejects unknown targets and redirects nowhere else', async () => {
  const bad = await ada.send('/follow', { target_type: 'user', target_id: 'nobody', return: '/' });
  expect([bad.status, bad.location]).toEqual([303, '/?notice=follow-gone']);
  expect((await ada.open(bad.location!)).text).toContain('Not followed: it no longer exists.');
  expect((await newReader(service.baseUrl).open(bad.location!)).text).not.toContain('Not followed');
  expect((await ada.send('/follow', { target_type: 'user' })).status).toBe(400);
  const away = { target_type: 'category', target_id: 'ai', return: '//evil.example' };
  expect((await ada.send('/follow', away)).location).toBe('/');
  const topic = { target_type: 'category', target_id: 'tech', return: '/topics/tech' };
  service.outage.on = true;
  const later = await ada.send('/follow', topic);
  service.outage.on = false;
  expect([later.status, later.location]).toEqual([303, '/topics/tech?notice=follow-later']);
  const told = (await ada.open(later.location!)).text;
  expect(told).toContain('the service cannot save it now');
  expect(told).toContain('Follow this topic');
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
  const refused = await ada.send('/write', { ...draft, ...instant, step: 'preview' });
  expect(refused.status).toBe(403);
  expect(refused.text).toContain('suspended this account (abuse)');
  const followed = await ada.send('/follow', { target_type: 'etch', target_id: id, return: `/e/${id}` });
  expect([followed.status, followed.location]).toEqual([303, `/e/${id}?notice=follow-suspended`]);
  expect((await ada.open(followed.location!)).text).toContain('Not followed: your account is suspended.');
  expect((await ada.send('/account/name', { display_name: 'Another' })).status).toBe(403);
  expect((await ada.send(`/e/${id}/retract`, {})).status).toBe(303);
  await restoreAccount(service.db, 'ada', { by: 'keeper', now: service.clock.now() });
});
