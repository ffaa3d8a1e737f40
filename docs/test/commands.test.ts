import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { read, root, shellBlocks } from '../../testing/repository.ts';

const OPERATING = 'docs/operating/';
const OTLP = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const SUSPEND = 'svc-admin accounts suspend';
const AT_A_SERVICE = 'testing/sessions/at-a-service.ts';
const IN_A_CLONE = 'testing/sessions/in-a-clone.ts';
/** No session pastes these: how they begin, and the test or program that does the same. */
const SHOWN_ELSEWHERE: readonly (readonly [page: string, begins: string, file: string, holds: string])[] = [
  ['README.md', 'npm start ', '.ci/run', 'npm test'],
  ['README.md', './svc trust https://', 'packages/cli/test/verify-file.test.ts', "'--rpc'"],
  ['deploy/README.md', 'echo "release ', 'e2e/release.test.ts', "shellBlocks('deploy/README.md')"],
  ['CONTRIBUTING.md', 'npm start ', '.ci/run', 'npm test'],
  ['CONTRIBUTING.md', 'npm test -- packages', '.ci/run', 'npm test'],
  ['docs/agents.md', '', 'testing/sessions/agents.ts', 'docs/agents.md'],
  [
    `${OPERATING}several-machines.md`,
    'npm run beyond',
    'package.json',
    'e2e/beyond-one-machine.soak.test.ts',
  ],
  [`${OPERATING}several-machines.md`, 'update() ', 'e2e/update.soak.test.ts', 'several-machines.md'],
  [`${OPERATING}uninstall.md`, '', 'e2e/debian.soak.test.ts', 'uninstall.md'],
  ['docs/performance.md', 'npm run bench ', 'e2e/setup/bench.test.ts', 'scripts/bench.mjs'],
  [`${OPERATING}monitoring.md`, `${OTLP}=`, 'e2e/metrics.test.ts', OTLP],
  [`${OPERATING}moderation.md`, `${SUSPEND} `, 'e2e/operating.test.ts', `commandsOf('${SUSPEND}')`],
  ['docs/operating/backup.md', 'svc-admin restore ', 'e2e/admin.test.ts', "'restore', folder, '--erasures'"],
  [
    `${OPERATING}erasure.md`,
    'svc-admin scrub ',
    'packages/server/test/scrub/files.test.ts',
    "'scrub', '--json'",
  ],
  [`${OPERATING}public-chain.md`, '', IN_A_CLONE, "'docs/operating/public-chain.md'"],
  ['docs/operating/proofs.md', 'svc witness ', 'testing/system/witness.ts', "'witness', 'run'"],
  ['docs/operating/set-up.md', 'npm ci && npm run build', '.ci/run', 'npm test'],
  // Only the lines that need a network are skipped.
  ['docs/operating/one-host.md', '', 'e2e/one-host.test.ts', 'docs/operating/one-host.md'],
  ['docs/operating/demo.md', '', 'e2e/demo.test.ts', 'docs/operating/demo.md'],
  ...['forecast', 'disclosure', 'preregistration'].map(
    (name) =>
      [`docs/templates/${name}.md`, 'svc ', 'packages/cli/test/templates.test.ts', `'${name}.md'`] as const,
  ),
  ['docs/hubs.md', '', 'packages/cli/test/hub-docs.test.ts', "shellBlocks('docs/hubs.md')"],
  ['docs/verification.md', './svc evidence ', AT_A_SERVICE, "blocksOf('docs/verification.md')"],
  [
    'docs/webhooks.md',
    'SVC_FORWARD_URL_FILE=',
    'packages/cli/test/webhooks-forward.test.ts',
    "'--to', 'matrix', '--room'",
  ],
  ['docs/which-proof.md', 'svc ', AT_A_SERVICE, "blocksOf('docs/which-proof.md')"],
];

