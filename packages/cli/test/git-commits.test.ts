import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { folderOf } from './support/folder.ts';
import { ends } from '../../../testing/clients/ends.ts';
import { useAccount } from './support/account.ts';

const { run } = useAccount({ pins: true });
const PERSON = ['-c', 'user.name=Keeper', '-c', 'user.email=keeper@example.org'];

describe.each(['sha1', 'sha256'])('a repository with %s', (format) => {
  let repo: string;
  let etch: any;
  let commit: string;
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', repo, ...PERSON, ...args], { encoding: 'utf8' }).trim();
  const verify = (rev: string, more: string[] = []) =>
    run(['git', 'verify', etch.id, rev, '--repo', repo, ...more]);

  beforeAll(async () => {
    repo = folderOf({
      'a.txt': 'one\n',
      empty: '',
      binary: Buffer.alloc(200_000, 7),
      'dir/ü b.txt': 'two\n',
      'dir/copy': 'one\n',
    });
    git('init', '-q', '-b', 'main', `--object-format=${format}`);
    git('add', '.');
    git('commit', '-q', '-m', 'First\n\nWith a body.');
    commit = git('rev-parse', 'HEAD');
    const made = await ends(run(['git', 'anchor', '--repo', repo, '--json', '--wait']), 0);
    expect(made.err.includes('does not prove the content')).toBe(format === 'sha1');
    etch = JSON.parse(made.out).etch;
  });

  test('anchors the commit object as git prints it, and the list of files', () => {
    const sha256 = (bytes: Buffer) =>
      spawnSync('sha256sum', { input: bytes, encoding: 'utf8' }).stdout.slice(0, 64);
    const object = execFileSync('git', ['-C', repo, 'cat-file', 'commit', commit]);
    const list = ['a.txt', 'binary', 'dir/copy', 'dir/ü b.txt', 'empty']
      .map((name) => `100644 ${sha256(readFileSync(join(repo, name)))} ${name}\0`)
      .join('');
    const tree = git('rev-parse', 'HEAD^{tree}');
    expect(etch.content).toBe(
      `svc-files:v1\n${sha256(object)}  ${commit}.commit\n${sha256(Buffer.from(list))}  ${tree}.tree\n`,
    );
  });

  test('passes for the commit, by any of its names', async () => {
    for (const rev of ['HEAD', 'main', commit.slice(0, 12)]) {
      await ends(verify(rev), 0, {
        out: `commits to commit ${commit} and to its files by SHA-256. This is a development chain`,
      });
    }
  });

  test('names a moved and a rewritten branch', async () => {
    writeFileSync(join(repo, 'a.txt'), 'three\n');
    git('checkout', '-q', '-b', 'next');
    git('commit', '-q', '-a', '-m', 'Second');
    await ends(verify('next'), 1, { out: `next moved on. To check the anchored commit, name ${commit}` });
    git('commit', '-q', '--amend', '-m', 'First, rewritten', '--allow-empty');
    git('checkout', '-q', '--orphan', 'rewritten');
    git('commit', '-q', '-m', 'Another history');
    expect((await verify('rewritten')).out).toContain('rewritten was moved or rewritten');
  });

  test('is not deceived by a replaced object', async () => {
    const second = git('commit-tree', '-m', 'A replacement', 'HEAD^{tree}');
    git('replace', commit, second);
    await ends(verify(commit), 0);
    git('replace', '-d', commit);
  });

  test('fails for an object that has the name and other content', async () => {
    const words = etch.content.replace(/[0-9a-f]{64}(?= {2}\S+\.commit)/, 'ab'.repeat(32));
    const made = await run(['etch', words, '--json', '--wait', '--description', 'As a collision would look']);
    await ends(run(['git', 'verify', JSON.parse(made.out).etch.id, commit, '--repo', repo]), 1, {
      out: 'is a different object than the anchored one, although the name is the same',
    });
  });

  // The rest does not depend on git's hash.
  if (format === 'sha256') return;
  test('rejects a missing object, and runs no command of a hostile repository to fetch it', async () => {
    const copy = join(folderOf({ x: '' }), 'copy');
    execFileSync('git', ['clone', '-q', repo, copy]);
    const blob = git('rev-parse', `${commit}:binary`);
    rmSync(join(copy, '.git/objects', blob.slice(0, 2), blob.slice(2)), { force: true });
    const anchor = ['git', 'anchor', commit, '--repo', copy];
    await ends(run(anchor), 66, { out: '', err: `does not have object ${blob}` });
    const ran = join(copy, 'ran');
    const settings = {
      'core.repositoryformatversion': '1',
      'extensions.partialClone': 'origin',
      'remote.origin.promisor': 'true',
      'remote.origin.url': 'ssh://localhost/none',
      'core.sshCommand': `touch ${ran}; false`,
    };
    for (const [name, value] of Object.entries(settings))
      execFileSync('git', ['-C', copy, 'config', name, value]);
    await ends(run(anchor), 66, { out: '' });
    expect(existsSync(ran)).toBe(false);
  });

  test('says how to complete a partial clone, which then can be anchored', async () => {
    git('config', 'uploadpack.allowFilter', 'true');
    const copy = join(folderOf({ x: '' }), 'copy');
    execFileSync('git', ['clone', '-q', '--no-checkout', '--filter=blob:none', `file://${repo}`, copy]);
    const anchor = ['git', 'anchor', commit, '--repo', copy];
    await ends(run(anchor), 66, {
      err: ['could not fetch', 'a partial clone', 'git fetch --refetch --no-filter'],
    });
    execFileSync('git', ['-C', copy, 'fetch', '-q', '--refetch', '--no-filter']);
    await ends(run(anchor), 0);
  });
});

