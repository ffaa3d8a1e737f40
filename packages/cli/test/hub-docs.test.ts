import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshHome } from '../../../testing/clients/svc.ts';
import { runProgram } from '../../../testing/machine/program.ts';
import { shellBlocks } from '../../../testing/repository.ts';
import { NO_REGISTRY } from '../../../testing/system/program-journey.ts';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { csv, fileOf, GOOD, hubOf, ROUND } from './support/hub.ts';

const service = useSharedService();

test('the commands of docs/hubs.md install svc from the service, submit, check and score in a checkout of a hub, and the action checks their pull request', async () => {
  const hub = hubOf({
    [fileOf('weir-ar')]: csv(GOOD),
    'target-data/oracle-output.csv': 'location,horizon,target,oracle_value\nUS,1,inc hosp,6\n',
  });
  const blocks = shellBlocks('docs/hubs.md').map(({ text }) => text);
  expect(blocks).toHaveLength(6);
  const script = blocks
    .join('\n')
    .replaceAll('https://svc.example.org', service.url)
    .replaceAll('2026-12-05', ROUND);
  const who = { GIT_AUTHOR_NAME: 'A team', GIT_AUTHOR_EMAIL: 'team@example.org' };
  const home = freshHome();
  const env = {
    PATH: `${join(home, 'bin')}:${process.env['PATH']}`,
    HOME: home,
    npm_config_prefix: home,
    npm_config_registry: NO_REGISTRY,
    ...who,
    GIT_COMMITTER_NAME: who.GIT_AUTHOR_NAME,
    GIT_COMMITTER_EMAIL: who.GIT_AUTHOR_EMAIL,
  };
  const bash = (text: string, more: Record<string, string> = {}) =>
    runProgram('bash', ['-eo', 'pipefail', '-c', text], { env: { ...env, ...more }, cwd: hub.root });
  const before = 'git init -q -b main; git add hub-config; git commit -qm "The hub"; git checkout -qb round';
  const { status, out, err } = await bash(`${before}\n${script}`);
  expect(status, out + err).toBe(0);
  expect(out).toContain(`Commit .svc/${ROUND}/weir-ar.json with the file`);
  expect(out).toMatch(/weir-ar {2}on time +pass .* attestation /);
  expect(out).toContain('PASS: every file was on time, and every record is whole.');
  expect(out).toMatch(/^weir-ar,1,1,/m);

  const action = `git checkout -q main; git merge -q --no-ff -m "Merge" round; SVC_HEAD=$(git rev-parse round) "$ACTION"; cat "$GITHUB_STEP_SUMMARY"`;
  const ACTION = join(import.meta.dirname, '../../../action/check-hub.sh');
  const variables = { SVC_HUB: 'check', SVC_BASE_URL: service.url, SVC_TRUST: service.url };
  const pull = {
    ...variables,
    SVC_PULL_REQUEST: '7',
    RUNNER_TEMP: home,
    GITHUB_STEP_SUMMARY: join(home, 'summary'),
  };
  const ran = await bash(action, { ...pull, ACTION });
  expect(ran.status, ran.out + ran.err).toBe(0);
  expect(ran.out).toContain(`| \`${ROUND}\` | \`weir-ar\` |`);
});
