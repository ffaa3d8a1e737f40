import { setTimeout as sleep } from 'node:timers/promises';
import type { Receipt } from '@svc/protocol';
import { overall, rpcChain, verifyReceipt } from '@svc/verifier';
import { expect, test } from 'vitest';
import { allAnchored, audit } from './support/audit.ts';
import { LIES } from './support/lies.ts';
import { Load, type Wanted } from './support/load.ts';
import { rounds } from './support/rounds.ts';
import { startRpcGate } from './support/rpc-gate.ts';
import { postgresWorld, useGround, type World } from './support/world.ts';

// A lying RPC may delay; it never makes a wrong `anchored`, nor anything twice, and verification says `wait`.
const LOOKS = rounds(8, 40);
const ground = useGround();

test.concurrent.each(Object.keys(LIES))('an RPC with %s', async (name) => {
  const { postgres, chain } = ground;
  const gate = ground.keep(await startRpcGate(chain.rpcUrl));
  const world = ground.keep(await postgresWorld({ postgres, chain, rpcUrl: gate.url }));
  await world.start();
  const load = new Load({ client: world.client, agents: await world.agents(1) });
  const known = await load.etch({ mode: 'instant', reveal_at: null });
  await allAnchored(world, load.wanted);

  gate.rule = LIES[name]!();
  for (let look = 0; look < LOOKS; look++) {
    await load.etch();
    if (look === 1) await load.retract(load.wanted.at(-1)!);
    await neverFails(world, known);
    await onlyTruth(world, load.wanted);
    await sleep(300);
  }

  gate.rule = undefined;
  await audit(world, load);
});

/** Of an etch that is anchored the live check says so, or that it cannot know now. */
async function neverFails(world: World, { id }: Wanted): Promise<void> {
  const reply = await world.client.call('GET', `/api/v1/verify/${id}`);
  expect(reply.status, reply.text).toBe(200);
  const verdicts = Object.fromEntries(
    (reply.body.checks as { key: string; verdict: string }[]).map(({ key, verdict }) => [key, verdict]),
  );
  expect(verdicts['words']).toBe('pass');
  expect(verdicts['batch']).toBe('pass');
  expect(['pass', 'wait'], reply.text).toContain(verdicts['chain']);
}

/** Whatever the service calls anchored is so on the true chain. */
async function onlyTruth(world: World, wanted: readonly Wanted[]): Promise<void> {
  await world.withChain(async (chain) => {
    const reader = rpcChain({ urls: [chain.rpcUrl] });
    for (const { id } of wanted) {
      const receipt = (await world.client.call('GET', `/api/v1/etches/${id}/receipt`)).body as Receipt;
      if (receipt.chain.attestation_uid === null) continue;
      const verification = await verifyReceipt(receipt, { ...chain, relayers: [chain.relayer] }, reader);
      // A tombstone that is on its way is nothing wrong.
      const expected = receipt.revocation?.attestation_uid === null ? ['pass', 'wait'] : ['pass'];
      expect(expected, JSON.stringify(verification)).toContain(overall(verification));
    }
  });
}
