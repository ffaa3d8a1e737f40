// Runs in the soak only.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Receipt } from '@svc/protocol';
import { overall, rpcChain, verifyReceipt } from '@svc/verifier';
import { expect, test } from 'vitest';
import { audit } from '../testing/ledger/audit.ts';
import { allAnchored } from '../testing/system/settled.ts';
import { LIES } from '../testing/chain/lies.ts';
import { Load, type Wanted } from '../testing/system/load.ts';
import { rounds } from '../testing/rounds.ts';
import { startRpcGate } from '../testing/chain/rpc-gate.ts';
import { postgresWorld, useGround, type World } from '../testing/system/world.ts';

const LOOKS = rounds(6, 40);
const ground = useGround();

/** One service meets several lies in turn, each on the state that the last one left. */
const AT_ONE_SERVICE = 4;
const told = Object.keys(LIES);
const groups = Array.from({ length: Math.ceil(told.length / AT_ONE_SERVICE) }, (_, at) =>
  told.filter((_name, place) => place % Math.ceil(told.length / AT_ONE_SERVICE) === at),
);

test.concurrent.each(groups.map((names) => [names.join(', then with '), names] as const))(
  'an RPC with %s',
  async (_, names) => {
    const { postgres, chain } = ground;
    const gate = ground.keep(await startRpcGate(chain.rpcUrl));
    const world = ground.keep(await postgresWorld({ postgres, chain, rpcUrl: gate.url }));
    await world.start();
    const load = new Load({ client: world.client, agents: await world.agents(1) });
    const known = await load.etch({ mode: 'instant', reveal_at: null });
    for (const name of names) {
      await allAnchored(world, load.wanted);
      const before = load.wanted.length;
      gate.rule = LIES[name]!();
      for (let look = 0; look < LOOKS; look++) {
        await load.etch();
        if (look === 1) await load.retract(load.wanted.at(-1)!);
        await neverFails(world, known, name);
        await onlyTruth(world, [known, ...load.wanted.slice(before)], name);
        await sleep(300);
      }
      gate.rule = undefined;
    }
    await audit(world, load);
  },
);

async function neverFails(world: World, { id }: Wanted, lie: string): Promise<void> {
  const reply = await world.client.call('GET', `/api/v1/verify/${id}`);
  expect(reply.status, `${lie}: ${reply.text}`).toBe(200);
  const verdicts = Object.fromEntries(
    (reply.body.checks as { key: string; verdict: string }[]).map(({ key, verdict }) => [key, verdict]),
  );
  expect(verdicts['words'], lie).toBe('pass');
  expect(verdicts['batch'], lie).toBe('pass');
  expect(['pass', 'wait'], `${lie}: ${reply.text}`).toContain(verdicts['chain']);
}

async function onlyTruth(world: World, wanted: readonly Wanted[], lie: string): Promise<void> {
  await world.withChain(async (chain) => {
    const reader = rpcChain({ urls: [chain.rpcUrl] });
    for (const { id } of wanted) {
      const receipt = (await world.client.call('GET', `/api/v1/etches/${id}/receipt`)).body as Receipt;
      if (receipt.chain.attestation_uid === null) continue;
      const verification = await verifyReceipt(receipt, { ...chain, relayers: [chain.relayer] }, reader);
      const expected = receipt.revocation?.attestation_uid === null ? ['pass', 'wait'] : ['pass'];
      expect(expected, `${lie}: ${JSON.stringify(verification)}`).toContain(overall(verification));
    }
  });
}
