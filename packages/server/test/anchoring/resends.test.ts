import sql from 'sql-template-tag';
import { type Hex, keccak256 } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import * as testing from '../../../../testing/anchoring/index.ts';
import { type Rule, startRpcGate } from '../../../../testing/chain/rpc-gate.ts';
import type { Tick } from '../../src/anchoring/tick.ts';

const { drain, killAt, makeEtches, retract } = testing;
const ground = testing.useAnchoring({ perTest: true });
const db = testing.useDatabase({ perTest: true });

const POLL_SECONDS = 1;

/** The loop of a service, without its pauses, for so many ticks. */
async function runTicks(most: number, options: Parameters<typeof ground.anchoring>[1]) {
  const stop = new AbortController();
  const ticks: Tick[] = [];
  const pauses: number[] = [];
  const ticked = (tick: Tick): void => {
    if (ticks.push(tick) === most) stop.abort();
  };
  const rest = async (milliseconds: number): Promise<void> => void pauses.push(milliseconds);
  const anchoring = ground.anchoring(db, { ...options, ticked });
  await anchoring.run(stop.signal, { intervalSeconds: 0, pollSeconds: POLL_SECONDS, rest });
  return { anchoring, ticks, pauses };
}

/** Accepts transactions, and never shows one. */
const swallow: Rule = ({ method, params: [first] }) => {
  if (method === 'eth_sendRawTransaction') return { result: keccak256(first as Hex) };
  return method.startsWith('eth_getTransaction') && method !== 'eth_getTransactionCount'
    ? { result: null }
    : undefined;
};

test('a node that accepts a transaction and does not show it gets fewer and fewer copies', async () => {
  const gate = await startRpcGate(ground.devnet.rpcUrl, { rule: swallow });
  onTestFinished(() => gate.stop());
  const chain = ground.devnet.chain({ urls: [gate.url], minesOnDemand: false });
  const sends = () => gate.asked.filter((method) => method === 'eth_sendRawTransaction').length;
  await makeEtches(db, 1, { createdAt: new Date(0).toISOString() });
  const { anchoring, pauses } = await runTicks(70, { chain });
  // The first copy, then after 1, 2, 4 … 64 looks in a row.
  expect(sends()).toBe(1 + 7);
  const atOnce = pauses.filter((pause) => pause < POLL_SECONDS * 1000);
  expect(atOnce.length, 'ticks without a pause').toBeLessThanOrEqual(2);
  gate.rule = undefined;
  await drain(anchoring, db);
  expect(await ground.audit(db)).toEqual({ attestations: 1 });
});

test('adopts the forgotten form of a revocation, which has the payload of the stored one', async () => {
  const rules = { scheme: 'single' } as const;
  const etches = await makeEtches(db, 1);
  await ground.drain(db, { rules });
  await retract(db, etches);
  // Staged before the backup; signed, sent and mined after it.
  const killer = killAt('after-stage', 1);
  await killer.survive(() => ground.anchoring(db, { rules, failpoint: killer.failpoint }).tick(), false);
  const goBack = await testing.remember(db);
  await ground.drain(db, { rules });
  await goBack();
  expect(await db.value(sql`select count(*) from anchor_tx where state = 'STAGED'`)).toBe(1);
  const anchoring = ground.anchoring(db, { rules });
  const ticks: Tick[] = [];
  for (let tick = 0; tick < 12; tick++) ticks.push(await anchoring.tick());
  expect(ticks.at(-1)).toMatchObject({ open: 0, progressed: false });
  await ground.audit(db);
});
