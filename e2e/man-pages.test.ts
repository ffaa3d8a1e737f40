import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ends } from '../testing/clients/ends.ts';
import { newFolder } from '../testing/machine/folder.ts';
import { bringPrograms } from '../testing/machine/debian.ts';
import { runProgram } from '../testing/machine/program.ts';
import { read, root } from '../testing/repository.ts';

const PAGES = [
  ['svc', 'packages/cli/bin/svc.mjs', 'packages/cli/dist/svc.1', ['EXIT STATUS', 'TRUST', 'FILES']],
  [
    'svc-admin',
    'packages/server/bin/svc-admin.mjs',
    'packages/server/dist/svc-admin.8',
    ['EXIT STATUS', 'FILES'],
  ],
] as const;

describe.each(PAGES)('the manual page of %s', (name, program, page, topics) => {
  const run = (...args: string[]) =>
    runProgram(process.execPath, [join(root, program), ...args], { cwd: newFolder('cwd') });

  test('is what the program prints, and roff without a warning', async () => {
    bringPrograms('groff');
    expect(read(page)).toBe((await run('man')).out);
    const formatted = runProgram('groff', ['-man', '-ww', '-Kutf8', '-Tutf8', '-P-cbou', join(root, page)]);
    const { out } = await ends(formatted, 0, { err: '' });
    for (const topic of ['NAME', 'COMMANDS', ...topics]) expect(out).toMatch(new RegExp(`^${topic}$`, 'm'));
    // A backslash that is not escaped would hide the letters after it.
    expect(out).not.toContain('\\-');
  });

  test('has every command and option that the completion offers', async () => {
    const text = read(page).replaceAll('\\-', '-');
    const offered = async (...typed: string[]) =>
      (await ends(run('complete', '--', ...typed), 0)).out
        .split('\n')
        .flatMap((line) => line.split('\t')[0] || []);
    const commands = (await offered('')).filter((one) => one !== 'help');
    expect(commands).toContain('completion');
    for (const command of commands) {
      expect(text, command).toMatch(new RegExp(`^\\.SS ${command}( |$)`, 'm'));
      for (const option of await offered(command, '--'))
        if (option !== '--help') expect(text, `${command} ${option}`).toContain(option);
    }
  });

  test('completes in bash, from the script of the program itself', async () => {
    const folder = newFolder('completion');
    const script = `
      ${name}() { '${process.execPath}' '${join(root, program)}' "$@"; }
      source <(${name} completion bash)
      COMP_WORDS=(${name} comp) COMP_CWORD=1
      $(complete -p ${name} | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
      echo "\${COMPREPLY[@]}"`;
    await ends(runProgram('bash', ['-c', script], { cwd: folder }), 0, { last: 'completion' });
  });
});

test('the packages contain the page of svc', async () => {
  const listed = await runProgram('tar', ['-tzf', join(root, 'packages/server/dist/install/svc-cli.tgz')]);
  expect(listed.out.split('\n')).toContain('package/dist/svc.1');
  expect(JSON.parse(read('packages/cli/package.json'))).toMatchObject({ man: './dist/svc.1' });
});
