import { beforeAll, describe, expect, it } from 'vitest';
import { newReader, type Reader } from '../../../../testing/service/reader.ts';
import { newAgentKeys, useService } from '../../../../testing/service/service.ts';

const service = useService({
  settings: { LIMIT_ETCHES_HUMAN: '30', LIMIT_CHALLENGES_PER_DAY: '20', MIN_REVEAL_LEAD_SECONDS: '300' },
});
let ada: Reader;

beforeAll(async () => {
  ada = newReader(service.baseUrl);
  await ada.signIn('ada');
});

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 16);
const instant = {
  content: 'The tide turns at six.',
  description: 'About the tide',
  category_id: 'science',
  mode: 'instant',
};
const count = async (author = 'ada'): Promise<number> =>
  (await service.call('GET', `/api/v1/users/${author}/etches`)).body.counts.total;

/** Through the preview, as a person without scripts goes. */
async function etch(who: Reader, fields: Record<string, string>): Promise<string> {
  const challenge = fields['challenge_id'];
  const page = await who.open(challenge ? `/write?challenge=${challenge}` : '/write');
  expect(page.status, page.text).toBe(200);
  const preview = await who.send('/write', { ...who.hidden(page), ...fields, step: 'preview' });
  expect(preview.status, preview.text).toBe(200);
  expect(preview.text).toContain('It cannot be edited');
  const done = await who.send('/write', { ...who.hidden(preview), step: 'etch' });
  expect([done.status, done.location], done.text).toEqual([
    303,
    expect.stringMatching(/^\/e\/[0-9a-f-]{36}$/),
  ]);
  return done.location!.slice(3);
}

