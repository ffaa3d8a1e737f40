import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Receipt } from '@svc/protocol';
import { expect, inject, test } from 'vitest';
import { buildGoVerifier, HAS_GO } from '../testing/clients/go-verifier.ts';
import { serveSavedChain } from '../testing/chain/saved-chain.ts';
import { allAnchored, fetchReceipts } from '../testing/system/settled.ts';
import { newFolder } from '../testing/machine/folder.ts';
import { runProgram } from '../testing/machine/program.ts';
import { AT_FULL_COUNT } from '../testing/rounds.ts';
import { Load } from '../testing/system/load.ts';
import { eventually } from '../testing/wait.ts';
import { embeddedWorld, useGround } from '../testing/system/world.ts';

// packages/verifier/test/second-language.test.ts checks that the programs agree on every vector.
const ground = useGround({ postgres: false, chain: false });
const root = join(import.meta.dirname, '..');
const PYTHON = spawnSync('python3', ['--version']).status === 0;

/** Each returns 0 pass, 1 fail, 2 wait. */
function checkers(rpcUrl: string, chain: Receipt['chain']): Record<string, (file: string) => string[]> {
  const { relayer, attestation_contract: contract, schema_uid: schema, chain_id: id } = chain;
  const pins = [`relayer=${relayer}`, `contract=${contract}`, `schema=${schema}`, `chain=${id}`];
  return {
    'svc verify': (file) => [
      process.execPath,
      inject('svcProgram'),
      'verify',
      file,
      '--rpc',
      rpcUrl,
      '--relayer',
      relayer,
      '--chain-id',
      String(chain.chain_id),
      '--contract',
      chain.attestation_contract,
      '--schema',
      chain.schema_uid,
    ],
    'the script for Node': (file) => [
      process.execPath,
      join(root, 'docs/verify_receipt.mjs'),
      file,
      rpcUrl,
      ...pins,
    ],
    ...(HAS_GO && {
      'svc-verify in Go': (file: string) => {
        const trust = writeTrust({ ...chain, relayers: [relayer] });
        return [buildGoVerifier(), '-rpc', rpcUrl, '-trust', trust, file];
      },
    }),
    ...(PYTHON && {
      'the script in Python': (file: string) => [
        'python3',
        join(root, 'docs/verify_receipt.py'),
        file,
        rpcUrl,
        ...pins,
      ],
    }),
  };
}

test('svc verify and the verifiers in other languages agree, with the service stopped', async () => {
  const world = ground.keep(await embeddedWorld());
  await world.start();
  const load = new Load({ client: world.client, agents: await world.agents(3) });
  const sealed = { mode: 'delayed', reveal_at: new Date(Date.now() + 3_600_000).toISOString() };
  for (const size of AT_FULL_COUNT ? [1, 2, 3, 7, 16] : [2, 7]) {
    const some = await Promise.all(
      Array.from({ length: size }, (_, at) =>
        load.etch(at === 1 ? sealed : { mode: 'instant', reveal_at: null }),
      ),
    );
    if (size === 7) await load.retract(some[0]!);
    await eventually('they are sealed', async () => {
      const reply = await world.client.call('GET', `/api/v1/etches/${some.at(-1)!.id}`);
      return reply.body.etch.chain.status === 'anchored';
    });
  }
  const pending = await receiptOfPending(load, world.client);
  await allAnchored(world, load.wanted);
  const receipts = await fetchReceipts(world.client, load.wanted);
  const metadata = receipts[0]!.chain;
  await world.service.stop();

  const chain = await serveSavedChain(world.settings['DATA_DIR']!);
  try {
    const folder = newFolder('receipts');
    for (const [name, command] of Object.entries(checkers(chain.rpcUrl, metadata))) {
      const each: Record<string, number | null> = {};
      const expected: Record<string, number> = {};
      for (const [what, receipt] of Object.entries(cases(receipts, pending))) {
        if (!AT_FULL_COUNT && !BY_ALL.includes(what)) continue;
        const file = join(folder, `${Object.keys(each).length}.json`);
        writeFileSync(file, JSON.stringify(receipt));
        const [program, ...args] = command(file);
        const env = { ...process.env, HOME: folder };
        each[what] = (await runProgram(program!, args, { env })).status;
        expected[what] = what.startsWith('good') ? 0 : what.startsWith('pending') ? 2 : 1;
      }
      expect(each, name).toEqual(expected);
      expect(Object.values(each), name).toEqual(expect.arrayContaining([0, 1, 2]));
    }
  } finally {
    await chain.stop();
  }
  if (!PYTHON) console.warn('python3 is not here: its twin for Node was run in its place');
  expect(existsSync(join(root, 'docs/verify_receipt.py'))).toBe(true);
});

const BY_ALL = ['good 0', 'good, retracted', 'pending', 'another text', 'another attestation'];

function writeTrust(chain: object): string {
  const file = join(newFolder('trust'), 'svc.json');
  writeFileSync(file, JSON.stringify({ chain }));
  return file;
}

async function receiptOfPending(load: Load, client: Parameters<typeof fetchReceipts>[0]): Promise<Receipt> {
  for (;;) {
    const wanted = await load.etch({ mode: 'instant', reveal_at: null });
    const [receipt] = await fetchReceipts(client, [wanted]);
    if (receipt!.inclusion === null) return receipt!;
  }
}

function cases(receipts: readonly Receipt[], pending: Receipt): Record<string, unknown> {
  const some = receipts.filter((_, at) => at % (AT_FULL_COUNT ? 8 : 16) === 0);
  const retracted = receipts.find(({ status }) => status === 'retracted')!;
  const sealed = receipts.find(({ status }) => status === 'sealed')!;
  const open = receipts.find(
    ({ status, inclusion }) => status === 'revealed' && inclusion!.proof.length > 0,
  )!;
  const elsewhere = receipts.find(
    ({ chain }) => chain.attestation_uid !== open.chain.attestation_uid && chain.attestation_uid !== null,
  )!;
  const flip = (hex: string): string => (hex.startsWith('0') ? '1' : '0') + hex.slice(1);
  return {
    ...Object.fromEntries(some.map((receipt, at) => [`good ${at}`, receipt])),
    'good, retracted': retracted,
    'good, sealed': sealed,
    pending: pending,
    'another text': { ...open, canonical_string: `${open.canonical_string}.` },
    'another hash': { ...open, hash: flip(open.hash) },
    'another proof': { ...open, inclusion: { ...open.inclusion, proof: open.inclusion!.proof.map(flip) } },
    'another author': { ...open, author: { ...open.author, user_id: retracted.etch_id } },
    'another relayer': { ...open, chain: { ...open.chain, relayer: `0x${'12'.repeat(20)}` } },
    'another attestation': {
      ...open,
      chain: { ...open.chain, attestation_uid: elsewhere.chain.attestation_uid },
    },
  };
}
