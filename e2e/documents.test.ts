import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { newFolder } from './support/folder.ts';
import { type ServiceProcess, startService } from './support/service-process.ts';

// What the documents tell a newcomer to paste is pasted here, as it stands.
let service: ServiceProcess | undefined;
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

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
  // -e and pipefail: a step that does not show what it says ends the session.
  const child = spawn('bash', ['-eo', 'pipefail', '-c', script], {
    cwd: newFolder('session'),
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [said, complained, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { status, said: said + complained };
}

async function start(settings: Record<string, string> = {}): Promise<string> {
  service = await startService({ PORT: '0', DATA_DIR: newFolder('data'), DEVNET_PORT: '0', ...settings });
  return service.url;
}

test("the README's first session works as pasted", async () => {
  const { status, said } = await paste(session('README.md'), { BASE: await start() });
  expect(status, said).toBe(0);
  expect(said).toContain('svc_sk_');
  expect(said).toContain('"badge":"attested"');
});

test('the walkthrough works as pasted', async () => {
  const { status, said } = await paste(session('docs/walkthrough.md'), {
    BASE: await start({ MIN_REVEAL_LEAD_SECONDS: '5' }),
  });
  expect(status, said).toBe(0);
  expect(said).toContain('"badge":"revoked"');
});
