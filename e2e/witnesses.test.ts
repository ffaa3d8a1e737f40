// Runs in the soak only.
import { readFileSync, writeFileSync } from 'node:fs';
import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  encodeBase64,
  foldHashes,
  parseCheckpoint,
  proveConsistency,
  type ReadSubtree,
} from '@svc/protocol/tlog';
import { expect, test } from 'vitest';
import { freshHome, svc } from '../testing/clients/svc.ts';
import { newFolder } from '../testing/machine/folder.ts';
import { svcAdmin } from '../testing/system/svc-admin.ts';
import { makeTestWitness, type TestWitness } from '../testing/system/witness.ts';
import { embeddedWorld, useGround, type World } from '../testing/system/world.ts';
import { eventually } from '../testing/wait.ts';
import { ends } from '../testing/clients/ends.ts';

// Each operator runs a service and a witness, which watches the other's log. Cheaper tests:
// packages/server/test/proofs/log/tree-log.test.ts, packages/cli/test/witness.test.ts and verify-log.test.ts.
const ground = useGround({ postgres: false, chain: false });

interface Operator {
  world: World;
  witness: TestWitness;
  /** names the cosigners of this service's log */
  settings: { WITNESS_POLICY: string };
  /** of a reader: the log too */
  policy: string;
  home: string;
}

async function operators(): Promise<[Operator, Operator]> {
  const folder = newFolder('policies');
  const made = await Promise.all(
    ['one', 'two'].map(async (name) => {
      const witness = await makeTestWitness(`${name}.example`);
      ground.keep({ stop: () => witness.stop('SIGKILL') });
      const world = ground.keep(await embeddedWorld());
      await world.start();
      return { name, witness, world, home: freshHome() };
    }),
  );
  return (await Promise.all(
    made.map(async ({ name, world, witness, home }, at) => {
      const { witness: cosigner } = made[1 - at]!;
      const { log } = (await world.client.call('GET', '/.well-known/svc.json')).body;
      // A witness reads its list of logs when it starts, and the service looks for its witnesses when it starts.
      cosigner.watch(log.keys[0]);
      await cosigner.start();
      const lines = `witness other ${cosigner.key} ${cosigner.url}\nquorum other\n`;
      const settings = { WITNESS_POLICY: join(folder, name) };
      writeFileSync(settings.WITNESS_POLICY, lines);
      const policy = join(folder, `${name}-for-readers`);
      writeFileSync(policy, `log ${log.keys[0]}\n${lines}`);
      await world.service.stop();
      await world.start(settings);
      return { world, witness, settings, policy, home };
    }),
  )) as [Operator, Operator];
}

const run = async ({ world, home }: Operator, ...args: string[]): Promise<string> => {
  const ran = await ends(svc(args, { home, env: { SVC_BASE_URL: world.url } }), 0);
  return ran.out;
};
const etch = async (operator: Operator, text: string): Promise<string> =>
  JSON.parse(await run(operator, 'etch', text, '--description', 'Text', '--wait', '--json')).etch.id;

const checkpointOf = async ({ world }: Operator) =>
  parseCheckpoint((await world.client.call('GET', '/log/checkpoint')).text);

async function witnessed(operator: Operator, text: string): Promise<[receipt: string, proof: string]> {
  const id = await etch(operator, text);
  const files = ['receipt', 'proof'].map((name) => join(operator.home, `${id}-${name}`)) as [string, string];
  await run(operator, 'receipt', id, '--out', files[0]);
  const { size } = await checkpointOf(operator);
  await eventually('the witness cosigned', async () => {
    const checkpoint = await checkpointOf(operator);
    return checkpoint.size >= size && checkpoint.signatures.length === 2;
  });
  await run(operator, 'verify', id, '--require', 'log', '--policy', operator.policy);
  await run(operator, 'receipt', id, '--tlog-proof', files[1]);
  return files;
}
const verified = ({ policy, home }: Operator, [receipt, proof]: [string, string]) =>
  svc(['verify', receipt, '--require', 'log', '--policy', policy, '--tlog-proof', proof, '--offline'], {
    home,
    network: false,
  });