describe('all pages', () => {
  const filesOf = (folder: string): string[] =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => `${folder}/${file}`);
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CHANGELOG.md',
    'deploy/README.md',
    ...filesOf('docs'),
  ];

  test('have their sessions pasted by a test', () => {
    const here = ['at-a-service', 'in-a-clone'].map((name) => read(`testing/sessions/${name}.ts`)).join('');
    const sessions = pages.filter((page) => /^```sh session$/m.test(read(page)));
    expect(sessions.length).toBeGreaterThan(4);
    expect(sessions.filter((page) => !new RegExp(`\\bsession(?:Blocks)?\\('${page}'\\)`).test(here))).toEqual(
      [],
    );
  });

  test('have no commands that nothing runs', () => {
    const unpasted = pages.flatMap((page) =>
      shellBlocks(page)
        .filter(({ pasted }) => !pasted)
        .map(({ text }) => ({ page, text })),
    );
    expect(unpasted.length).toBeGreaterThan(SHOWN_ELSEWHERE.length);
    const unshown = unpasted.filter(
      ({ page, text }) =>
        !SHOWN_ELSEWHERE.some(
          ([on, begins, file, holds]) => on === page && text.startsWith(begins) && read(file).includes(holds),
        ),
    );
    expect(unshown).toEqual([]);
  });

  test('leave no untracked files in a clone when a session is pasted', () => {
    const ignored = read('.gitignore').split('\n');
    const sessions = pages.flatMap((page) =>
      shellBlocks(page).filter(({ pasted }) => pasted || page === 'docs/agents.md'),
    );
    const written = sessions.flatMap(({ text }) =>
      [...text.matchAll(/ (?:--out|--save|>>?) ?([\w-][\w./-]*)(?=[\s|;&]|$)/g)].map(
        ([, file]) => `/${file}`,
      ),
    );
    expect(written).toEqual(expect.arrayContaining(['/receipt.json', '/evidence.json']));
    expect(written.filter((file) => !ignored.includes(file))).toEqual([]);
  });

  test('use an Idempotency-Key for permanent writes, so that pasting again creates nothing twice', () => {
    const byHand = read('packages/server/src/http/llms-shell.ts').replaceAll('\\\\', '\\');
    const commands = [...pages.flatMap((page) => shellBlocks(page).map(({ text }) => text)), byHand]
      .join('\n')
      .replaceAll(/\\\n\s*/g, '')
      .split('\n');
    const making = commands.filter((command) => /\/(?:etches|challenges)" .*-d /.test(command));
    expect(making.length).toBeGreaterThan(2);
    expect(making.filter((command) => !command.includes('Idempotency-Key: '))).toEqual([]);
  });

  test('install no package from a registry under our names', () => {
    const readmes = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/README.md`);
    const documents = [...pages, ...readmes.filter((file) => existsSync(join(root, file)))];
    expect(documents).toContain('packages/cli/README.md');
    const leading = documents.flatMap((page) => {
      const commands = shellBlocks(page).flatMap(({ text }) => text.split('\n'));
      return commands.filter((command) =>
        /\b(?:npx|npm (?:i|install|exec|x)|pnpm dlx|yarn dlx)\b.* (?:svc\b|svc-mcp|@svc\/)/.test(command),
      );
    });
    expect(leading).toEqual([]);
  });

  test('have no broken links', () => {
    const broken = pages.flatMap((page) => {
      const links = read(page).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g);
      return [...links]
        .map(([, target]) => target!)
        .filter((target) => !existsSync(join(root, dirname(page), target)))
        .map((target) => `${page}: ${target}`);
    });
    expect(broken).toEqual([]);
  });

  test('say for each task of an operator what you need, what you see, and what to do otherwise', () => {
    const tasks = filesOf('docs/operating').filter((page) => page !== `${OPERATING}settings.md`);
    expect(tasks.length).toBeGreaterThan(10);
    const lacking = tasks.flatMap((page) =>
      ['You need', 'You see', 'Otherwise']
        .filter((part) => !read(page).replaceAll(/\s+/g, ' ').includes(`**${part}**`))
        .map((part) => `${page}: ${part}`),
    );
    expect(lacking).toEqual([]);
  });

  test('are linked from docs/README.md', () => {
    const index = read('docs/README.md');
    const missing = filesOf('docs').filter(
      (page) => page !== 'docs/README.md' && !page.includes('decisions/'),
    );
    expect(missing.filter((page) => !index.includes(`(${page.slice('docs/'.length)}`))).toEqual([]);
    expect(read('README.md')).toContain('(docs/README.md)');
  });
});
