import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
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

describe('the ciphertext of a blind seal', () => {
  const sealed = ['--blind', '--sealed-until', '2h', '--description', 'A bird'];
  const blind = (text: string, ...more: string[]) => ['etch', text, ...sealed, ...more];

  test('is stored for its owner until the service accepts it, without the text', async () => {
    const options = await lose(blind('Nobody reads this.'));
    const [file] = keptFiles();
    const path = join(blindFolder, file!);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8')).not.toContain('Nobody');
    const { words } = JSON.parse(readFileSync(path, 'utf8'));
    // The relative time is the first run's, so a retry needs only the key.
    await ends(run([...blind('Nobody reads this.'), ...options.slice(-2), '--json']), 0, {
      json: { replayed: true, etch: { content: words } },
    });
    expect(keptFiles()).toEqual([]);
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
    const ran = await svcHere(blind('Refused.'), { home: other, env });
    await refusing.close();
    expect(ran, ran.err).toMatchObject({ status: 77 });
    expect(readdirSync(join(other, 'svc', 'blind'))).toEqual([]);
  });
});
