import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ends, jsonOf } from '../../testing/clients/ends.ts';
import { newFolder } from '../../testing/machine/folder.ts';
import { useProgramJourney } from '../../testing/system/program-journey.ts';

const journey = useProgramJourney();
const root = join(import.meta.dirname, '../..');

/** The steps of action.yml without `hub`, as a runner of GitHub runs them. */
const steps = [...readFileSync(join(root, 'action/action.yml'), 'utf8').matchAll(/^ +run: (.+)$/gm)]
  .map(([, step]) => step!.replace(/^'(.*)'$/, '$1'))
  .filter((step) => !step.includes('check-hub'));

test('action: a job installs svc from the service, and its receipt and files pass after the service stopped', async () => {
  const place = { folder: newFolder('job') };
  cpSync(join(root, 'action'), join(place.folder, 'action'), { recursive: true });
  writeFileSync(join(place.folder, 'plan.txt'), 'the plan');
  const reader = await journey.install('svc-cli.tgz');
  const svc = (...args: string[]) => journey.svc(reader, ...args);
  await ends(svc('register', '--base-url', journey.url), 0);
  await ends(svc('trust', journey.url), 0);
  const { api_key: apiKey } = await jsonOf(svc('keys', 'create', 'the job', '--write', '--json'));

  const prefix = join(place.folder, 'global');
  const variables = {
    HOME: newFolder('home'),
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION_PATH: join(place.folder, 'action'),
    GITHUB_OUTPUT: join(place.folder, 'output'),
    GITHUB_STEP_SUMMARY: join(place.folder, 'summary'),
    RUNNER_TEMP: place.folder,
    PACKAGE: `${journey.url}/install/svc-cli.tgz`,
    npm_config_prefix: prefix,
    PATH: `${join(prefix, 'bin')}:${process.env['PATH']}`,
    SVC_BASE_URL: journey.url,
    SVC_API_KEY: apiKey,
    SVC_FILES: 'plan.txt',
    SVC_DESCRIPTION: 'A plan',
  };
  expect(steps).toHaveLength(2);
  for (const step of steps) await ends(journey.run(place, 'bash', ['-e', '-c', step], variables), 0);
  const output = readFileSync(join(place.folder, 'output'), 'utf8');
  expect(output).toMatch(/^manifest=.*\netch-url=.*\nreceipt=.*\n$/);
  const [manifest, receipt] = ['manifest', 'receipt'].map(
    (name) => new RegExp(`^${name}=(.*)$`, 'm').exec(output)![1]!,
  ) as [string, string];

  const rpcUrl = await journey.stopService();
  const plan = join(place.folder, 'plan.txt');
  const verify = () => svc('verify', receipt, '--rpc', rpcUrl, '--manifest', manifest, '--files', plan);
  await ends(verify(), 0, { last: /^PASS: / });
  writeFileSync(plan, 'another plan');
  await ends(verify(), 1, { last: /^FAIL: / });
});