describe('in a hook, where git names its repository in the environment', () => {
  const repoOf = (text: string) => {
    const folder = folderOf({ a: text });
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', folder, ...PERSON, ...args], { encoding: 'utf8' }).trim();
    git('init', '-q');
    git('add', '.');
    git('commit', '-q', '-m', text);
    return { folder, commit: git('rev-parse', 'HEAD') };
  };
  const anchored = async (...more: string[]) =>
    JSON.parse((await ends(run(['git', 'anchor', '--json', ...more]), 0)).out).commit;
  const [hooked, named] = [repoOf('hooked'), repoOf('named')];
  beforeEach(() => {
    vi.stubEnv('GIT_DIR', join(hooked.folder, '.git'));
    vi.stubEnv('GIT_INDEX_FILE', join(hooked.folder, '.git/index'));
    vi.stubEnv('GIT_OBJECT_DIRECTORY', join(hooked.folder, '.git/objects'));
  });
  afterEach(() => vi.unstubAllEnvs());

  test('--repo names the repository', async () => {
    expect(await anchored('--repo', named.folder)).toBe(named.commit);
    await ends(run(['git', 'anchor', hooked.commit, '--repo', named.folder]), 66, { out: '' });
    // A configuration in the environment names no repository: safe.directory of a CI job, for example.
    vi.stubEnv('GIT_CONFIG_COUNT', '1');
    vi.stubEnv('GIT_CONFIG_KEY_0', 'core.bigFileThreshold');
    vi.stubEnv('GIT_CONFIG_VALUE_0', 'no number');
    await ends(run(['git', 'anchor', '--repo', named.folder]), 66, { err: 'no number' });
  });

  test("without --repo, the hook's repository counts", async () => {
    expect(await anchored()).toBe(hooked.commit);
  });
});

test('rejects what is no repository, no commit, and an etch without a commit', async () => {
  const folder = folderOf({ a: 'one' });
  await ends(run(['git', 'anchor', '--repo', folder]), 66, { err: 'not a git repository' });
  const repo = folderOf({ a: 'one' });
  mkdirSync(join(repo, 'x'));
  execFileSync('git', ['-C', repo, 'init', '-q']);
  for (const rev of ['HEAD', 'nowhere', '--help'])
    await ends(run(['git', 'anchor', '--repo', repo, '--', rev]), 66, { out: '', where: rev });
  execFileSync('git', ['-C', repo, ...PERSON, 'commit', '-q', '--allow-empty', '-m', 'Empty']);
  const made = JSON.parse((await run(['etch', 'A text.', '--description', 'Text', '--json', '--wait'])).out);
  await ends(run(['git', 'verify', made.etch.id, 'HEAD', '--repo', repo]), 1, {
    out: 'FAIL: the etch commits to no Git commit.',
  });
});