describe('the composer', () => {
  it('shows a text once more, and then etches it', async () => {
    const before = await count();
    const id = await etch(ada, instant);
    const { etch: made } = (await service.call('GET', `/api/v1/etches/${id}`)).body;
    expect(made).toMatchObject({ status: 'revealed', content: instant.content, author: { username: 'ada' } });
    expect(await count()).toBe(before + 1);
  });

  it('seals a text until a date, in UTC', async () => {
    const reveal = inDays(3);
    const id = await etch(ada, { ...instant, content: 'CANARY-9', mode: 'delayed', reveal_at: reveal });
    const { etch: made } = (await service.call('GET', `/api/v1/etches/${id}`)).body;
    expect(made).toMatchObject({ status: 'sealed', content: null, reveal_at: `${reveal}:00.000Z` });
    // Its author sees no more of it than others do.
    expect((await ada.open(`/e/${id}`)).text).not.toContain('CANARY-9');
  });

  it('etches a draft once, however often it is sent', async () => {
    const draft = ada.hidden(await ada.open('/write'));
    const before = await count();
    const sent = await Promise.all(
      Array.from({ length: 5 }, () => ada.send('/write', { ...draft, ...instant, step: 'etch' })),
    );
    expect(new Set(sent.map(({ status, location }) => `${status} ${location}`)).size).toBe(1);
    expect(await count()).toBe(before + 1);
  });

  it('takes another text under the same draft for a new one, and keeps it', async () => {
    const draft = ada.hidden(await ada.open('/write'));
    await ada.send('/write', { ...draft, ...instant, step: 'etch' });
    const changed = { ...instant, content: 'The tide turns at seven.' };
    const again = await ada.send('/write', { ...draft, ...changed, step: 'etch' });
    expect(again.status).toBe(409);
    expect(again.text).toContain('what is below is a new draft');
    expect(again.text).toContain('The tide turns at seven.');
    expect(ada.hidden(again)['draft']).not.toBe(draft['draft']);
  });

  it('keeps what was typed, and says what is wrong beside it', async () => {
    const typed = { ...instant, content: '<b>Ahoy</b> & "so"\n\n  on', description: '', mode: '' };
    const answer = await ada.send('/write', { ...typed, step: 'preview' });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('\n&lt;b>Ahoy&lt;/b> &amp; &quot;so&quot;\n\n  on</textarea>');
    expect(answer.text).toContain('<a href="#description">Description</a>');
    expect(answer.text).toContain('<a href="#mode">When it is shown</a>');
    expect(answer.text).toMatch(/<textarea id="description"[^>]*aria-invalid="true"/);
    expect(answer.text).toContain('<option value="science" selected>');
    expect(answer.text).toContain('<title>Not done yet:');
  });

  it('counts code points, and takes exactly as many as the API', async () => {
    const emoji = { ...instant, content: '😀'.repeat(2_000), description: 'é'.repeat(140) };
    const most = await ada.send('/write', { ...emoji, step: 'preview' });
    expect(most.status).toBe(200);
    const over = await ada.send('/write', { ...emoji, content: '😀'.repeat(2_001), step: 'preview' });
    expect(over.status).toBe(400);
    expect(over.text).toContain('at most 2000 characters');
    expect(over.text).toContain('2,001 of 2,000 characters');
  });

  it('hashes the lines that were shown, not the ends of line that a browser sends', async () => {
    const content = ' first\n\nsecond\n';
    const id = await etch(ada, { ...instant, content });
    expect((await service.call('GET', `/api/v1/etches/${id}`)).body.etch.content).toBe(content);
  });

  it('goes back to be changed with everything in it', async () => {
    const typed = { ...instant, mode: 'delayed', reveal_at: inDays(2) };
    const preview = await ada.send('/write', { ...typed, step: 'preview' });
    const back = await ada.send('/write', { ...ada.hidden(preview), step: 'edit' });
    expect(back.status).toBe(200);
    for (const text of [typed.content, typed.description, `value="${typed.reveal_at}"`])
      expect(back.text).toContain(text);
    expect(back.text).toMatch(/<input (?=[^>]*value="delayed")[^>]*checked/);
  });

  it('says in the preview already that a date is too near, and refuses it in the end too', async () => {
    const near = { ...instant, mode: 'delayed', reveal_at: new Date().toISOString().slice(0, 16) };
    for (const step of ['preview', 'etch']) {
      const answer = await ada.send('/write', { ...near, step });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain('Must lie at least 300 seconds ahead.');
    }
    const nonsense = await ada.send('/write', { ...near, reveal_at: '2026-02-30T10:00', step: 'preview' });
    expect(nonsense.text).toContain('Must be a date-time');
  });

  it('keeps what was typed when the session is over, and takes it after signing in again', async () => {
    const bea = newReader(service.baseUrl);
    await bea.signIn('bea');
    const draft = bea.hidden(await bea.open('/write'));
    await bea.send('/sign-out', {});
    const lost = await bea.send('/write', { ...draft, ...instant, step: 'preview' });
    expect(lost.status).toBe(401);
    expect(lost.headers.get('www-authenticate')).toBeNull();
    expect(lost.text).toContain('You are not signed in any more');
    expect(lost.text).toContain(instant.content);
    expect(lost.text).toContain('target="_blank"');
    expect(bea.hidden(lost)).toEqual(draft);
    await bea.signIn('bea', { returnTo: '/account' });
    const found = await bea.send('/write', { ...draft, ...instant, step: 'etch' });
    expect(found.status).toBe(303);
  });

  it('keeps what was typed while the database is away; the same draft etches once after it', async () => {
    const draft = ada.hidden(await ada.open('/write'));
    const before = await count();
    service.outage.on = true;
    const away = await ada.send('/write', { ...draft, ...instant, step: 'etch' });
    service.outage.on = false;
    expect(away.status).toBe(503);
    expect(away.text).toContain('The database cannot be reached');
    expect(away.text).toContain(instant.content);
    expect(ada.hidden(away)).toEqual(draft);
    for (let time = 0; time < 2; time++) await ada.send('/write', { ...draft, ...instant, step: 'etch' });
    expect(await count()).toBe(before + 1);
  });

  it('says in words when the allowance of the day is spent, and keeps the text', async () => {
    const eager = newReader(service.baseUrl);
    await eager.signIn('eager');
    for (let n = 0; n < 30; n++) {
      const sent = await eager.send('/write', { ...instant, content: `Number ${n}`, step: 'etch' });
      expect(sent.status).toBe(303);
    }
    const refused = await eager.send('/write', { ...instant, content: 'One too many', step: 'etch' });
    expect(refused.status).toBe(429);
    expect(refused.text).toContain('The daily allowance of 30 etches is used up.');
    expect(refused.text).toMatch(/Try again in 4[78] min/);
    expect(refused.text).toContain('One too many');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const limits = await eager.open('/account/limits');
    expect(limits.text).toContain('<strong>0 etches</strong> of 30 left');
    expect(limits.text).toMatch(/<meter [^>]*value="0"/);
  });

  it('runs nothing that was typed', async () => {
    const hostile = '</textarea><script>alert(1)</script>"\'><img src=x onerror=alert(2)>\u202e';
    const fields = { ...instant, content: hostile, description: hostile, draft: hostile, reveal_at: hostile };
    for (const step of ['edit', 'preview']) {
      const { text } = await ada.send('/write', { ...fields, step });
      expect(text).not.toContain('<script>alert');
      expect(text).not.toContain('<img');
    }
  });
});

