import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ends, jsonOf } from '../../testing/clients/ends.ts';
import { newFolder } from '../../testing/machine/folder.ts';
import { useProgramJourney } from '../../testing/system/program-journey.ts';

const journey = useProgramJourney();
const root = join(import.meta.dirname, '../..');

/** The steps of an action without `hub`, as a runner of GitHub runs them. */
const stepsOf = (file: string) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/^ +run: (.+)$/gm)]
    .map(([, step]) => step!.replace(/^'(.*)'$/, '$1'))
    .filter((step) => !step.includes('check-hub'));

test('action: jobs install svc from the service, etch and verify, and the receipt passes after the service stopped', async () => {
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
    SVC_VERIFY: 'true',
    SVC_TRUST: 'svc.json',
  };
  const pins = await (await fetch(`${journey.url}/.well-known/svc.json`)).text();
  writeFileSync(join(place.folder, 'svc.json'), pins);
  const runStep = (step: string, more: Record<string, string> = {}) =>
    journey.run(place, 'bash', ['-e', '-c', step], { ...variables, ...more });
  const [installs, commits, ...rest] = stepsOf('action/action.yml');
  expect(rest).toEqual([]);
  await ends(runStep(installs!), 0);
  await ends(runStep(commits!), 0, { out: 'PASS: ' });
  const output = readFileSync(join(place.folder, 'output'), 'utf8');
  expect(output).toMatch(/^manifest=.*\netch-url=.*\nreceipt=.*\n$/);
  const [manifest, receipt] = ['manifest', 'receipt'].map(
    (name) => new RegExp(`^${name}=(.*)$`, 'm').exec(output)![1]!,
  ) as [string, string];

  const [installsToo, verifies, ...more] = stepsOf('action/verify/action.yml');
  expect([installsToo, more]).toEqual([installs, []]);
  const checks = (receipts: string, trust = 'svc.json') =>
    runStep(verifies!, {
      GITHUB_ACTION_PATH: join(place.folder, 'action/verify'),
      SVC_RECEIPTS: receipts,
      SVC_TRUST: trust,
    });
  await ends(checks(receipt), 0, { out: 'PASS: ' });
  const changed = { ...JSON.parse(readFileSync(receipt, 'utf8')), hash: '7'.repeat(64) };
  writeFileSync(join(place.folder, 'changed.json'), JSON.stringify(changed));
  await ends(checks(`${receipt}\nchanged.json`), 1, { out: '::error title=svc::not every receipt verifies' });
  const { chain, ...info } = JSON.parse(pins);
  const others = { ...info, chain: { ...chain, relayers: [`0x${'7'.repeat(40)}`] } };
  writeFileSync(join(place.folder, 'others.json'), JSON.stringify(others));
  await ends(checks(receipt, 'others.json'), 1, { out: 'FAIL: ' });
  await ends(runStep(commits!, { SVC_TRUST: 'others.json' }), 1, { out: 'does not verify' });

  const rpcUrl = await journey.stopService();
  const plan = join(place.folder, 'plan.txt');
  const verify = () => svc('verify', receipt, '--rpc', rpcUrl, '--manifest', manifest, '--files', plan);
  await ends(verify(), 0, { last: /^PASS: / });
  writeFileSync(plan, 'another plan');
  await ends(verify(), 1, { last: /^FAIL: / });
});
