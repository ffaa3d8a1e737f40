import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { quickstartForAgents } from '../../../testing/sessions/agents.ts';
import { inClone } from '../../../testing/sessions/paste.ts';
import { patient } from '../../../testing/wait.ts';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { svcHere } from './support/svc-here.ts';
import { freshHome, type Ran, svc } from '../../../testing/clients/svc.ts';
import { ends, jsonOf } from '../../../testing/clients/ends.ts';

const service = useSharedService();
const home = freshHome();
type World = { input?: string; env?: Record<string, string>; home?: string; terminal?: boolean };
const here = (more: World): World => ({ home, ...more, env: { SVC_BASE_URL: service.url, ...more.env } });
const run = (args: string[], more: World = {}): Promise<Ran> => svcHere(args, here(more));
const typed = (args: string[], { terminal: _, ...more }: World = {}): Promise<Ran> => svc(args, here(more));

type Answer = any;

const json = (args: string[], more: World = {}, program = run): Promise<Answer> =>
  jsonOf(program([...args, '--json'], more));
const profiles = join(home, 'svc', 'profiles.json');

beforeAll(async () => {
  const { user } = await json(['register', '--name', 'Tide watcher'], {}, typed);
  expect(user.display_name).toBe('Tide watcher');
});

describe('accounts', () => {
  test('are stored readable by their owner only, and shown', async () => {
    expect(statSync(profiles).mode & 0o777).toBe(0o600);
    const { current, profiles: all } = JSON.parse(readFileSync(profiles, 'utf8'));
    expect(current).toBe('default');
    expect(all.default).toMatchObject({ base_url: service.url, api_key: expect.stringMatching(/^svc_sk_/) });
    const { user, account } = await json(['whoami']);
    expect(user.username).toBe(all.default.username);
    expect(account).toMatchObject({ kind: 'agent' });
    await ends(run(['whoami']), 0, { out: `id        ${user.id}` });
    await ends(run(['record']), 0, { out: `account id ${user.id}` });
    await ends(run(['profile', 'list']), 0, {
      out: `* default  ${user.username}`,
      without: [all.default.api_key, all.default.secret_key],
    });
  });

  test('change their display name and keep their username', async () => {
    const { user: before } = await json(['whoami']);
    const { user } = await json(['rename', 'Heron watcher 鷺']);
    expect(user).toMatchObject({ username: before.username, display_name: 'Heron watcher 鷺' });
    expect((await json(['record', before.username])).user.display_name).toBe('Heron watcher 鷺');
    expect((await run(['rename', 'Tide watcher'])).out).toBe(`${before.username} is shown as Tide watcher\n`);
    await ends(run(['rename', 'x'.repeat(65)]), 1, { err: 'display_name' });
    expect((await json(['whoami'])).user.display_name).toBe('Tide watcher');
  });

  test('does not replace a profile, and adds a second one', async () => {
    const before = readFileSync(profiles, 'utf8');
    await ends(run(['register']), 64, { out: '' });
    expect(readFileSync(profiles, 'utf8')).toBe(before);
    const key = join(home, 'agent.key');
    const { public_key } = await json(['keygen', '--out', key]);
    expect(statSync(key).mode & 0o777).toBe(0o600);
    await ends(run(['keygen', '--out', key]), 64);
    const second = await json(['register', '--profile', 'second', '--key', key]);
    expect(second.public_key).toBe(public_key);
    const { id } = second.user;
    expect((await json(['whoami'])).user.id).not.toBe(id);
    expect((await json(['whoami'], { env: { SVC_PROFILE: 'second' } })).user.id).toBe(id);
    await ends(run(['profile', 'use', 'second']), 0);
    expect((await json(['whoami'])).user.id).toBe(id);
    await ends(run(['profile', 'use', 'third']), 64);
    await ends(run(['profile', 'use', 'default']), 0);
    expect((await json(['register', '--profile', 'second', '--recover'])).user.id).toBe(id);
    await ends(run(['register', '--key', key], { home: freshHome() }), 1, { err: /^svc: .*registered/ });
  });

  test('lists, issues and revokes keys', async () => {
    const { key, api_key } = await json(['keys', 'create', 'nightly']);
    const env = { SVC_API_KEY: api_key };
    expect((await json(['whoami'], { env })).authenticated_with).toMatchObject({ scope: 'read' });
    await ends(run(['etch', 'no', '--description', 'No'], { env }), 77, {
      out: '',
      err: 'svc keys create <name> --write',
    });
    await ends(run(['keys', 'create', 'reader']), 0, { err: 'create it with --write' });
    expect(await run(['keys', 'revoke', key.id])).toMatchObject({ status: 0 });
    expect((await run(['whoami'], { env })).err).toMatch(/svc register/);
    expect((await run(['keys', 'list'])).out).toMatch(/nightly {2}revoked/);
    expect((await run(['keys', 'create', 'deploy', '--write'])).out).toMatch(/^svc_sk_\S+\n$/);
  });

  test('sends a key to its own service only', async () => {
    const other = service.url.replace('127.0.0.1', 'localhost');
    expect(await run(['whoami', '--base-url', other])).toMatchObject({ status: 77 });
  });
});

