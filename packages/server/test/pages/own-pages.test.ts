import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { expect, it } from 'vitest';
import { newAgentKeys } from '../../../../testing/clients/agent-keys.ts';
import { newReader, type Reader, type Shown, signedIn } from '../../../../testing/clients/reader.ts';
import { instant, useAda, write } from './ada.ts';

const { service, ada } = useAda();
const HOUR = 3_600_000;

it('keys are shown once, work, and are revoked', async () => {
  const made = await ada.send('/account/keys', { name: 'night <report>', scope: 'write' });
  expect([made.status, made.location]).toEqual([303, '/account/keys']);
  // A HEAD request shows nothing and so does not use up the value.
  const asked = { method: 'HEAD', headers: { cookie: ada.cookie() } };
  const head = await fetch(`${service.baseUrl}/account/keys`, asked);
  expect([head.status, head.headers.getSetCookie()]).toEqual([200, []]);
  const shown = await ada.open('/account/keys');
  const value = /svc_sk_[\w-]{50}/.exec(shown.text)![0];
  expect(shown.text).toContain('it is shown this once');
  expect(shown.text).toContain('night &lt;report>');
  expect((await ada.open('/account/keys')).text).not.toContain(value);
  expect([...ada.jar.values()].join()).not.toContain(value);
  const me = () => service.get('/api/v1/me', value);
  expect((await me()).body.user.username).toBe('ada');
  const revoke = /href="(\/account\/keys\/[^"]+\/revoke)"/.exec(shown.text)![1]!;
  expect((await ada.open(revoke)).text).toContain('Revoke this key?');
  expect((await me()).status).toBe(200);
  const gone = await ada.send(revoke, {});
  expect(gone.location).toBe('/account/keys?done=revoked');
  expect((await ada.open(gone.location!)).text).toContain('no longer works');
  expect((await me()).status).toBe(401);
  expect((await ada.send(revoke, {})).status).toBe(404);
});

it('changes the display name and confirms it', async () => {
  const done = await ada.send('/account/name', { display_name: 'Ada of the harbour' });
  const { text } = await ada.open(done.location!);
  expect(text).toMatch(/Your display name is changed[^]*value="Ada of the harbour"/);
  const long = await ada.send('/account/name', { display_name: 'x'.repeat(65) });
  expect(long.status).toBe(400);
  expect(long.text).toMatch(/at most 64 characters[^]*value="x{65}"/);
});

it('copies the social account with the person’s own token', async () => {
  const cara = newReader(service.baseUrl);
  await cara.signIn('cara', { social: 'cara_s' });
  expect((await cara.open('/account')).text).toContain('None is linked');
  const done = await cara.send('/account/social', {});
  expect(done.location).toBe('/account?done=social');
  const page = await cara.open(done.location!);
  expect(page.text).toContain('cara_s');
  expect(page.text).toContain('Your etches are marked as verified');
  expect((await cara.open('/account/limits')).text).toContain('250 left');
});

it('requires a new sign-in if the token is too old', async () => {
  const cara = await signedIn(service, 'cara');
  service.clock.advance(2 * 3_600_000);
  const refused = await cara.send('/account/social', {});
  service.clock.release();
  const text = expect.stringContaining('sign out and in again');
  expect(refused).toMatchObject({ status: 403, text });
});