let both: [Operator, Operator];
test('two operators vouch for each other', async () => {
  both = await operators();
  for (const operator of both) await run(operator, 'register');
  const early = await Promise.all(both.map((operator) => witnessed(operator, 'Seen by the other one.')));
  await Promise.all(both.map(({ world }) => world.service.stop()));
  for (const [at, operator] of both.entries()) {
    await ends(verified(operator, early[at]!), 0, {
      out: 'The witnesses that your policy requires had seen its tree by',
    });
  }
  expect((await verified(both[1], early[0]!)).status, 'by the policy of another log').toBe(1);
});

test('a forked copy gets no cosignature', async () => {
  const [one, two] = both;
  const backup = join(newFolder('backup'), 'data');
  await cp(one.world.settings['DATA_DIR']!, backup, { recursive: true });
  await one.world.start(one.settings);
  const late = await witnessed(one, 'It came after the backup.');
  const seen = await checkpointOf(one);
  await one.world.service.stop();
  expect(await verified(one, late)).toMatchObject({ status: 0 });

  // The forked copy has as many leaves as the witness saw, and others.
  const fork = await one.world.start({ ...one.settings, DATA_DIR: backup });
  await etch(one, 'Another history.');
  await eventually(
    'it sees that it is a fork',
    () => fork.output().includes('differs from what a witness saw'),
    {
      seconds: 240,
    },
  );
  expect((await checkpointOf(one)).size).toBeLessThan(seen.size);
  const doctor = await svcAdmin({ ...one.world.settings, DATA_DIR: backup }, 'doctor', '--json');
  expect(doctor.json.checks).toContainEqual(
    expect.objectContaining({
      name: 'witnesses',
      status: 'fail',
      detail: expect.stringContaining('it differs'),
    }),
  );
  await fork.stop();

  // Without the policy, the copy signs nothing either.
  const unwitnessed = await one.world.start({ DATA_DIR: backup });
  await etch(one, 'It goes on.');
  await eventually('it says so', () => unwitnessed.output().includes('it differs from the checkpoint'), {
    seconds: 240,
  });
  expect((await checkpointOf(one)).size).toBeLessThan(seen.size);
  await unwitnessed.stop();

  // A dishonest operator removes the file, and names a witness that saw nothing.
  const third = await makeTestWitness('third.example');
  ground.keep({ stop: () => third.stop('SIGKILL') });
  third.watch(readFileSync(one.policy, 'utf8').split(/\s/)[1]!);
  await third.start();
  const policy = join(newFolder('policy'), 'policy');
  writeFileSync(policy, `witness third ${third.key} ${third.url}\nquorum third\n`);
  for (const file of await readdir(backup)) if (file.startsWith('checkpoint-')) await rm(join(backup, file));
  await one.world.start({ DATA_DIR: backup, WITNESS_POLICY: policy });
  const forged = await eventually('it signs', async () => {
    const checkpoint = await checkpointOf(one);
    return checkpoint.size > seen.size && checkpoint;
  });
  expect(forged.signatures.map(({ name }) => name)).toEqual([forged.origin, 'third.example']);
  const tile = await fetch(`${one.world.url}/log/tile/0/000.p/${forged.size}`);
  const hashes = Buffer.from(await tile.arrayBuffer());
  const read: ReadSubtree = async (height, index) =>
    foldHashes(
      Array.from({ length: 2 ** height }, (_, at) =>
        hashes.subarray(32 * (index * 2 ** height + at), 32 * (index * 2 ** height + at + 1)),
      ),
    );
  const note = (await one.world.client.call('GET', '/log/checkpoint')).text;
  for (const old of [0, seen.size - 1, seen.size, forged.size]) {
    const proof = await proveConsistency(old, forged.size, read);
    const body = `old ${old}\n${proof.map((hash) => `${encodeBase64(hash)}\n`).join('')}\n${note}`;
    const answer = await fetch(`${two.witness.url}/add-checkpoint`, { method: 'POST', body });
    expect(answer.status).toBe(old === seen.size ? 422 : 409);
  }
});