describe('challenges', () => {
  let id: string;
  it('are asked in two steps, and once', async () => {
    const typed = {
      question: 'Which day brings the first frost?',
      category_id: 'science',
      reveal_at: inDays(5),
    };
    const draft = ada.hidden(await ada.open('/challenges/new'));
    const preview = await ada.send('/challenges/new', { ...draft, ...typed, step: 'preview' });
    expect(preview.text).toContain('Once more before it counts');
    const asked = [1, 2].map(() => ada.send('/challenges/new', { ...ada.hidden(preview), step: 'ask' }));
    const [first, second] = await Promise.all(asked);
    expect(first!.status).toBe(303);
    expect(second!.location).toBe(first!.location);
    id = first!.location!.slice('/ch/'.length);
    const { challenge } = (await service.call('GET', `/api/v1/challenges/${id}`)).body;
    expect(challenge).toMatchObject({
      question: typed.question,
      category: { id: 'science' },
      reveal_at: `${typed.reveal_at}:00.000Z`,
    });
    const page = await ada.open(`/ch/${id}`);
    expect(page.text).toContain(`href="/write?challenge=${id}"`);
  });

  it('keep what was typed when something is wrong', async () => {
    const answer = await ada.send('/challenges/new', { question: 'So?', step: 'preview' });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('>\nSo?</textarea>');
    expect(answer.text).toContain('<a href="#category_id">Topic</a>');
    expect(answer.text).toContain('<a href="#reveal_at">Closes at</a>');
  });

  it('are answered once by each, sealed until they close', async () => {
    const etchId = await etch(ada, { content: 'On a Monday', challenge_id: id });
    const { etch: made } = (await service.call('GET', `/api/v1/etches/${etchId}`)).body;
    expect(made).toMatchObject({ status: 'sealed', challenge: { id }, category: { id: 'science' } });
    const again = await ada.open(`/write?challenge=${id}`);
    expect(again.status).toBe(409);
    expect(again.text).toContain('each may once, for ever');
    const sent = await ada.send('/write', { content: 'On a Tuesday', challenge_id: id, step: 'etch' });
    expect(sent.status).toBe(409);
    expect(sent.text).toContain('On a Tuesday');
  });

  it('that are not there are not answered', async () => {
    for (const unknown of ['nonsense', '00000000-0000-4000-8000-000000000000'])
      expect((await ada.open(`/write?challenge=${unknown}`)).status).toBe(404);
  });
});

