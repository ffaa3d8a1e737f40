import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { type FailpointName, RETRY_PATH, NORMAL_PATH } from '../../src/anchoring/failpoints.ts';
import type { Anchoring, AnchoringOptions } from '../../src/anchoring/anchoring.ts';
import * as testing from '../../../../testing/anchoring/index.ts';
import type { MadeEtch } from '../../../../testing/anchoring/etches.ts';
import { calmFees, dropBlocks, setNextBaseFee } from '../../../../testing/chain/chain-faults.ts';
import { AT_FULL_COUNT, rounds } from '../../../../testing/rounds.ts';

const { drain, killAt, makeEtches, remember, retract, spendNonce, withChanges } = testing;
const ground = testing.useAnchoring({ perTest: true });
const { devnet } = ground;

const db = testing.useDatabase({ perTest: true });

describe('a crash while chain and ledger disagree', () => {
  const some = <T>(...names: readonly T[]) => (AT_FULL_COUNT ? names : names.slice(0, 1));

  const halted = async () => (await db.query(sql`select 1 from anchor_tx where state = 'HALTED'`)).length;

  function mortal(name: FailpointName, options: Partial<Omit<AnchoringOptions, 'rules'>> = {}) {
    const killer = killAt(name);
    const begin = (): Anchoring => ground.anchoring(db, { ...options, failpoint: killer.failpoint });
    let living = begin();
    const step = async (work: (anchoring: Anchoring) => Promise<unknown>): Promise<void> => {
      if (!(await killer.survive(() => work(living), false))) living = begin();
    };
    return { killer, step };
  }

  /** @param isRobbed whether another program takes the nonce of this transaction */
  const thieving = (isRobbed: () => boolean) => {
    const real = devnet.chain();
    const send = async (raw: `0x${string}`) => {
      if (isRobbed()) await spendNonce(devnet, devnet.relayerPrivateKey);
      return real.send(raw);
    };
    return { nonceHolder: async () => null, chain: withChanges(real, { send }) };
  };

  test.each(some('before-halt' as const, 'after-halt' as const))(
    '%s: halts once and continues when the node shows the transaction',
    async (name) => {
      let steals = false;
      const stealOnce = (): boolean => {
        const isStolen = steals;
        steals = false;
        return isStolen;
      };
      const { killer, step } = mortal(name, thieving(stealOnce));
      for (let round = 0; killer.deaths < 2 && round < 2; round++) {
        await makeEtches(db, 2);
        steals = true;
        for (let look = 0; look < 100 && (await halted()) <= round; look++)
          await step((anchoring) => anchoring.tick());
        expect(await halted()).toBe(round + 1);
      }
      expect(killer.deaths).toBe(2);
      await ground.drain(db);
      await ground.audit(db);
    },
  );

  test('does not halt a transaction without the lease', async () => {
    let sent = 0;
    const late = ground.anchoring(db, {
      ...thieving(() => sent++ === 0),
      failpoint: async (name) => {
        if (name === 'before-halt')
          await db.query(sql`update lease set holder = 'two', expires_at = now() + interval '1 minute'`);
      },
    });
    await makeEtches(db, 2);
    const leads = async () => (await db.query(sql`select 1 from lease where holder = 'one'`)).length === 1;
    await late.tick();
    for (let look = 0; look < 100 && (await leads()); look++) await late.tick().catch(() => undefined);
    expect(await leads()).toBe(false);
    expect(await halted()).toBe(0);
    await ground.drain(db, { holder: 'two' });
    await ground.audit(db);
  });

  test.each(some('before-adopt' as const, 'after-adopt' as const))(
    '%s: adopts a forgotten transaction once',
    async (name) => {
      const { killer, step } = mortal(name);
      await makeEtches(db, 1);
      await ground.drain(db);
      let attestations = 1;
      for (let round = 0; round < 2 && killer.deaths < 2; round++) {
        await makeEtches(db, 3);
        const goBack = await remember(db);
        await ground.drain(db);
        attestations++;
        await goBack();
        for (let look = 0; look < 10; look++) await step((anchoring) => anchoring.tick());
        await step((anchoring) => drain(anchoring, db));
      }
      expect(killer.deaths).toBe(2);
      await ground.drain(db);
      expect(await ground.audit(db)).toEqual({ attestations });
    },
  );

  test.each(some('before-fill' as const, 'after-fill' as const))(
    '%s: fills a nonce gap once',
    async (name) => {
      const real = devnet.chain();
      let high = 3;
      const chain = withChanges(real, { minedNonce: async () => (await real.minedNonce()) + high });
      const { killer, step } = mortal(name, { chain });
      for (let round = 0; killer.deaths < 2 && round < 2; round++) {
        high = 3;
        await makeEtches(db, 2);
        await step((anchoring) => anchoring.tick());
        high = 0;
        for (let look = 0; look < 100; look++) await step((anchoring) => anchoring.tick());
      }
      expect(killer.deaths).toBe(2);
      await ground.drain(db);
      const fills = await db.query(sql`select 1 from anchor_tx where action = 'fill' and state = 'FINAL'`);
      expect(fills.length % 3).toBe(0);
      expect(fills.length).toBeGreaterThan(0);
      await ground.audit(db);
    },
  );
});

describe('repeated crashes', () => {
  const DEATHS = rounds(2, 3);
  // One for each state that the next process finds.
  const USUAL = `after-stage after-store after-send-before-mark before-mined before-final
    after-bump-store before-reopen after-requeue`.split(/\s+/);
  const PLACES = [
    ...NORMAL_PATH.map((name) => ({ name, rough: false })),
    ...RETRY_PATH.map((name) => ({ name, rough: true })),
  ].filter(({ name }) => AT_FULL_COUNT || USUAL.includes(name));

  test.each(PLACES)('at $name lose nothing and anchor nothing twice', async ({ name, rough }) => {
    const killer = killAt(name, DEATHS);
    const real = devnet.chain();
    // Each round's first transaction loses its nonce to another program; the next one meets a tenfold base fee.
    let fates: ('thief' | 'fee')[] = [];
    const chain = withChanges(real, {
      send: async (raw) => {
        const fate = fates.shift();
        if (fate === 'thief') await spendNonce(devnet, devnet.relayerPrivateKey);
        if (fate === 'fee') await setNextBaseFee(devnet, (await devnet.head()).baseFeePerGas * 10n);
        return real.send(raw);
      },
    });
    const options = { chain, rules: { stuckAfterSeconds: 0 }, failpoint: killer.failpoint };
    const finish = () => killer.survive(() => ground.drain(db, options));
    await calmFees(devnet);
    let retracted: MadeEtch[] = [];
    for (let round = 0; round < DEATHS; round++) {
      const etches = await makeEtches(db, 3);
      await retract(db, retracted);
      retracted = etches.slice(0, 1);
      if (rough) await calmFees(devnet);
      if (rough) fates = ['thief', 'fee'];
      await finish();
      if (!rough) continue;
      await dropBlocks(devnet, 2);
      await finish();
    }
    expect(killer.deaths).toBe(DEATHS);
    await ground.audit(db);
  });
});
