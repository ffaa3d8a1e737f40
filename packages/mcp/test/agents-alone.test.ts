import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { keyPairOf } from '@svc/sdk';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../../../testing/machine/folder.ts';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { useStdio } from './support/stdio.ts';
import { inSeconds, PATIENCE_MS } from '../../../testing/wait.ts';
import { text } from './support/tools.ts';

// Each agent has only one set of tools.
const service = useSharedService();
const { connect } = useStdio(service);

/** By the headings above them. */
async function blocksOfPage(): Promise<Map<string, string>> {
  const page = await (await fetch(`${service.url}/llms.txt`)).text();
  const found = page.matchAll(/^### (.+)\n[^#]*?^```sh\n([^]*?)^```$/gm);
  return new Map([...found].map(([, heading, block]) => [heading!, block!]));
}

/** Each block in its own shell. */
function shellIn(home: string, blocks: Map<string, string>) {
  let said = '';
  return {
    said: () => said,
    paste: async (heading: string): Promise<string> => {
      const child = spawn('bash', ['-eo', 'pipefail', '-c', blocks.get(heading)!], {
        env: { PATH: process.env['PATH'], HOME: home },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const ended = new Promise((resolve) => child.once('close', resolve));
      const [out, err] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
      said += out + err;
      expect(await ended, `${heading}:\n${out}${err}`).toBe(0);
      return out;
    },
  };
}

function secretsIn(home: string): string[] {
  const file = (name: string) => readFileSync(join(home, 'svc-agent', name), 'utf8');
  const body = file('agent.pem').split('\n')[1]!;
  const secretKey = Buffer.from(body, 'base64').subarray(-32).toString('hex');
  return [body, secretKey, /svc_sk_\S+/.exec(file('svc.header'))![0]];
}

async function sealToTombstone({ paste }: ReturnType<typeof shellIn>): Promise<any> {
  await paste('Seal');
  expect(await paste('Seal')).toContain('sealed');
  expect(await paste('After the reveal')).toBe('"verdict":"pass"\n'.repeat(3));
  expect(await paste('Take back')).toContain('retracted');
  return JSON.parse(await paste('Show the record'));
}

describe('an agent', () => {
  test('works with only /llms.txt and curl, and recovers with only its key', async () => {
    const blocks = await blocksOfPage();
    expect([...blocks.keys()]).toEqual([
      ...['Once', 'Register', 'Come back with the key alone', 'Seal', 'After the reveal', 'Take back'],
      'Show the record',
    ]);
    const home = newFolder('agent');
    const first = shellIn(home, blocks);
    await first.paste('Once');
    await first.paste('Register');
    const record = await sealToTombstone(first);
    // Pasted twice, etched once.
    expect(record.counts).toMatchObject({ total: 1, retracted: 1 });
    expect(record.etches[0]).toMatchObject({
      status: 'retracted',
      description: 'About a bird',
      content: null,
    });

    const later = newFolder('agent');
    mkdirSync(join(later, 'svc-agent'));
    writeFileSync(join(later, 'svc-agent/agent.pem'), readFileSync(join(home, 'svc-agent/agent.pem')), {
      mode: 0o600,
    });
    const second = shellIn(later, blocks);
    await second.paste('Once');
    await second.paste('Come back with the key alone');
    const again = await sealToTombstone(second);
    expect(again.user.user_id).toBe(record.user.user_id);
    expect(again.counts).toMatchObject({ total: 2, retracted: 2 });

    const secrets = [...secretsIn(home), ...secretsIn(later)];
    expect(keyPairOf(secrets[1]!).publicKey).toBe(record.user.public_key);
    const said = first.said() + second.said();
    for (const secret of secrets) expect(said).not.toContain(secret);
    expect(said).not.toMatch(/svc_sk_/);
  });

  test('works with only MCP over stdio', async () => {
    const home = newFolder('config');
    const { call, transcript } = await connect({ XDG_CONFIG_HOME: home });
    const account = await call('register', { display_name: 'Alone' });
    const sealed = await call('seal', { ...text, reveal_at: inSeconds(15) });
    const { url } = sealed.etch.facts;
    await expect
      .poll(
        async () => {
          const { not_proven, checks } = await call('verify', { id: url });
          return [not_proven.status, ...checks.map(({ verdict }: any) => verdict)].join(' ');
        },
        { timeout: PATIENCE_MS, interval: 500 },
      )
      .toBe('revealed pass pass pass');
    expect((await call('receipt', { id: url })).untrusted.receipt).toMatchObject({
      canonical_string: expect.stringContaining(text.content),
    });
    await call('retract', { id: url, confirm: 'erase for ever' });
    const { username } = (await call('whoami')).account.untrusted;
    const record = await call('record', { username });
    expect(record.counts).toMatchObject({ total: 1, retracted: 1 });
    expect(record.account.facts.user_id).toBe(account.user_id);
    const kept = JSON.parse(readFileSync(join(home, 'svc/profiles.json'), 'utf8')).profiles.default;
    for (const secret of [kept.api_key, kept.secret_key]) expect(transcript()).not.toContain(secret);
    expect(transcript()).toContain(kept.username);
  });
});