describe('etches', () => {
  test('etches from argument, file and standard input, and shows by id, code and url', async () => {
    const described = ['--description', 'A tide', '--topic', 'science'];
    const { etch } = await json(['etch', 'High water at 14:12.', ...described]);
    expect(etch).toMatchObject({ content: 'High water at 14:12.', description: 'A tide' });
    expect(etch.signature).not.toBeNull();
    for (const target of [etch.id, etch.code.toUpperCase(), etch.url, etch.short_url, etch.verify_url])
      expect((await json(['show', target])).etch.id).toBe(etch.id);
    expect((await run(['show', etch.code])).out).toContain('REVEALED  A tide');

    const file = join(home, 'text.txt');
    writeFileSync(file, 'two\nlines\n');
    const filed = await json(['etch', '--file', file, '--no-sign', '--description', 'Lines']);
    expect(filed.etch).toMatchObject({ content: 'two\nlines', description: 'Lines', signature: null });
    const piped = await json(['etch', '--exact', '--description', 'Exactly'], { input: 'kept\n' }, typed);
    expect(piped.etch).toMatchObject({ content: 'kept\n', description: 'Exactly' });
  });

  test('requires a description, and warns when it reveals the text', async () => {
    for (const more of [['in plain words'], ['--file', '/dev/null'], ['-']])
      await ends(run(['etch', ...more], { input: 'in plain words' }), 64, {
        out: '',
        err: '--description',
        where: more.join(' '),
      });
    const text = 'The heron left the weir at dawn.';
    await ends(run(['etch', text, '--description', 'why the HERON, left the pond']), 0, {
      err: '“the heron left the”',
    });
    await ends(run(['etch', text, '--description', 'About the heron at the weir']), 0, {
      without: 'Careful',
    });
  });

  test('etches once under the same key', async () => {
    const args = ['etch', 'once', '--description', 'Once', '--idempotency-key', 'k1'];
    const [first, second] = [await json(args), await json(args)];
    expect(second).toMatchObject({ replayed: true, etch: { id: first.etch.id } });
    await ends(run(['etch', 'twice', '--description', 'Once', '--idempotency-key', 'k1']), 1, { out: '' });
  });

  test('seals, watches, reveals, anchors and verifies an etch', async () => {
    await ends(run(['etch', 'hidden', '--sealed-until', '3s']), 64, { out: '' });
    await ends(run(['etch', 'hidden', '--sealed-until', 'tomorrow']), 64, { out: '' });
    const seal = (text: string, until: string) =>
      ends(run(['etch', text, '--sealed-until', until, '--description', 'A bird', '--json']), 0, {
        without: text,
      });
    const { id } = JSON.parse((await seal('hidden', `${patient(8)}s`)).out).etch;
    await ends(run(['reveal', id]), 1);
    const until = (state: string) => ['--until', state, '--timeout'];
    expect((await json(['watch', id, ...until('revealed'), '60'])).etch.content).toBe('hidden');
    await ends(run(['reveal', id]), 0);
    await ends(run(['watch', id, '--timeout', '90']), 0, { out: 'chain     anchored at' });
    const receipt = join(home, 'receipt.json');
    await ends(run(['receipt', id, '--out', receipt]), 0);
    await ends(run(['verify', receipt]), 2);
    await ends(run(['trust', service.url]), 0);
    await ends(typed(['verify', receipt]), 0, {
      out: [
        /\nPASS: the receipt holds\. .*proves nothing to others\.\n$/,
        /PASS {2}The author: signed\n +The words are signed by the key that http:\S+ lists/,
      ],
    });
    await ends(run(['verify', id, '--json']), 0);
    const later = JSON.parse((await seal('another one', '1d')).out).etch.id;
    await ends(run(['watch', later, ...until('revealed'), '1']), 2);
  });

  test('seals blind, and warns before a retraction', async () => {
    const secret = 'Nobody was told: high water at 14:12.';
    const sealed = ['--blind', '--sealed-until', '2099-01-01T00:00:00Z'];
    const { etch, blind } = await json(['etch', secret, ...sealed, '--description', 'A tide, blind']);
    expect(blind.due).toBe('2099-01-01T00:00:00.000Z');
    expect(JSON.stringify(etch)).not.toContain('14:12');
    const shown = await run(['show', etch.id]);
    expect(shown.out).toContain(`Blind seal: encrypted to round ${blind.round} of the drand chain`);
    expect(shown.out).not.toContain(etch.content.slice(-40));
    await ends(run(['open', etch.code]), 2, { out: 'WAIT  sealed: Round' });
    await ends(run(['retract', etch.id], { input: 'no\n' }), 1, {
      err: 'Copies of its ciphertext can still be opened from 2099-01-01T00:00:00.000Z on.',
    });
  });

  test('retracts only after yes', async () => {
    const { etch } = await json(['etch', 'regretted', '--description', 'A word']);
    await ends(run(['retract', etch.id]), 1, { out: '' });
    await ends(run(['retract', etch.id], { input: 'no\n' }), 1);
    expect((await json(['show', etch.id])).etch.status).toBe('revealed');
    const stays = /The description, the hash, .* stay public permanently/;
    await ends(typed(['retract', etch.id], { input: 'yes\n' }), 0, {
      out: ['RETRACTED  A word', stays],
      err: ['cannot be undone', stays],
    });
    const { retracted_at } = (await json(['show', etch.id])).etch;
    const again = `This etch was already retracted, at ${retracted_at}. Nothing changed.`;
    for (const more of [['--yes'], []])
      await ends(run(['retract', etch.id, ...more]), 0, { out: again, err: '' });
    expect(await json(['retract', etch.code, '--yes'])).toMatchObject({
      retracted_before: true,
      etch: { id: etch.id, retracted_at },
    });
    await run(['register', '--profile', 'stranger']);
    await ends(run(['retract', etch.id, '--yes', '--profile', 'stranger']), 77);
  });

  test('reports an empty list at a terminal only', async () => {
    const search = ['search', 'no such words'];
    const found = (what: string) => `Found no ${what} with "no such words"`;
    for (const [args, said] of [
      [search, `${found('etches')}.\n`],
      [
        [...search, '--topic', 'ai', '--status', 'sealed'],
        `${found('etches')} under --status sealed --topic ai.\n`,
      ],
      [[...search, '--in', 'accounts'], `${found('accounts')}.\n`],
      [[...search, '--in', 'challenges'], `${found('challenges')}.\n`],
      [['webhooks', 'list'], 'This account has no webhooks.\n'],
    ] as const) {
      expect(await run([...args], { terminal: true })).toEqual({ status: 0, out: '', err: said });
      expect(await run([...args]), args.join(' ')).toEqual({ status: 0, out: '', err: '' });
      expect((await run([...args, '--json'], { terminal: true })).err).toBe('');
    }
  });

  test('searches, and handles challenges', async () => {
    const asked = ['How many whimbrels?', '--closes', '1d', '--topic', 'science'];
    const { challenge } = await json(['challenge', 'create', ...asked]);
    expect((await json(['challenge', 'enter', challenge.url, '41'])).etch.status).toBe('sealed');
    await ends(run(['challenge', 'enter', challenge.id, '42']), 1, { out: '' });
    const shown = await run(['challenge', 'show', challenge.id]);
    expect(shown.out).toMatch(/OPEN {2}How many whimbrels\?[^]*answers {3}1/);
    // The random name of an agent may end with these digits.
    expect(shown.out).not.toMatch(/(^|\s)41$/m);
    expect((await json(['search', 'whimbrels', '--in', 'challenges'])).challenges).toHaveLength(1);
    await json(['etch', 'a godwit \u001b[31m at low tide', '--description', 'A godwit']);
    await expect
      .poll(async () => (await run(['search', 'godwit', '--status', 'revealed'])).out)
      .toMatch(/^[2-9a-z]{6} {2}\d{4}-\d\d-\d\d {2}revealed {3}agent_\S+: A godwit\n$/);
    const { accounts } = await json(['search', 'tide', '--in', 'accounts']);
    expect(accounts.map((account: Answer) => account.display_name)).toContain('Tide watcher');
    const { etches } = await json(['search', '--max', '2']);
    expect(etches).toHaveLength(2);
    expect((await run(['show', etches[0].id])).out).not.toContain('\u001b');
  });
});

test('the quickstart for agents runs as pasted', () => quickstartForAgents(inClone(), service.url), 180_000);
