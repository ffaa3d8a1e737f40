import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { newFolder } from './support/folder.ts';
import { lastingPort } from './support/free-port.ts';
import { newDatabase, startPostgres } from './support/postgres.ts';
import { startService } from './support/service-process.ts';
import { newDataDir } from './support/world.ts';

// What the documents tell a newcomer to paste is pasted here, as it stands.
/** The shell blocks of a document that make up one session. */
function session(document: string): string {
  const page = readFileSync(new URL(`../${document}`, import.meta.url), 'utf8');
  const blocks = [...page.matchAll(/^```sh session\n([^]*?)^```$/gm)].map(([, block]) => block);
  expect(blocks.length).toBeGreaterThan(1);
  return blocks.join('\n');
}

async function paste(
  script: string,
  env: Record<string, string>,
): Promise<{ status: number | null; said: string }> {
  const folder = newFolder('session');
  // What a page calls by its place in a clone is there, and nothing is written into ours.
  for (const name of ['node_modules', 'packages'])
    symlinkSync(new URL(`../${name}`, import.meta.url).pathname, join(folder, name));
  // -e and pipefail: a step that does not show what it says ends the session.
  const child = spawn('bash', ['-eo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const status = await ended;
  // A session that ended early leaves what it started in the background.
  try {
    process.kill(-child.pid!, 'SIGTERM');
  } catch {
    // nothing was left
  }
  return { status, said: (await said).join('') };
}

/** A service with all it brings itself. Its database was made before: that the first start makes it is shown elsewhere. */
async function withService(
  settings: Record<string, string>,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const service = await startService({
    PORT: '0',
    DATA_DIR: await newDataDir(),
    DEVNET_PORT: '0',
    ...settings,
  });
  try {
    await work(service.url);
  } finally {
    await service.stop();
  }
}

describe.concurrent('what is pasted', () => {
  test("the README's first session works as pasted", () =>
    withService({}, async (BASE) => {
      const { status, said } = await paste(session('README.md'), { BASE });
      expect(status, said).toBe(0);
      expect(said).toContain('svc_sk_');
      expect(said).toContain('"badge":"attested"');
    }));

  test('the walkthrough works as pasted', () =>
    withService({ MIN_REVEAL_LEAD_SECONDS: '5' }, async (BASE) => {
      const { status, said } = await paste(session('docs/walkthrough.md'), { BASE });
      expect(status, said).toBe(0);
      expect(said).toContain('"badge":"revoked"');
    }));

  test('the quickstart for people works as pasted', () =>
    withService({ MIN_REVEAL_LEAD_SECONDS: '1' }, async (BASE) => {
      const page = session('docs/quickstart-person.md').replace('--sealed-until 6m', '--sealed-until 6s');
      const { status, said } = await paste(page, { BASE });
      expect(status, said).toBe(0);
      expect(said.match(/PASS: the receipt holds/g)).toHaveLength(2);
    }));

  test('the quickstart for operators works as pasted, on a PostgreSQL', async () => {
    const postgres = await startPostgres();
    try {
      const { status, said } = await paste(session('docs/quickstart-operator.md'), {
        DATABASE_URL: await newDatabase(postgres),
        PORT: String(await lastingPort()),
        DEVNET_PORT: '0',
      });
      expect(status, said).toBe(0);
      expect(said).toContain('svc_');
    } finally {
      await postgres.stop();
    }
  });

  test('what the page on verification says by hand comes true', () =>
    withService({}, async (BASE) => {
      const { status, said } = await paste(session('docs/verification.md'), { BASE });
      expect(status, said).toBe(0);
      expect(said).toMatch(/words: pass\nbatch: pass\n(chain: holds .+\n){3}/);
    }));

  test('the page on events and webhooks works as pasted', () =>
    withService({}, async (BASE) => {
      const signedIn = await fetch(`${BASE}/identity/dev-token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', connection: 'close' },
        body: JSON.stringify({ username: 'ada' }),
      });
      const { access_token } = (await signedIn.json()) as { access_token: string };
      const { status, said } = await paste(session('docs/webhooks.md'), { BASE, API_KEY: access_token });
      expect(status, said).toBe(0);
    }));
});

describe('all pages', () => {
  const root = new URL('..', import.meta.url).pathname;
  const filesOf = (folder: string): string[] =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => `${folder}/${file}`);
  const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...filesOf('docs')];

  test('with a session are pasted here', () => {
    const here = readFileSync(import.meta.filename, 'utf8');
    const sessions = pages.filter((page) => /^```sh session$/m.test(readFileSync(join(root, page), 'utf8')));
    expect(sessions.length).toBeGreaterThan(4);
    expect(sessions.filter((page) => !here.includes(`session('${page}')`))).toEqual([]);
  });

  test('link to what is there', () => {
    const broken = pages.flatMap((page) => {
      const links = readFileSync(join(root, page), 'utf8').matchAll(
        /\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g,
      );
      return [...links]
        .map(([, target]) => target!)
        .filter((target) => !existsSync(join(root, dirname(page), target)))
        .map((target) => `${page}: ${target}`);
    });
    expect(broken).toEqual([]);
  });

  test('are found from the first one', () => {
    const index = readFileSync(join(root, 'docs/README.md'), 'utf8');
    const missing = filesOf('docs').filter(
      (page) => page !== 'docs/README.md' && !page.includes('decisions/'),
    );
    expect(missing.filter((page) => !index.includes(`(${page.slice('docs/'.length)}`))).toEqual([]);
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain('(docs/README.md)');
  });
});
