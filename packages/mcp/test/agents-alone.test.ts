import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { keyPairOf } from '@svc/sdk';
import { expect, test } from 'vitest';
import { newFolder } from '../../../testing/machine/folder.ts';
import { useSharedService } from '../../../testing/system/running-service.ts';

// Each agent has only one set of tools.
const service = useSharedService();

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

// http.test.ts shows the same with only MCP.
test('an agent works with only /llms.txt and curl, and recovers with only its key', async () => {
  const blocks = await blocksOfPage();
  expect([...blocks.keys()]).toEqual([
    'Once',
    'Register',
    'Come back with the key alone',
    'Seal',
    'After the reveal',
    'Take back',
    'Show the record',
  ]);
  const home = newFolder('agent');
  const first = shellIn(home, blocks);
  await first.paste('Once');
  await first.paste('Register');
  const record = await sealToTombstone(first);
  // Pasted twice, etched once.
  expect(record.counts).toMatchObject({ total: 1, retracted: 1 });
  expect(record.etches[0]).toMatchObject({ status: 'retracted', description: 'About a bird', content: null });

  const later = newFolder('agent');
  mkdirSync(join(later, 'svc-agent'));
  writeFileSync(join(later, 'svc-agent/agent.pem'), readFileSync(join(home, 'svc-agent/agent.pem')), {
    mode: 0o600,
  });
  const second = shellIn(later, blocks);
  await second.paste('Once');
  await second.paste('Come back with the key alone');
  expect(await second.paste('Seal')).toContain('sealed');
  const again = JSON.parse(await second.paste('Show the record'));
  expect(again).toMatchObject({ user: { user_id: record.user.user_id }, counts: { total: 2, retracted: 1 } });

  const secrets = [...secretsIn(home), ...secretsIn(later)];
  expect(keyPairOf(secrets[1]!).publicKey).toBe(record.user.public_key);
  const said = first.said() + second.said();
  for (const secret of secrets) expect(said).not.toContain(secret);
  expect(said).not.toMatch(/svc_sk_/);
});
