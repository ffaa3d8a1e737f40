import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { freshHome } from '../../../testing/clients/svc.ts';
import { folderOf } from './support/folder.ts';
import { svcHere } from './support/svc-here.ts';

// action/commit.sh under bash, with the variables and files of a runner.
const service = useSharedService();
const home = freshHome();
const clone = join(import.meta.dirname, '../../..');
let apiKey: string;

beforeAll(async () => {
  const env = { SVC_BASE_URL: service.url };
  const made = await svcHere(['register', '--json'], { home, env });
  expect(made, made.err).toMatchObject({ status: 0 });
  const { profiles } = JSON.parse(readFileSync(join(home, 'svc', 'profiles.json'), 'utf8'));
  apiKey = profiles.default.api_key;
});

async function commit(more: Record<string, string> = {}) {
  const folder = folderOf({
    'plans/a.txt': 'the secret plan',
    'plans/b.txt': 'two',
    'one file.txt': 'three',
    output: '',
    summary: '',
  });
  const env = {
    ...{ PATH: `${clone}:${process.env['PATH']}`, HOME: freshHome(), RUNNER_TEMP: folder },
    ...{ GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STEP_SUMMARY: join(folder, 'summary') },
    ...{ SVC_BASE_URL: service.url, SVC_API_KEY: apiKey, SVC_DESCRIPTION: 'Plans of a job' },
    ...{ SVC_FILES: `${join(folder, 'plans')}\n${join(folder, 'one file.txt')}\n`, ...more },
  };
  const ran = await promisify(execFile)('bash', [join(clone, 'action/commit.sh')], { env }).then(
    ({ stdout }) => ({ status: 0, stdout }),
    (error: { code: number; stdout: string }) => ({ status: error.code, stdout: error.stdout }),
  );
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return { ...ran, folder, output: read('output'), summary: read('summary') };
}

test('writes the outputs, the receipt, the manifest and a summary', async () => {
  const { status, stdout, folder, output, summary } = await commit({ SVC_SEALED_UNTIL: '3d' });
  expect(status, stdout).toBe(0);
  const [url, receipt, manifest] = output
    .trim()
    .split('\n')
    .map((line) => line.replace(/^[a-z-]+=/, ''));
  expect(output).toMatch(/^etch-url=http.*\/e\/\w{6}\nreceipt=.*\nmanifest=.*\n$/);
  expect(summary).toContain(url);
  expect(JSON.parse(readFileSync(receipt!, 'utf8'))).toMatchObject({ status: 'sealed' });
  expect(JSON.parse(readFileSync(manifest!, 'utf8')).files).toHaveLength(3);
  expect(output + summary + stdout).not.toContain('secret plan');
  expect(existsSync(join(folder, 'svc/etch.json'))).toBe(true);
});

test('fails when the service is away, or only warns', async () => {
  const away = { SVC_BASE_URL: 'http://127.0.0.1:9' };
  expect(await commit(away)).toMatchObject({
    status: 1,
    output: '',
    stdout: expect.stringContaining('::error title=svc::the service'),
  });
  expect(await commit({ ...away, SVC_WHEN_AWAY: 'warn' })).toMatchObject({
    status: 0,
    output: '',
    stdout: expect.stringContaining('::warning title=svc::the service'),
  });
});

test('fails on a missing file', async () => {
  expect(await commit({ SVC_FILES: '/nowhere/plan' })).toMatchObject({
    status: 1,
    output: '',
    stdout: expect.stringContaining('status 66'),
  });
});
