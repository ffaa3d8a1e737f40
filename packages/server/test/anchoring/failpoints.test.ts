import { beforeEach, describe, expect, test } from 'vitest';
import { FAILPOINTS, type FailpointName } from '../../src/anchoring/failpoints.ts';
import type { Anchoring } from '../../src/anchoring/anchoring.ts';
import type { Chain } from '../../src/chain/port.ts';
import { useDatabase } from '../../../../testing/database/test-database.ts';
import { audit } from '../../../../testing/ledger/anchoring-audit.ts';
import { drain, expireLease } from '../../../../testing/anchoring/drive.ts';
import { makeEtches, retract, type MadeEtch } from '../../../../testing/anchoring/etches.ts';
import {
  baseFee,
  calmFees,
  reorganise,
  setNextBaseFee,
  spendNonce,
  wrap,
} from '../../../../testing/anchoring/mishaps.ts';
import { useWorld } from '../../../../testing/anchoring/world.ts';

class Died extends Error {}

const ROUGH: readonly FailpointName[] = [
  'after-bump-sign',
  'after-bump-store',
  'before-reopen',
  'after-reopen',
  'before-requeue',
  'after-requeue',
];

describe('a process that dies', () => {
  const world = useWorld();
  const db = useDatabase();
  beforeEach(async () => {
    await calmFees(world);
    await expireLease(db);
  });

  test.each(FAILPOINTS)('three times at %s loses nothing and anchors nothing twice', async (name) => {
    const rough = ROUGH.includes(name);
    let deaths = 0;
    const begin = (): Anchoring =>
      world.anchoring(db, {
        chain: rough ? unlucky(world.chain()) : world.chain(),
        rules: { stuckAfterSeconds: 0 },
        failpoint: (reached) => {
          if (reached !== name || deaths >= 3) return;
          deaths++;
          throw new Died();
        },
      });
    let anchoring = begin();
    const finish = async (): Promise<void> => {
      for (;;) {
        try {
          await drain(anchoring, db);
          return;
        } catch (error) {
          if (!(error instanceof Died)) throw error;
          await expireLease(db);
          anchoring = begin();
        }
      }
    };
    let retracted: MadeEtch[] = [];
    for (let round = 0; round < 3; round++) {
      const etches = await makeEtches(db, 3);
      await retract(db, retracted);
      retracted = etches.slice(0, 1);
      if (rough) {
        await calmFees(world);
        fates = ['thief', 'fee'];
      }
      await finish();
      if (!rough) continue;
      await reorganise(world, 2);
      await finish();
    }
    expect(deaths).toBe(3);
    await audit(world, db, 0);
  });

  /** Each round's first transaction loses its nonce to a thief; the next one meets a base fee that has risen tenfold. */
  function unlucky(chain: Chain): Chain {
    return wrap(chain, {
      send: async (raw) => {
        const fate = fates.shift();
        if (fate === 'thief') await spendNonce(chain);
        if (fate === 'fee') await setNextBaseFee(world, (await baseFee(world)) * 10n);
        return chain.send(raw);
      },
    });
  }
  let fates: ('thief' | 'fee')[] = [];
});
