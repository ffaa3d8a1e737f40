// Runs in the soak only.
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeGetAttestation } from '@svc/verifier';
import { expect, test } from 'vitest';
import { startRpcGate } from '../testing/chain/rpc-gate.ts';
import { audit } from '../testing/ledger/audit.ts';
import { allAnchored } from '../testing/system/settled.ts';
import { Load } from '../testing/system/load.ts';
import { postgresWorld, useGround } from '../testing/system/world.ts';

const ground = useGround();
const CALLS_A_SECOND = 10;
const HAMMERS = 8;

function smallPlan() {
  let [second, used] = [0, 0];
  const count = { answered: 0, refused: 0 };
  const rule = () => {
    const now = Math.floor(performance.now() / 1000);
    if (now !== second) [second, used] = [now, 0];
    if (++used <= CALLS_A_SECOND) return void count.answered++;
    count.refused++;
    return { status: 429, bytes: 'Too Many Requests' };
  };
  return { rule, count };
}

test.concurrent('anchors through an endpoint of ten calls a second while readers overload it', async () => {
  const { postgres, chain } = ground;
  const gate = ground.keep(await startRpcGate(chain.rpcUrl));
  const world = ground.keep(await postgresWorld({ postgres, chain, rpcUrl: gate.url }));
  await world.start();
  const load = new Load({ client: world.client, agents: await world.agents(1) });
  const { id } = await load.etch({ mode: 'instant', reveal_at: null });
  await allAnchored(world, load.wanted);

  const { rule, count } = smallPlan();
  gate.rule = rule;
  let hammering = true;
  const asked = { rpc: 0, verify: 0 };
  const hammer = async (each: number) => {
    for (let turn = 0; hammering; turn++) {
      const uid = `0x${(turn * HAMMERS + each + 1).toString(16).padStart(64, '0')}`;
      const read = { to: chain.contract, data: encodeGetAttestation(uid) };
      const body = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [read, 'latest'] };
      await world.client.call('POST', '/rpc', { body });
      asked.rpc++;
      const verified = await world.client.call('GET', `/api/v1/verify/${id}`);
      expect(verified.status).toBe(200);
      asked.verify++;
      await sleep(1);
    }
  };
  const hammers = Array.from({ length: HAMMERS }, (_, each) => hammer(each));
  for (let round = 0; round < 5; round++) {
    await load.etch();
    if (round === 2) await load.retract(load.wanted[1]!);
    await allAnchored(world, load.wanted);
  }
  hammering = false;
  await Promise.all(hammers);
  gate.rule = undefined;
  expect(count.refused).toBeGreaterThan(0);
  expect(asked.rpc).toBeGreaterThan(count.answered);
  await audit(world, load);
});