it('links an agent that signed the request, and unlinks it', async () => {
  const agent = await service.registerAgent();
  const page = await ada.open('/account/agents');
  const [, message, issuedAt] = /(svc-operator:v1\|[0-9a-f-]{36}\|(\d[^<\s'&]+))/.exec(page.text)!;
  const typed = { public_key: agent.publicKey, issued_at: issuedAt!, signature: agent.sign(message!) };
  const given = await ada.open(`/account/agents?${new URLSearchParams(typed)}`);
  expect(given.text).toContain('The form has what the agent signed');
  expect(given.text).toContain(`value="${typed.signature}"`);
  const wrong = await ada.send('/account/agents', { ...typed, signature: '00'.repeat(64) });
  expect(wrong.status).toBe(400);
  expect(wrong.text).toContain('<a href="#signature"><bdi>The signature must be');
  expect(wrong.text).toContain(`value="${agent.publicKey}"`);
  const unknown = newAgentKeys();
  const strange = { public_key: unknown.publicKey, signature: unknown.sign(message!) };
  expect((await ada.send('/account/agents', { ...typed, ...strange })).status).toBe(404);
  const linked = await ada.send('/account/agents', typed);
  expect(linked.location).toBe('/account/agents?done=linked');
  expect((await ada.open(linked.location!)).text).toContain(`@${agent.username}`);
  expect((await ada.send('/account/agents', typed)).status).toBe(409);
  const unlinked = await ada.send('/account/agents/unlink', { public_key: agent.publicKey });
  expect(unlinked.location).toBe('/account/agents?done=unlinked');
  expect((await ada.open('/account/agents')).text).toContain('You operate no agent');
});

async function inboxCards(): Promise<string[]> {
  const { status, text } = await ada.open('/inbox');
  expect(status, text).toBe(200);
  return text.split('<article').slice(1);
}

const retract = async (id: string) => expect((await ada.send(`/e/${id}/retract`, {})).status).toBe(303);

it('shows the events since the last visit, and reading deletes none', async () => {
  const agent = await service.registerAgent();
  const own = await write(ada, { ...instant, description: 'Own and taken back' });
  const sealed = await service.seal(agent, { description: 'Followed and opened' });
  const open = await service.etch(agent, { description: 'Followed and taken back' });
  const key = { key: agent.key };
  for (const id of [sealed.id, open.id]) await ada.send('/follow', { target_type: 'etch', target_id: id });
  const { id: target_id } = await service.ask(agent, { question: 'Followed and closed?' });
  await ada.send('/follow', { target_type: 'challenge', target_id });
  await retract(own);
  await service.post(`/api/v1/etches/${open.id}/retract`, undefined, key);
  const me = (await service.get('/api/v1/search/accounts?q=@ada')).body.accounts[0].user_id as string;
  await service.post('/api/v1/follows', { target_type: 'user', target_id: me }, key);
  service.clock.advance(2 * HOUR);
  await service.runTask('reveal');
  await service.runTask('events');

  const page = await ada.open('/inbox');
  const newsCount = async (path = '/about') =>
    /href="\/inbox"[^>]*>Inbox(?: <span class="news-count">([^<]*))?/.exec((await ada.open(path)).text)![1];
  expect(await newsCount()).toBe('5');
  expect((await newReader(service.baseUrl).open('/about')).text).not.toContain('news-count');
  const cards = page.text.split('<article').slice(1);
  for (const [title, said, whose] of [
    ['Own and taken back', 'Retracted', 'yours'],
    ['Followed and opened', 'Opened', 'followed'],
    ['Followed and taken back', 'Retracted', 'followed'],
    ['Followed and closed?', 'Closed', 'followed'],
  ] as const)
    expect(cards.filter((card) => card.includes(title))).toEqual([
      expect.stringMatching(new RegExp(`${said}[^]*>${whose}<`)),
    ]);
  expect(page.text).toContain('1 account began to follow you');
  expect(page.text).not.toContain(agent.username + ' began');
  expect(await inboxCards()).toHaveLength(cards.length);

  const seen = await ada.send('/inbox/seen', ada.hidden(page));
  expect([seen.status, seen.location]).toEqual([303, '/inbox?done=seen']);
  expect((await ada.open('/inbox')).text).toContain('Nothing since then');
  expect(await newsCount()).toBeUndefined();
  // An old form takes nothing back, and a future time hides nothing.
  await ada.send('/inbox/seen', { as_of: '2000-01-01T00:00:00.000Z' });
  await ada.send('/inbox/seen', { as_of: '2999-01-01T00:00:00.000Z' });
  service.clock.advance(1_000);
  const later = await write(ada, { ...instant, description: 'After the visit' });
  await retract(later);
  await service.runTask('events');
  expect(await inboxCards()).toEqual([expect.stringContaining('After the visit')]);
  expect((await ada.send('/inbox/seen', { as_of: 'now' })).status).toBe(400);
  expect(await newsCount()).toBe('1');
  const refused = (await ada.send('/challenges/new', { step: 'preview' })).text;
  expect(refused).toMatch(/Not done yet[^]*Inbox <span class="news-count">1</);
});

it('downloads the person’s whole record with receipts, one line each', async () => {
  const { text, headers } = await ada.open('/account/export');
  expect(headers.get('content-disposition')).toBe('attachment; filename="record-ada.ndjson"');
  expect([headers.get('cache-control'), headers.get('content-encoding')]).toEqual(['no-store', null]);
  const lines = text.trimEnd().split('\n');
  const [account, ...rest] = lines.map((line) => JSON.parse(line));
  const end = rest.pop();
  expect(end).toEqual({ type: 'end', etches: account.counts.total });
  expect(rest).toHaveLength(account.counts.total);
  for (const { etch, receipt } of rest) {
    const { body } = await service.get(`/api/v1/etches/${etch.id}/receipt`);
    expect(receipt).toEqual(body.receipt ?? body);
  }
});

it('is private', async () => {
  const stranger = newReader(service.baseUrl);
  for (const path of ['/inbox', '/following', '/account/export'])
    expect((await stranger.open(path)).location).toBe(`/sign-in?return=${encodeURIComponent(path)}`);
});
const SOURCE = 'https://gauge.example.org';

async function ask(question: string, who = ada): Promise<string> {
  const typed = { question, category_id: 'science', reveal_at: service.at(HOUR).slice(0, 16) };
  const draft = who.hidden(await who.open('/challenges/new'));
  const asked = await who.send('/challenges/new', { ...draft, ...typed, step: 'ask' });
  return asked.location!.slice('/ch/'.length);
}

async function previewAt(path: string, fields: Record<string, string>): Promise<Shown> {
  const page = await ada.open(path);
  expect(page.status, page.text).toBe(200);
  return ada.send(path, { ...ada.hidden(page), ...fields, step: 'preview' });
}

it('resolves a closed challenge from the inbox, as its creator alone', async () => {
  const id = await ask('Does it rain? [yes|no]');
  const path = `/ch/${id}/resolve`;
  expect((await ada.open(path)).status).toBe(422);
  service.clock.advance(2 * HOUR);
  await service.runTask('reveal');
  await service.runTask('events');
  const toDo = new RegExp(`1 to resolve[^]*>Does it rain\\?<[^]*action="${path}"`);
  expect((await ada.open('/inbox')).text).toMatch(toDo);
  // The task stays when the news is read, and its row is not among the news.
  await ada.send('/inbox/seen', ada.hidden(await ada.open('/inbox')));
  const read = (await ada.open('/inbox')).text;
  expect(read).toMatch(toDo);
  expect(read.split('>Does it rain?<')).toHaveLength(2);
  expect((await ada.open(`/ch/${id}`)).text).toContain(`href="${path}"`);
  const bea = await signedIn(service, 'bea');
  expect((await bea.open(`/ch/${id}`)).text).toMatch(/Waiting for [^]*@ada[^]* to resolve/);
  expect((await bea.open(path)).status).toBe(403);
  expect((await newReader(service.baseUrl).open(path)).location).toMatch(/^\/sign-in/);

  const form = (await ada.open(path)).text;
  for (const outcome of ['yes', 'no', 'void']) expect(form).toContain(`value="${outcome}"`);
  const text = expect.stringMatching(/Choose what came true[^]*Say where anyone can check it/);
  expect(await previewAt(path, {})).toMatchObject({ status: 400, text });
  const misfit = await previewAt(path, { outcome: 'perhaps', source: SOURCE });
  expect(misfit.text).toContain('the question has no outcome perhaps');
  const resolved = { outcome: 'yes', source: SOURCE };
  const ended = await newReader(service.baseUrl).send(path, { ...resolved, step: 'etch' });
  const lost = expect.stringMatching(`You are not signed in any more[^]*value="${SOURCE}"`);
  expect(ended).toMatchObject({ status: 401, text: lost });
  const preview = await previewAt(path, resolved);
  expect(preview.text).toContain('Check before you publish');
  expect(preview.text).toContain(`svc-resolution:v1 ${id} yes ${SOURCE}`);
  const fields = { ...ada.hidden(preview), step: 'etch' };
  const done = await ada.send(path, fields);
  expect(done.status, done.text).toBe(303);
  const etchId = done.location!.slice('/e/'.length);
  const words = { description: `svc-resolution:v1 ${id}`, content: `svc-resolution:v1 ${id} yes ${SOURCE}` };
  const etch = { mode: 'instant', category: { id: 'science' }, ...words };
  expect(await service.read(etchId)).toMatchObject(etch);
  expect((await ada.send(path, fields)).location).toBe(`/e/${etchId}`);
  expect((await ada.open(path)).location).toBe(`/e/${etchId}`);
  const inbox = (await ada.open('/inbox')).text;
  expect(inbox).not.toContain('to resolve');
  const page = (await bea.open(`/ch/${id}`)).text;
  expect(page).toMatch(
    new RegExp(`href="/e/${etchId}">resolved it</a>: <bdi>yes</bdi>[^]*once it is anchored`),
  );
  expect(page).not.toContain('Waiting for');
});

/** Signs in an account that has one closed challenge and no other news. */
async function withClosedChallenge(name: string) {
  const who = await signedIn(service, name);
  await write(who, instant);
  const id = await ask('Does it thaw? [yes|no]', who);
  service.clock.advance(2 * HOUR);
  await service.runTask('reveal');
  await service.runTask('events');
  return { who, id };
}

async function retractOne(who: Reader): Promise<void> {
  const etch = await write(who, { ...instant, description: `Taken back by ${randomUUID()}` });
  await who.send(`/e/${etch}/retract`, {});
  await service.runTask('events');
}

it('the home page counts news without the challenges to resolve', async () => {
  const { who } = await withClosedChallenge('eva');
  expect((await who.open('/')).text).not.toContain('in your inbox');
  await retractOne(who);
  const { text } = await who.open('/');
  expect(text).toContain('1 to resolve');
  expect(text).toContain('1 new in your inbox');
});

it('the home page subtracts no closed challenge that is older than the counted events', async () => {
  const { who, id } = await withClosedChallenge('fay');
  // The service assigns positive positions.
  await service.db.query(sql`
    update event set position = -400 where type = 'challenge.closed' and record_id = ${id}`);
  await service.db.query(sql`
    insert into event (position, user_id, type, record_id, at, noted_at)
    select n - 400, user_id, case n when 300 then 'etch.retracted' else 'etch.anchored' end, gen_random_uuid(), at, noted_at
    from event, generate_series(1, 300) n where position = -400`);
  expect((await who.open('/')).text).toContain('1 new in your inbox');
});

it('finds a challenge to resolve behind fifty closed challenges with free text', async () => {
  const { who, id } = await withClosedChallenge('gil');
  await service.db.query(sql`
    with made as (
      insert into challenge (id, code, question, category_id, creator_id, created_at, reveal_at)
      select gen_random_uuid(), 'free' || n, case when n % 2 = 0 then 'Why?' else 'Why? [1]' end, category_id, creator_id,
        created_at, reveal_at + interval '1 minute'
      from challenge, generate_series(1, 60) n where id = ${id}
      returning id, category_id, created_at, reveal_at)
    insert into challenge_tally (id, category_id, created_at, reveal_at)
    select id, category_id, created_at, reveal_at from made`);
  for (const path of ['/', '/inbox'])
    expect((await who.open(path)).text).toMatch(/>1 to resolve<[^]*Does it thaw\?/);
});

it('the home page leads to a challenge that closes soon until the reader has answered', async () => {
  const id = await ask('Does it hail? [yes|no]');
  const dov = await signedIn(service, 'dov');
  await write(dov, instant);
  const leads = `href="/ch/${id}#answer"`;
  expect((await dov.open('/')).text).toContain(leads);
  await write(dov, { challenge_id: id, forecast_0: '70' });
  const home = (await dov.open('/')).text;
  expect(home).not.toContain(leads);
  expect(home).toContain(`href="/ch/${id}"`);
});

it('resolves a question that requires a number, and rejects other text', async () => {
  const id = await write(ada, { ...instant, content: 'svc-forecast:v1 q10=1 q50=2 q90=4' });
  const path = `/e/${id}/resolve`;
  expect((await ada.open(`/e/${id}`)).text).toContain(`href="${path}"`);
  const wrong = { status: 400, text: expect.stringContaining('value="12,5"') };
  expect(await previewAt(path, { outcome: '12,5', source: SOURCE })).toMatchObject(wrong);
  const voided = await previewAt(path, { outcome: '', void: 'on', source: SOURCE });
  expect(voided.text).toContain(`${id} void ${SOURCE}`);
  const preview = await previewAt(path, { outcome: ' 12.5 ', source: `the  gauge ` });
  const back = await ada.send(path, { ...ada.hidden(preview), step: 'edit' });
  expect(back.text).toContain('value="12.5"');
  const done = await ada.send(path, { ...ada.hidden(preview), step: 'etch' });
  expect((await ada.open(`/e/${id}`)).text).not.toContain(`href="${path}"`);
  const { content } = await service.read(done.location!.slice('/e/'.length));
  expect(content).toBe(`svc-resolution:v1 ${id} 12.5 the gauge`);
  await ada.send(`${done.location!}/retract`, {});
  expect((await ada.open(path)).text).toContain('stays unresolved permanently');
});

it('resolves nothing else', async () => {
  const plain = await write(ada, instant);
  expect((await ada.open(`/e/${plain}/resolve`)).status).toBe(422);
  const forecast = await write(ada, { ...instant, content: 'svc-forecast:v1 yes=0.7' });
  const bea = await signedIn(service, 'bea');
  expect((await bea.open(`/e/${forecast}/resolve`)).status).toBe(403);
  const text = await ask('When does it rain?');
  service.clock.advance(2 * HOUR);
  expect((await ada.open(`/ch/${text}/resolve`)).status).toBe(422);
  expect((await ada.open(`/ch/${text}`)).text).not.toContain(`/ch/${text}/resolve`);
  for (const kind of ['ch', 'e'])
    expect((await ada.open(`/${kind}/${randomUUID()}/resolve`)).status).toBe(404);
});
