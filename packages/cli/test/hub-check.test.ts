import { readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ends } from '../../../testing/clients/ends.ts';
import { freshHome } from '../../../testing/clients/svc.ts';
import { decide } from '../src/hub/check.ts';
import { printRows } from '../src/hub/print-rows.ts';
import { askAuthority, readCertificates } from '@svc/timestamp';
import { encodeAttestationData, hexToBytes, type Receipt } from '@svc/protocol';
import { startAuthority } from '../../../testing/authority/authority.ts';
import { makeCertificates } from '../../../testing/authority/certificates.ts';
import { earliest } from '../src/verify/checked-etch.ts';
import { useAccount } from './support/account.ts';
import { svcHere } from './support/svc-here.ts';
import { folderOf } from './support/folder.ts';
import { admin, csv, fileOf, gitIn, GOOD, hubOf, NEXT, PAST, ROUND, tasks } from './support/hub.ts';

const { service, home, run, json } = useAccount({ pins: true });
const MODEL = 'weir-ar';
const FILE = fileOf(MODEL);
const RECORD = `.svc/${ROUND}/${MODEL}.json`;

/** The commands of another home folder. */
function useHome() {
  const home = freshHome();
  return (args: string[]) => svcHere(args, { home, env: { SVC_BASE_URL: service.url } });
}

/** Rows of the command, whatever its exit status. */
async function check(root: string, ...more: string[]) {
  const { out, status, err } = await run(['hub', 'check', root, '--json', '--record', 'none', ...more]);
  expect(out, err).not.toBe('');
  return { status, ...JSON.parse(out) };
}

/** The data of the attestation, which the authority stamps. */
const stampedData = ({ inclusion }: Receipt) =>
  encodeAttestationData({
    root: hexToBytes(inclusion!.root),
    kind: 0,
    treeVersion: inclusion!.tree_version,
    treeSize: inclusion!.tree_size,
  });