describe('what its author can do with an etch', () => {
  it('is offered to nobody else, and done for nobody else', async () => {
    const id = await etch(ada, instant);
    const bea = newReader(service.baseUrl);
    await bea.signIn('bea');
    expect((await ada.open(`/e/${id}`)).text).toContain('Retract this etch');
    expect((await bea.open(`/e/${id}`)).text).not.toContain('Retract this etch');
    expect((await bea.open(`/e/${id}/retract`)).status).toBe(403);
    expect((await bea.send(`/e/${id}/retract`, {})).status).toBe(403);
    expect((await bea.send(`/e/${id}/reveal`, {})).status).toBe(403);
    const visitor = newReader(service.baseUrl);
    expect((await visitor.open(`/e/${id}/retract`)).location).toBe(`/sign-in?return=%2Fe%2F${id}%2Fretract`);
    expect((await visitor.send(`/e/${id}/retract`, {})).status).toBe(401);
  });

  it('is to retract it, after being asked once more', async () => {
    const id = await etch(ada, { ...instant, content: 'To be taken back' });
    const asked = await ada.open(`/e/${id}/retract`);
    expect(asked.text).toContain('This cannot be undone');
    const done = await ada.send(`/e/${id}/retract`, {});
    expect(done.location).toBe(`/e/${id}`);
    const page = await ada.open(`/e/${id}`);
    expect(page.text).toContain('Retracted: the text is gone');
    expect(page.text).not.toContain('To be taken back');
    expect((await ada.open(`/e/${id}/retract`)).location).toBe(`/e/${id}`);
    // Nor does a second click on the button, without scripts.
    const again = await ada.send(`/e/${id}/retract`, {});
    expect([again.status, again.location]).toEqual([303, `/e/${id}`]);
    const bea = newReader(service.baseUrl);
    await bea.signIn('bea');
    expect((await bea.send(`/e/${id}/retract`, {})).status).toBe(403);
  });

  it('is to open a sealed one when its time has come, and not before', async () => {
    const id = await etch(ada, { ...instant, mode: 'delayed', reveal_at: inDays(1) });
    expect((await ada.open(`/e/${id}`)).text).toContain('Open it, if its time has come');
    const early = await ada.send(`/e/${id}/reveal`, {});
    expect(early.status).toBe(422);
    expect(early.text).toContain('nobody can reveal it earlier');
    service.clock.advance(2 * 86_400_000);
    try {
      const later = newReader(service.baseUrl);
      await later.signIn('ada');
      expect((await later.send(`/e/${id}/reveal`, {})).location).toBe(`/e/${id}`);
      const open = await later.open(`/e/${id}`);
      expect(open.text).toContain('Retract this etch');
      expect(open.text).not.toContain('It opens by itself on');
    } finally {
      service.clock.release();
    }
  });
});

describe('following', () => {
  it('accounts, topics, challenges and etches, from their pages and back to them', async () => {
    const author = await service.registerAgent();
    const other = await service.etch(author, { mode: 'delayed', reveal_at: `${inDays(4)}:00Z` });
    const reader = newReader(service.baseUrl);
    await reader.signIn('follower');
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
    const gone = await reader.send('/unfollow', {
      target_type: 'etch',
      target_id: other.id,
      return: `/e/${other.id}`,
    });
    expect(gone.location).toBe(`/e/${other.id}`);
    expect((await reader.open('/watching')).text).toContain('0 etches still sealed');
  });

  it('refuses what is no target, and leads nowhere else', async () => {
    const bad = await ada.send('/follow', { target_type: 'user', target_id: 'nobody', return: '/' });
    expect(bad.status).toBe(400);
    const away = await ada.send('/follow', {
      target_type: 'category',
      target_id: 'ai',
      return: '//evil.example',
    });
    expect(away.location).toBe('/');
  });

  it('asks strangers to sign in, and back', async () => {
    const visitor = newReader(service.baseUrl);
    expect((await visitor.open('/topics/ai')).text).toContain('href="/sign-in?return=%2Ftopics%2Fai"');
    expect((await visitor.send('/follow', {}, { referer: `${service.baseUrl}/topics/ai` })).location).toBe(
      '/sign-in?return=%2Ftopics%2Fai',
    );
  });
});

describe('keys', () => {
  it('are shown once, work, and are revoked', async () => {
    const made = await ada.send('/account/keys', { name: 'night <report>', scope: 'write' });
    expect([made.status, made.location]).toEqual([303, '/account/keys']);
    // A question for the head alone shows nothing, and so uses nothing up.
    const cookie = [...ada.jar].map(([name, text]) => `${name}=${text}`).join('; ');
    const head = await fetch(`${service.baseUrl}/account/keys`, { method: 'HEAD', headers: { cookie } });
    expect([head.status, head.headers.getSetCookie()]).toEqual([200, []]);
    const shown = await ada.open('/account/keys');
    const value = /svc_sk_[\w-]{50}/.exec(shown.text)![0];
    expect(shown.text).toContain('it is shown this once');
    expect(shown.text).toContain('night &lt;report>');
    expect((await ada.open('/account/keys')).text).not.toContain(value);
    expect([...ada.jar.values()].join()).not.toContain(value);
    const me = () => service.call('GET', '/api/v1/me', undefined, { key: value });
    expect((await me()).body.user.username).toBe('ada');
    const revoke = /action="(\/account\/keys\/[^"]+\/revoke)"/.exec(shown.text)![1]!;
    const gone = await ada.send(revoke, {});
    expect(gone.location).toBe('/account/keys?done=revoked');
    expect((await ada.open(gone.location!)).text).toContain('refused from this moment on');
    expect((await me()).status).toBe(401);
    expect((await ada.send(revoke, {})).status).toBe(404);
  });

  it('need a name, and keep what was typed', async () => {
    const answer = await ada.send('/account/keys', { name: '  ', scope: 'write' });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('<a href="#name">Name</a>');
    expect(answer.text).toMatch(/value="write" checked/);
    const odd = await ada.send('/account/keys', { name: 'x', scope: 'root' });
    expect(odd.status).toBe(400);
  });

  it('of somebody else are out of reach', async () => {
    await ada.send('/account/keys', { name: 'mine', scope: 'read' });
    const revoke = /action="(\/account\/keys\/[^"]+\/revoke)"/.exec(
      (await ada.open('/account/keys')).text,
    )![1]!;
    const bea = newReader(service.baseUrl);
    await bea.signIn('bea');
    expect((await bea.send(revoke, {})).status).toBe(404);
    expect((await ada.open('/account/keys')).text).toContain(revoke);
  });
});

