import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { refuse, startFaultServer } from '../../../testing/clients/fault-server.ts';
import { useLosingProxy } from '../../../testing/clients/losing-proxy.ts';
import { freshHome } from '../../../testing/clients/svc.ts';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { folderOf } from './support/folder.ts';
import { svcHere } from './support/svc-here.ts';
import { ends } from '../../../testing/clients/ends.ts';

const service = useSharedService();
const proxy = useLosingProxy(service);
const home = freshHome();
const run = (args: string[]) => svcHere(args, { home, env: { SVC_BASE_URL: proxy.url } });
const blindFolder = join(home, 'svc', 'blind');
const keptFiles = () => (existsSync(blindFolder) ? readdirSync(blindFolder) : []);

beforeAll(async () => {
  await ends(run(['register', '--base-url', proxy.url]), 0);
});
beforeEach(() => {
  proxy.loses = undefined;
  proxy.posted = [];
});

/** The command's answers are lost. @returns the options that it prints for a retry */
async function lose(args: string[]): Promise<string[]> {
  proxy.loses = 'POST';
  const ran = await ends(run([...args, '--json']), 69);
  proxy.loses = undefined;
  const [, printed] = /Run the same command again with (.*): it is carried out once/.exec(ran.err)!;
  const options = [...printed!.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
  expect(JSON.parse(ran.out).error).toMatchObject({ may_have_happened: true, retry_options: options });
  return options;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('a command whose answer was lost, retried with the advised options', () => {
  test.each([
    ['a sealed etch', ['etch', 'A crake.', '--description', 'A bird', '--sealed-until', '10m']],
    ['a blind seal', ['etch', 'A bittern.', '--description', 'A bird', '--blind', '--sealed-until', '10m']],
    ['a commitment to files', ['etch', '--description', 'Plans', '--files', folderOf({ 'plan.md': 'x' })]],
  ])('makes %s once', async (_, args) => {
    const total = async () => JSON.parse((await run(['record', '--json'])).out).counts.total as number;
    const before = await total();
    const options = await lose(
      args.includes('--files') ? [...args, '--manifest', join(home, 'manifest.json')] : args,
    );
    const until = options[options.indexOf('--sealed-until') + 1];
    if (args.includes('--sealed-until')) expect(until).toMatch(TIME);
    await ends(run([...args, ...options, '--json']), 0, { json: { replayed: true } });
    expect(new Set(proxy.posted).size).toBe(1);
    expect(await total()).toBe(before + 1);
  });

  test('asks a challenge once', async () => {
    const args = ['challenge', 'create', 'How many rails?', '--closes', '10m'];
    const options = await lose(args);
    expect(options[options.indexOf('--closes') + 1]).toMatch(TIME);
    await ends(run([...args, ...options, '--json']), 0, { json: { replayed: true } });
    expect(new Set(proxy.posted).size).toBe(1);
  });
});

describe('a duration under one Idempotency-Key', () => {
  const timesFolder = join(home, 'svc', 'times');
  test.each([
    ['an etch', ['etch', 'A dunlin.', '--description', 'A bird', '--sealed-until', '10m']],
    ['a blind seal', ['etch', 'A knot.', '--description', 'A bird', '--blind', '--sealed-until', '10m']],
    ['a challenge', ['challenge', 'create', 'How many knots?', '--closes', '10m']],
  ])('is counted once for %s', async (name, args) => {
    const keyed = [...args, '--idempotency-key', name];
    await ends(run([...keyed, '--json']), 0, { json: { replayed: false } });
    for (const same of [keyed, keyed.map((word) => (word === '10m' ? '600s' : word))])
      await ends(run([...same, '--json']), 0, { json: { replayed: true } });
    expect(new Set(proxy.posted).size).toBe(1);
    const longer = keyed.map((word) => (word === '10m' ? '20m' : word));
    const refused = await ends(run(longer), name === 'a blind seal' ? 64 : 1, { out: '' });
    expect(refused.err).not.toContain('send a new key');
    for (const file of readdirSync(timesFolder))
      expect(statSync(join(timesFolder, file)).mode & 0o777).toBe(0o600);
  });

  test('stays when the program stops before it sends, and is counted again once it is too early', async () => {
    const args = ['etch', 'A godwit.', '--description', 'A bird', '--sealed-until', '10m'];
    const stopped = async (key: string) => {
      const before = readdirSync(timesFolder);
      const keyed = [...args, '--idempotency-key', key];
      await ends(run([...keyed, '--save', '/nowhere/promise.json']), 66);
      const [file] = readdirSync(timesFolder).filter((one) => !before.includes(one));
      return { keyed: [...keyed, '--json'], path: join(timesFolder, file!) };
    };
    const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')).time as string;

    const first = await stopped('stopped');
    await ends(run(first.keyed), 0, { json: { etch: { reveal_at: read(first.path) } } });
    const second = await stopped('stopped long ago');
    writeFileSync(second.path, '{"time":"2020-01-01T00:00:00.000Z"}');
    const { etch } = JSON.parse((await ends(run(second.keyed), 0)).out);
    expect(read(second.path)).toBe(etch.reveal_at);
  });

  test('leaves no file when the program made the key', async () => {
    const before = readdirSync(timesFolder);
    await ends(run(['etch', 'A ruff.', '--description', 'A bird', '--sealed-until', '10m']), 0);
    expect(readdirSync(timesFolder)).toEqual(before);
  });
});

describe('the ciphertext of a blind seal', () => {
  const sealed = ['--blind', '--sealed-until', '2h', '--description', 'A bird'];
  const blind = (text: string, ...more: string[]) => ['etch', text, ...sealed, ...more];

  test('is stored for its owner without the text, until the service accepts it or for a given key', async () => {
    await ends(run(blind('Nobody looks for this.')), 0);
    const others = keptFiles();
    const options = await lose(blind('Nobody reads this.'));
    const [file] = keptFiles().filter((one) => !others.includes(one));
    const path = join(blindFolder, file!);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8')).not.toContain('Nobody');
    const { words } = JSON.parse(readFileSync(path, 'utf8'));
    // The relative time is the first run's, so a retry needs only the key.
    const retry = [...blind('Nobody reads this.'), ...options.slice(-2)];
    for (const _ of ['now', 'later'])
      await ends(run([...retry, '--json']), 0, { json: { replayed: true, etch: { content: words } } });
    expect(keptFiles().sort()).toEqual([...others, file].sort());
    await ends(run([...retry, '--description', 'Another']), 64, {
      err: /belongs to etch \S+ with a different/,
    });
  });

  test('is not sent for a different text, description, topic or time', async () => {
    const options = await lose(blind('The right one.'));
    proxy.posted = [];
    for (const [changed, named] of [
      [blind('Another one.'), 'text'],
      [blind('The right one.', '--description', 'Another'), '--description'],
      [blind('The right one.', '--topic', 'ai'), '--topic'],
      [blind('The right one.', '--sealed-until', '2098-01-01T00:00:00Z'), '--sealed-until'],
    ] as const)
      await ends(run([...changed, ...options.slice(-2)]), 64, {
        err: `with a different ${named}, whose answer was lost`,
        where: named,
      });
    expect(proxy.posted).toEqual([]);
    await ends(run([...blind('The right one.'), ...options]), 0);
  });

  test('is deleted when the service rejects it', async () => {
    const refusing = await startFaultServer();
    refusing.fates = [refuse(404, 'not_found'), refuse(403, 'forbidden')];
    const other = freshHome();
    const env = { SVC_BASE_URL: refusing.url, SVC_API_KEY: 'svc_sk_test' };
    const later = ['--sealed-until', '2098-01-01T00:00:00Z'];
    const ran = await svcHere(blind('Refused.', ...later), { home: other, env });
    await refusing.close();
    expect(ran, ran.err).toMatchObject({ status: 77 });
    expect(readdirSync(join(other, 'svc', 'blind'))).toEqual([]);
  });
});