describe('svc hub check', () => {
  let hub: ReturnType<typeof hubOf>;
  const late = fileOf(MODEL, PAST);
  beforeAll(async () => {
    hub = hubOf({ [FILE]: csv(GOOD), [late]: csv(GOOD, PAST), [fileOf('flood-x')]: csv(GOOD) });
    await ends(run(['hub', 'submit', hub.at(FILE), '--wait']), 0);
    await ends(run(['hub', 'submit', hub.at(late), '--wait']), 0);
  });

  test('names on time, late by how much, never committed, and missing rounds', async () => {
    const { status, result, files, models } = await check(hub.root);
    expect([status, result]).toEqual([1, 'fail']);
    expect(files.map(({ round, model, state }: any) => [round, model, state])).toEqual([
      [PAST, MODEL, 'late'],
      [ROUND, 'flood-x', 'never committed'],
      [ROUND, MODEL, 'on time'],
    ]);
    expect(files[0].detail).toMatch(/^by 1[567] d/);
    expect(files[2]).toMatchObject({
      result: 'pass',
      proof: 'attestation',
      time: expect.stringMatching(/Z$/),
    });
    expect(models).toMatchObject([
      { model: 'flood-x', accounts: [], missing: [], files: 1, on_time: 0 },
      { model: MODEL, files: 2, on_time: 1, missing: [] },
    ]);
    const copy = hubOf(
      Object.fromEntries(
        [PAST, NEXT]
          .map((round) => [fileOf(MODEL, round), csv(GOOD, round)])
          .concat([[fileOf('flood-x'), csv(GOOD)]]),
      ),
    );
    for (const more of [[], ['--model', MODEL], ['--model', MODEL, '--round', ROUND]]) {
      const { models } = await check(copy.root, ...more);
      expect(models.find(({ model }: any) => model === MODEL)?.missing ?? [ROUND]).toEqual([ROUND]);
    }
    expect((await check(copy.root, '--model', MODEL, '--round', PAST)).models[0].missing).toEqual([]);
  });

  test('identifies the account by its id: a name in the record may be forged', async () => {
    const forged = readFileSync(hub.at(RECORD), 'utf8');
    const { user_id: id, username } = JSON.parse(forged).submissions[0].receipt.author;
    const copy = hubOf({ [FILE]: csv(GOOD), [RECORD]: forged.replaceAll(`"${username}"`, '"flood_team"') });
    const { files, models } = await check(copy.root);
    expect(files).toMatchObject([{ state: 'on time', account: id, username: 'flood_team' }]);
    expect(models).toMatchObject([{ accounts: [id], usernames: ['flood_team'] }]);
  });

  test('counts rounds by their number, and prints the newest first in Markdown', async () => {
    const ids = ['round_9', 'round_10'];
    const [round] = tasks().rounds;
    const rounds = ids.map((id) => ({ ...round, round_id: id, round_id_from_variable: false }));
    const files = ids.map((id) => [fileOf(MODEL, id), '']).concat([[fileOf('flood-x', ids[0]), '']]);
    const copy = hubOf(Object.fromEntries(files), { tasks: { rounds } });
    const { files: rows, models } = await check(copy.root);
    expect(rows.map((row: any) => row.round)).toEqual([ids[0], ids[0], ids[1]]);
    expect(models[0]).toMatchObject({ model: 'flood-x', missing: [ids[1]] });
    const { out } = await run(['hub', 'check', copy.root, '--record', 'none', '--format', 'markdown']);
    expect(out.indexOf('| `round_10` |')).toBeLessThan(out.indexOf('| `round_9` |'));
  });

  test('passes for one model and round, with an audited record, and prints CSV and Markdown', async () => {
    const one = ['hub', 'check', hub.root, '--model', MODEL, '--round', ROUND];
    await ends(run(one), 0, {
      out: [
        'on time',
        'whole, by audit',
        'PASS: every checked file was on time, and every checked record is whole.',
        'development chain',
      ],
    });
    const table = (await run([...one, '--format', 'csv'])).out.trim().split('\n');
    expect(table).toHaveLength(2);
    expect(table[0]).toMatch(/^round,model,file,state/);
    expect((await run([...one, '--format', 'markdown'])).out).toContain(`| \`${ROUND}\` | \`${MODEL}\` |`);
    await ends(run([...one, '--record', 'none']), 0, {
      out: 'PASS: every checked file was on time; no record was checked.',
      without: 'is whole',
    });
  });

  test('keeps the state of the index for each service', async () => {
    await run(['hub', 'check', hub.root, '--round', ROUND, '--model', MODEL, '--record', 'index']);
    const { host } = new URL(service.url);
    const states = readdirSync(join(home, 'svc')).filter((name) => name.includes('.index-'));
    expect(states).toEqual([expect.stringContaining(`hub-${host.replace(':', '_')}.index-`)]);
  });

  test('needs no account, and waits without trust', async () => {
    const ran = await svcHere(
      ['hub', 'check', hub.root, '--round', ROUND, '--model', MODEL, '--record', 'none'],
      {
        home: freshHome(),
        env: { SVC_BASE_URL: service.url },
      },
    );
    await ends(Promise.resolve(ran), 2, { out: ['on time', 'svc trust', 'WAIT'] });
  });

  test('finds a submission that the hub does not list', async () => {
    const copy = hubOf({ [FILE]: csv([...GOOD].reverse()) }, {});
    const { submission } = await json(['hub', 'submit', copy.at(FILE), '--wait']);
    const { out } = await run(['hub', 'check', hub.root, '--model', MODEL, '--json']);
    const [model] = JSON.parse(out).models;
    expect(model).toMatchObject({ result: 'fail', record: expect.stringContaining(submission.etch) });
    const record = async (round: string) => {
      const found = await run(['hub', 'check', hub.root, '--model', MODEL, '--round', round, '--json']);
      return JSON.parse(found.out).models[0].record;
    };
    expect(await record(ROUND)).toContain(submission.etch);
    expect(await record(PAST)).toBe('whole, by audit');
    await run(['retract', submission.etch, '--yes']);
  });

  test('counts etches whose words are not public, and waits for sealed ones', async () => {
    const own = useHome();
    await ends(own(['register']), 0);
    await ends(own(['trust', service.url]), 0);
    const copy = hubOf({ [FILE]: csv(GOOD) });
    await ends(own(['hub', 'submit', copy.at(FILE), '--wait']), 0);
    const others = [2, 3].map((rows) =>
      hubOf({ [FILE]: csv([...GOOD.slice(rows), ...GOOD.slice(0, rows)]) }),
    );
    const etches: string[] = [];
    for (const { at } of others) {
      const { out } = await own(['hub', 'submit', at(FILE), '--sealed', '--wait', '--json']);
      etches.push(JSON.parse(out).submission.etch);
    }
    const record = async () => {
      const { out } = await own(['hub', 'check', copy.root, '--model', MODEL, '--json']);
      return JSON.parse(out).models[0];
    };
    await ends(own(['retract', etches[0]!, '--yes']), 0);
    expect(await record()).toMatchObject({
      result: 'wait',
      record: 'whole, by audit; 1 retracted, 1 sealed: their words are not public',
    });
    await ends(own(['retract', etches[1]!, '--yes']), 0);
    expect(await record()).toMatchObject({
      result: 'pass',
      record: 'whole, by audit; 2 retracted: their words are not public',
    });
  });

  test('names a changed file, a receipt of another file, a renamed team, and a damaged record', async () => {
    const states = async (change: (copy: ReturnType<typeof hubOf>) => void) => {
      const copy = hubOf({ [FILE]: csv(GOOD), [RECORD]: readFileSync(hub.at(RECORD)) });
      change(copy);
      const { files, status } = await check(copy.root);
      expect(status).toBe(1);
      return files.map(({ state, detail }: any) => `${state}: ${detail}`).join('\n');
    };
    expect(await states((copy) => copy.put(FILE, csv([...GOOD].reverse())))).toContain(
      'changed: the file is not',
    );
    const lateRecord = JSON.parse(readFileSync(hub.at(`.svc/${PAST}/${MODEL}.json`), 'utf8'));
    const withOther = (change: (entry: any, other: any) => void) => (copy: ReturnType<typeof hubOf>) => {
      const record = JSON.parse(readFileSync(copy.at(RECORD), 'utf8'));
      change(record.submissions[0], lateRecord.submissions[0]);
      writeFileSync(copy.at(RECORD), JSON.stringify(record));
    };
    expect(
      await states(withOther((entry, { etch, receipt }) => Object.assign(entry, { etch, receipt }))),
    ).toContain(`not proven: the receipt is of another file: the etch is of round ${PAST}`);
    expect(await states(withOther((entry, { receipt }) => Object.assign(entry, { receipt })))).toContain(
      'the receipt is of etch',
    );
    expect(await states(withOther((entry) => (entry.receipt.canonical_string += ' ')))).toContain(
      'not proven: ',
    );
    const renamed = await states((copy) => {
      copy.put(fileOf('flood-x'), '');
      renameSync(copy.at(FILE), copy.at(fileOf('flood-x')));
      rmSync(dirname(copy.at(FILE)), { recursive: true });
    });
    expect(renamed).toContain('never committed');
    expect(renamed).toContain('file missing: ');
    expect(renamed).toContain('a renamed team keeps its earlier files under the earlier name');
    expect(await states((copy) => copy.put(RECORD, '{}'))).toContain('unreadable: ');
    expect(await states((copy) => copy.put(RECORD, JSON.stringify(lateRecord)))).toContain(
      `is of the round "${PAST}", not of "${ROUND}": delete this copy, and run svc hub submit for the file`,
    );
    const unknown = { etch: '00000000-0000-4000-8000-000000000000', receipt: null };
    expect(await states(withOther((entry) => Object.assign(entry, unknown)))).toMatch(
      /not proven: .* answers status 404/,
    );
  });

  test('names a window that was rewritten, by both windows', async () => {
    const due = { submissions_due: { relative_to: 'reference_date', start: -30, end: -20 } };
    const copy = hubOf({ [FILE]: csv(GOOD), [RECORD]: readFileSync(hub.at(RECORD)) }, { tasks: tasks(due) });
    const { files } = await check(copy.root);
    expect(files).toMatchObject([
      {
        state: 'late',
        detail: expect.stringMatching(/tasks\.json was rewritten: .* by which the file is on time/),
      },
    ]);
  });

  test('names a file that was changed after the deadline', async () => {
    const copy = hubOf({ [FILE]: csv(GOOD), [RECORD]: readFileSync(hub.at(RECORD)) });
    copy.put(FILE, csv([...GOOD].reverse()));
    await ends(run(['hub', 'submit', copy.at(FILE), '--wait']), 0);
    const [first, second] = JSON.parse(readFileSync(copy.at(RECORD), 'utf8')).submissions;
    expect((await check(copy.root)).files).toMatchObject([{ state: 'on time', etch: second.etch }]);
    copy.put(FILE, csv(GOOD));
    expect((await check(copy.root)).files).toMatchObject([{ state: 'changed', etch: first.etch }]);
    await run(['retract', second.etch, '--yes']);
  });

  test('takes the earliest proven time, and names its proof', async () => {
    const times = (...given: [string, string | null][]) =>
      earliest(given.map(([proof, time]) => ({ proof, time })))?.proof;
    expect(times(['attestation', '2026-01-03T00:00:01.000Z'], ['log', '2026-01-03T00:00:00Z'])).toBe('log');
    expect(times(['attestation', null], ['log', null])).toBeUndefined();

    const certificates = await makeCertificates();
    const authority = await startAuthority(certificates);
    const record = JSON.parse(readFileSync(hub.at(RECORD), 'utf8'));
    const [entry] = record.submissions;
    const trusted = readCertificates(certificates.root);
    const asked = { trusted, now: Date.now, timeoutMs: 20_000 };
    const { token } = await askAuthority(authority.url, stampedData(entry.receipt), asked);
    await authority.stop();
    const proof = `0x${Buffer.from(token).toString('hex')}`;
    const witnesses = [{ of: 'commitment', kind: 'rfc3161', proof }];
    const parts = { commitment: null, tombstone: null, witnesses, wait: 'its block is not proven' };
    entry.receipt = { _format: 'svc-evidence:v1', receipt: entry.receipt, ...parts };
    const pem = join(freshHome(), 'authority.pem');
    writeFileSync(pem, certificates.root);
    const copy = hubOf({ [FILE]: csv(GOOD), [RECORD]: JSON.stringify(record) });

    const both = await check(copy.root, '--tsa-certificates', pem);
    expect(both.files).toMatchObject([{ state: 'on time', result: 'pass', proof: 'attestation' }]);
    const away = ['--rpc', 'http://127.0.0.1:9', '--tsa-certificates', pem];
    const alone = await check(copy.root, ...away);
    expect(alone.files).toMatchObject([{ state: 'on time', result: 'wait', proof: 'time stamp' }]);
    expect(Date.parse(alone.files[0].time)).toBeGreaterThan(Date.parse(both.files[0].time) - 60_000);
    witnesses[0]!.proof = `${proof.slice(0, -2)}00`;
    copy.put(RECORD, JSON.stringify(record));
    expect((await check(copy.root, '--tsa-certificates', pem)).files).toMatchObject([
      { state: 'not proven' },
    ]);
  });

  test('tells a late change from a late file', () => {
    const words = { opens: '2026-01-01T00:00:00Z', closes: '2026-01-03T23:59:59Z' };
    const entry = (time: string) => ({
      result: 'pass',
      time,
      words,
      etch: time,
      author: { user_id: 'a' },
      detail: '',
    });
    const states = (...times: string[]) => {
      const { state, detail } = decide(times.map(entry) as never, times.length - 1, words);
      return [state, detail];
    };
    const [early, inTime, after] = ['2025-12-31T23:00:00Z', '2026-01-03T00:00:00Z', '2026-01-04T01:01:01Z'];
    expect(states(inTime, after)).toEqual(['changed after the deadline', 'by 1 h 1 min']);
    expect(states(after)).toEqual(['late', 'by 1 h 1 min']);
    expect(states(early, inTime)).toEqual(['on time', '']);
    expect(states(early)).toEqual(['early', '1 h before the window']);
  });

  test('waits for the account of an earlier etch that cannot be read now', () => {
    const words = { opens: '2026-01-01T00:00:00Z', closes: '2026-01-03T23:59:59Z' };
    const author = { user_id: 'a', username: 'a' };
    const last = { result: 'pass', time: words.opens, words, etch: '2', author, detail: '' };
    const earlier = { ...last, result: 'wait', time: null, words: null, etch: '1', author: null };
    const decided = (...more: object[]) => decide([...more, last] as never, more.length, words);
    expect(decided({ ...earlier, detail: 'the etch is sealed' })).toMatchObject({
      state: 'pending',
      result: 'wait',
      detail: 'the account of etch 1 is not known: the etch is sealed',
    });
    expect(decided({ ...earlier, result: 'fail' })).toMatchObject({ state: 'not proven', result: 'fail' });
    const other = { ...last, etch: '0', author: { user_id: 'b', username: 'b' } };
    expect(decided(other, earlier)).toMatchObject({ detail: 'its etches are by different accounts' });
    const late = { ...last, time: '2026-01-04T00:00:59Z' };
    expect(decide([earlier, late] as never, 1, words)).toMatchObject({ state: 'late', result: 'fail' });
  });

  test('does not pass when there is no file to check', async () => {
    const empty = hubOf({});
    const elsewhere = hubOf({ [FILE]: csv(GOOD) }, { admin: admin({ model_output_dir: 'outputs' }) });
    const free = (root: string, ...more: string[]) => svcHere(['hub', 'check', root, ...more]);
    for (const { root } of [empty, elsewhere])
      await ends(free(root), 2, { last: /^WAIT: nothing was checked: .*, the model_output_dir of/ });
    const filled = hubOf({ [FILE]: csv(GOOD), [fileOf('flood-x', PAST)]: csv(GOOD, PAST) });
    await ends(free(filled.root, '--round', NEXT), 2, {
      last: 'WAIT: nothing was checked: no file in model-output matches --round, --model or --changed-since.',
    });
    await ends(free(filled.root, '--round', PAST, '--model', MODEL), 2, { last: /^WAIT: nothing/ });
    await ends(free(filled.root, '--round', 'typo'), 64, {
      err: `--round typo: the hub has ${[PAST, ROUND, NEXT].join(', ')}`,
    });
    await ends(free(filled.root, '--model', 'typo'), 64, {
      err: '--model typo: the hub has flood-x, weir-ar',
    });
    const target = empty.put('target.csv', 'location,oracle_value\nUS,6\n');
    await ends(svcHere(['hub', 'score', empty.root, '--target', target]), 2, { out: '0 files proven' });
  });

  describe('with --changed-since', () => {
    const repoOf = (more: Record<string, string> = {}) => {
      const copy = hubOf({
        [FILE]: csv(GOOD),
        [RECORD]: readFileSync(hub.at(RECORD), 'utf8'),
        [late]: csv(GOOD, PAST),
        [`.svc/${PAST}/${MODEL}.json`]: readFileSync(hub.at(`.svc/${PAST}/${MODEL}.json`), 'utf8'),
        [fileOf('flood-x')]: csv(GOOD),
        ...more,
      });
      const repo = gitIn(copy.root);
      return { ...copy, ...repo, base: repo.commit() };
    };
    const states = async ({ root, base }: ReturnType<typeof repoOf>, ...more: string[]) => {
      const { files, status } = await check(root, '--changed-since', base, ...more);
      return [status, ...files.map(({ file, state }: any) => `${file} ${state}`)];
    };

    test('checks files that changed, committed or not, and files whose record changed', async () => {
      const copy = repoOf();
      expect(await states(copy)).toEqual([2]);
      copy.put('notes.txt', 'text');
      copy.commit();
      expect(await states(copy)).toEqual([2]);
      copy.put(fileOf('flood-y'), csv(GOOD));
      expect(await states(copy)).toEqual([1, `${fileOf('flood-y')} never committed`]);
      copy.put(`.svc/${PAST}/${MODEL}.json`, '{}');
      copy.commit();
      const both = [`${late} unreadable`, `${fileOf('flood-y')} never committed`];
      expect(await states(copy)).toEqual([1, ...both]);
      expect(await states(copy, '--round', PAST)).toEqual([1, both[0]]);
      expect(await states({ ...copy, base: 'main' })).toEqual([2]);
    });

    test('names a removed file, by its record and in a note', async () => {
      const copy = repoOf();
      rmSync(copy.at(FILE));
      rmSync(copy.at(fileOf('flood-x')));
      copy.commit();
      expect(await states(copy)).toEqual([1, `${FILE} file missing`]);
      const { notes } = await check(copy.root, '--changed-since', copy.base);
      expect(notes).toEqual([{ words: 'the change removes files', names: [fileOf('flood-x'), FILE] }]);
    });

    test('does not miss etches of rounds that did not change in the record', async () => {
      const copy = repoOf();
      copy.put(late, `${csv(GOOD, PAST)}\n`);
      const base = copy.commit();
      copy.put(late, csv(GOOD, PAST));
      const { files, models } = await check(copy.root, '--record', 'audit', '--changed-since', base);
      expect(files).toMatchObject([{ file: late, state: 'late' }]);
      expect(models).toMatchObject([{ files: 1, record: expect.stringMatching(/^whole, by audit/) }]);
    });

    test('finds an etch whose file and record the change removes', async () => {
      const copy = repoOf();
      copy.put(late, `${csv(GOOD, PAST)}\n`);
      const base = copy.commit();
      const [{ etch }] = JSON.parse(readFileSync(copy.at(RECORD), 'utf8')).submissions;
      for (const name of [FILE, RECORD]) rmSync(copy.at(name));
      copy.put(late, csv(GOOD, PAST));
      const { models } = await check(copy.root, '--record', 'audit', '--changed-since', base);
      const record = `not whole: the hub does not list etch ${etch} of round ${ROUND}`;
      expect(models).toMatchObject([{ files: 1, record, result: 'fail' }]);
    });

    test('waits for a review if the change removes files or changes how they are checked', async () => {
      const copy = repoOf({ [FILE]: '' });
      const since = ['hub', 'check', copy.root, '--record', 'none', '--changed-since', copy.base];
      copy.put(FILE, csv(GOOD));
      await ends(run(since), 0, { last: /^PASS: every checked file was on time; no record was checked\./ });
      const last = /^WAIT: every checked claim holds, under a change that needs a review/;
      rmSync(copy.at(fileOf('flood-x')));
      await ends(run(since), 2, { last });
      copy.git('checkout', '-q', fileOf('flood-x'));
      copy.put('hub-config/tasks.json', JSON.stringify(tasks({ more: 1 })));
      await ends(run(since), 2, { last });
      expect(await check(copy.root, '--changed-since', copy.base)).toMatchObject({ result: 'wait' });
    });

    test('rejects symbolic links, which would hide a later change', async () => {
      const copy = repoOf();
      const record = readFileSync(copy.at(RECORD));
      copy.put(`other/${ROUND}-weir-x.csv`, csv(GOOD));
      symlinkSync('../other', copy.at('model-output/weir-x'));
      copy.put(`other/${MODEL}.json`, record);
      rmSync(dirname(copy.at(RECORD)), { recursive: true });
      symlinkSync('../other', dirname(copy.at(RECORD)));
      copy.commit();
      const { status, files } = await check(copy.root, '--changed-since', copy.base);
      expect(status).toBe(1);
      const unreadable = files.filter(({ state }: any) => state === 'unreadable');
      expect(unreadable.map(({ file, detail }: any) => [file, detail])).toEqual(
        [
          [FILE, RECORD],
          [fileOf('weir-x'), fileOf('weir-x')],
        ].map(([file, link]) => [
          file,
          `${link} is a symbolic link, or in a linked folder; svc hub accepts only files`,
        ]),
      );
      const linked = run(['hub', 'submit', copy.at(fileOf('weir-x'))]);
      await ends(linked, 66, { err: 'is a symbolic link' });
    });

    test('compares with the last common commit, from a hub in a folder of the repository', async () => {
      const top = folderOf({});
      const files = { [FILE]: '', [fileOf('flood-x')]: '' };
      const root = join(top, 'hub');
      renameSync(hubOf(files).root, root);
      const repo = gitIn(top);
      repo.git('config', 'diff.relative', 'true');
      repo.commit();
      repo.git('checkout', '-q', '-b', 'round');
      writeFileSync(join(root, FILE), csv(GOOD));
      repo.commit();
      repo.git('checkout', '-q', 'main');
      writeFileSync(join(root, fileOf('flood-x')), csv(GOOD));
      repo.commit();
      repo.git('checkout', '-q', 'round');
      const { files: rows } = await check(root, '--changed-since', 'main');
      expect(rows.map(({ file }: any) => file)).toEqual([FILE]);
      repo.git('checkout', '-q', '--orphan', 'other');
      repo.commit();
      await ends(run(['hub', 'check', root, '--changed-since', 'main']), 64, {
        err: '--changed-since main: git merge-base: exit status 1. Name a commit',
      });
    });

    test('names at most six files in a warning', async () => {
      const copy = repoOf();
      for (let at = 10; at < 20; at++) copy.put(`hub-config/${at}.json`, '{}');
      copy.put(FILE, csv([...GOOD].reverse()));
      copy.commit();
      const { out } = await run([
        'hub',
        'check',
        copy.root,
        '--format',
        'markdown',
        '--changed-since',
        copy.base,
      ]);
      expect(out).toMatch(/\nCareful: .*: 10, the last `hub-config\/14.json`, .*, `hub-config\/19.json`\n/);
    });

    test('warns of changed certificates, and of trust and configuration behind a link', async () => {
      const copy = repoOf({ 'authority.pem': 'a', 'files/svc.json': '{}' });
      symlinkSync('files/svc.json', copy.at('svc.json'));
      renameSync(copy.at('hub-config/tasks.json'), copy.at('files/tasks.json'));
      symlinkSync('../files/tasks.json', copy.at('hub-config/tasks.json'));
      const base = copy.commit();
      copy.put('authority.pem', 'b');
      copy.put('files/tasks.json', JSON.stringify(tasks({ more: 1 })));
      copy.put('svc.json', await (await fetch(`${service.url}/.well-known/svc.json`)).text());
      rmSync(copy.at(fileOf('flood-x')));
      symlinkSync('none', copy.at(fileOf('flood-x')));
      const given = ['--tsa-certificates', copy.at('authority.pem'), '--trust', copy.at('svc.json')];
      const { notes } = await check(copy.root, '--changed-since', base, ...given);
      expect(notes.flatMap(({ names }: any) => names)).toEqual([
        'authority.pem',
        'files/svc.json',
        'files/tasks.json',
      ]);
    });

    test('warns of a changed configuration, and of changed trust', async () => {
      const copy = repoOf({ 'svc.json': '{}' });
      copy.put('hub-config/tasks.json', JSON.stringify(tasks({ more: 1 })));
      const pins = await (await fetch(`${service.url}/.well-known/svc.json`)).text();
      copy.put('svc.json', pins);
      copy.put(FILE, csv([...GOOD].reverse()));
      copy.commit();
      const one = ['hub', 'check', copy.root, '--record', 'none', '--changed-since', copy.base];
      const markdown = await run([...one, '--trust', copy.at('svc.json'), '--format', 'markdown']);
      const words = 'the change includes the configuration or the trust by which its files are checked';
      expect(markdown.out).toContain(`\n\nCareful: ${words}: \`hub-config/tasks.json\`, \`svc.json\`\n\n|`);
      await ends(run(one), 1, { err: `Careful: ${words}: hub-config/tasks.json\n` });
    });

    test('rejects what Git does not know', async () => {
      const { root } = repoOf();
      for (const [revision, err] of [
        ['unknown', '--changed-since unknown: git rev-parse: fatal: Needed a single revision. Name a commit'],
        ['--output=x', '--changed-since --output=x: a commit, branch or tag of Git does not begin with -'],
      ] as const)
        await ends(run(['hub', 'check', root, `--changed-since=${revision}`]), 64, { err });
      const since = ['hub', 'check', hub.root, '--changed-since', 'HEAD'];
      await ends(run(since), 64, { err: 'not a git repository' });
    });
  });

  test('prints Markdown in which GitHub links nothing', () => {
    const cells = ['www.evil.com', 'https://evil.com', 'x@evil.com', '@team', '#1', '](x)`|\\|<b>'];
    const lines = printRows('markdown', ['model'], [...cells.map((model) => ({ model })), { model: '' }]);
    expect(lines.slice(2, -1)).toEqual(
      [...cells.slice(0, -1), "](x)'///<b>"].map((cell) => `| \`${cell}\` |`),
    );
    expect(lines.at(-1)).toBe('|  |');
  });

  test('prints a line for each file, also for a misplaced or misnamed one', async () => {
    const wrong = [
      `model-output/${ROUND}-${MODEL}.csv`,
      `model-output/${MODEL}/notes.csv`,
      `model-output/${MODEL}/${ROUND}-${MODEL}.CSV`,
      `model-output/${MODEL}/${PAST}-${MODEL}.parquet`,
      `model-output/weir/${ROUND}-weir.csv`,
      `model-output/weir/ar/${ROUND}-weir-ar.csv.gz`,
    ];
    const copy = hubOf(
      {
        [FILE]: csv(GOOD),
        [RECORD]: readFileSync(hub.at(RECORD)),
        ...Object.fromEntries(wrong.map((name) => [name, 'x'])),
        [`${fileOf('flood-x')}/folder`]: 'x',
        [RECORD.replace(MODEL, 'flood-x')]: readFileSync(hub.at(RECORD), 'utf8').replaceAll(MODEL, 'flood-x'),
        [`${RECORD.replace(MODEL, 'flood-y')}/folder`]: 'x',
        [fileOf('flood-y')]: csv(GOOD),
      },
      { admin: admin({ file_format: ['csv'] }) },
    );
    const { status, files, models } = await check(copy.root);
    expect(status).toBe(1);
    const states = Object.fromEntries(files.map(({ file, state, detail }: any) => [file, [state, detail]]));
    expect(states).toEqual({
      [FILE]: ['on time', ''],
      ...Object.fromEntries(
        wrong.map((name) => [
          name,
          [
            'unreadable',
            expect.stringContaining(
              name.endsWith('parquet') ? 'the hub accepts csv' : `${name} is not named`,
            ),
          ],
        ]),
      ),
      [fileOf('flood-x')]: ['unreadable', expect.stringContaining('EISDIR')],
      [fileOf('flood-y')]: ['unreadable', expect.stringContaining('EISDIR')],
    });
    expect(models.map(({ model, missing }: any) => [model, missing])).toEqual([
      ['', []],
      ['flood-x', []],
      ['flood-y', []],
      ['weir', []],
      [MODEL, []],
    ]);
    const { files: some } = await check(copy.root, '--round', ROUND, '--model', MODEL);
    expect(some.map(({ file }: any) => file)).toEqual([wrong[2], FILE]);
  });

  test('prints the lines of the files when the records cannot be read', async () => {
    const args = ['hub', 'check', hub.root, '--json', '--base-url', 'http://127.0.0.1:9'];
    const { out, status } = await run([...args, '--round', ROUND, '--model', MODEL]);
    expect(status).toBe(2);
    expect(JSON.parse(out)).toMatchObject({
      files: [{ state: 'on time' }],
      models: [
        { result: 'wait', record: expect.stringMatching(/^not proven whole, by audit: .*127\.0\.0\.1/) },
      ],
    });
  });

  test('keeps the records of a hub whose name was corrected, with a note', async () => {
    const files = { [FILE]: csv(GOOD), [RECORD]: readFileSync(hub.at(RECORD)) };
    const copy = hubOf(files, { admin: admin({ repository: { url: 'https://github.com/weirs/hub.git' } }) });
    const { status, files: rows } = await check(copy.root);
    expect(status).toBe(0);
    expect(rows).toMatchObject([{ state: 'on time', detail: 'etched for hub weirs/weir-hub' }]);
    copy.put(FILE, csv([...GOOD].reverse()));
    await ends(run(['hub', 'submit', copy.at(FILE)]), 66, {
      err: 'is of the hub "weirs/weir-hub", not of "weirs/hub": after a rename, a round that has records keeps the earlier name',
    });
    const { submission } = await json(['hub', 'submit', copy.put(fileOf('weir-b'), csv(GOOD))]);
    expect(submission.content).toContain('hub=weirs/hub ');
    await run(['retract', submission.etch, '--yes']);
  });

  test('rejects a folder that is no hub', async () => {
    await ends(run(['hub', 'check', '/tmp']), 66, { err: 'is not in a checkout of a hub' });
  });
});