describe('the account', () => {
  it('changes its display name, and says so', async () => {
    const done = await ada.send('/account/name', { display_name: 'Ada of the harbour' });
    const page = await ada.open(done.location!);
    expect(page.text).toContain('Your display name is changed');
    expect(page.text).toContain('value="Ada of the harbour"');
    const long = await ada.send('/account/name', { display_name: 'x'.repeat(65) });
    expect(long.status).toBe(400);
    expect(long.text).toContain(`value="${'x'.repeat(65)}"`);
    expect(long.text).toContain('at most 64 characters');
  });

  it('mirrors the social account with the person’s own token', async () => {
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

  it('asks for a new sign-in when the token is too old to ask with', async () => {
    const cara = newReader(service.baseUrl);
    await cara.signIn('cara');
    service.clock.advance(2 * 3_600_000);
    try {
      const refused = await cara.send('/account/social', {});
      expect(refused.status).toBe(403);
      expect(refused.text).toContain('sign out and in again');
    } finally {
      service.clock.release();
    }
  });

  it('links an agent that signed for it, and unlinks it', async () => {
    const agent = await service.registerAgent();
    const page = await ada.open('/account/agents');
    const [, message, issuedAt] = /(svc-operator:v1\|[0-9a-f-]{36}\|(\d[^<\s]+))/.exec(page.text)!;
    const typed = { public_key: agent.publicKey, issued_at: issuedAt!, signature: agent.sign(message!) };
    const wrong = await ada.send('/account/agents', { ...typed, signature: '00'.repeat(64) });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('<a href="#signature">Signature</a>');
    expect(wrong.text).toContain(`value="${agent.publicKey}"`);
    const unknown = newAgentKeys();
    const nobody = await ada.send('/account/agents', {
      ...typed,
      public_key: unknown.publicKey,
      signature: unknown.sign(message!),
    });
    expect(nobody.status).toBe(404);
    const linked = await ada.send('/account/agents', typed);
    expect(linked.location).toBe('/account/agents?done=linked');
    const shown = await ada.open(linked.location!);
    expect(shown.text).toContain(`@${agent.username}`);
    const again = await ada.send('/account/agents', typed);
    expect(again.status).toBe(409);
    const unlinked = await ada.send('/account/agents/unlink', { public_key: agent.publicKey });
    expect(unlinked.location).toBe('/account/agents?done=unlinked');
    expect((await ada.open('/account/agents')).text).toContain('You operate no agent');
  });
});

describe('public pages, while somebody is signed in', () => {
  it('are theirs alone, and the same for others as before', async () => {
    const visitor = newReader(service.baseUrl);
    for (const path of ['/', '/search', '/challenges', '/topics/ai', '/u/ada', '/verify', '/no/such/page']) {
      const own = await ada.open(path);
      expect(own.headers.get('cache-control'), path).toBe('no-store');
      expect(own.text, path).toContain('href="/account"');
      const open = await visitor.open(path);
      expect(open.text, path).not.toContain('href="/account"');
      expect(open.text, path).toContain('href="/sign-in');
      if (open.status === 200) expect(open.headers.get('vary')).toBe('Accept, Cookie');
    }
  });
});
