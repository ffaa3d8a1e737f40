import { beforeEach, describe, expect, test } from 'vitest';
import { IN_TROUBLE, ON_THE_WAY } from '../../src/anchoring/failpoints.ts';
import type { Anchoring } from '../../src/anchoring/anchoring.ts';
import type { Chain } from '../../src/chain/port.ts';
import { useDatabase } from '../../../../testing/database/test-database.ts';
import { auditLedger } from '../../../../testing/ledger/audit-ledger.ts';
import { drain, expireLease } from '../../../../testing/anchoring/drive.ts';
import { makeEtches, retract, type MadeEtch } from '../../../../testing/anchoring/etches.ts';
import { calmFees, dropBlocks, setNextBaseFee, spendNonce } from '../../../../testing/chain/chain-faults.ts';
import { rounds } from '../../../../testing/rounds.ts';
import { useAnchoring, withChanges } from '../../../../testing/anchoring/ground.ts';

class Died extends Error {}

const DEATHS = rounds(2, 3);

const PLACES = [
  ...ON_THE_WAY.map((name) => ({ name, rough: false })),
  ...IN_TROUBLE.map((name) => ({ name, rough: true })),
];

describe('repeated crashes', () => {
  const ground = useAnchoring();
  const db = useDatabase();
  beforeEach(async () => {
    await calmFees(ground.devnet);
    await expireLease(db);
  });

  test.each(PLACES)('at $name lose nothing and anchor nothing twice', async ({ name, rough }) => {
    let deaths = 0;
    const begin = (): Anchoring =>
      ground.anchoring(db, {
        chain: rough ? unlucky(ground.devnet.chain()) : ground.devnet.chain(),
        rules: { stuckAfterSeconds: 0 },
        failpoint: (reached) => {
          if (reached !== name || deaths >= DEATHS) return;
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
    for (let round = 0; round < DEATHS; round++) {
      const etches = await makeEtches(db, 3);
      await retract(db, retracted);
      retracted = etches.slice(0, 1);
      if (rough) {
        await calmFees(ground.devnet);
        fates = ['thief', 'fee'];
      }
      await finish();
      if (!rough) continue;
      await dropBlocks(ground.devnet, 2);
      await finish();
    }
    expect(deaths).toBe(DEATHS);
    await auditLedger(db, ground.devnet);
  });

  /** Each round's first transaction loses its nonce to a different program; the next one meets a tenfold base fee. */
  function unlucky(chain: Chain): Chain {
    return withChanges(chain, {
      send: async (raw) => {
        const fate = fates.shift();
        if (fate === 'thief') await spendNonce(ground.devnet, ground.devnet.relayerPrivateKey);
        if (fate === 'fee')
          await setNextBaseFee(ground.devnet, (await ground.devnet.head()).baseFeePerGas * 10n);
        return chain.send(raw);
      },
    });
  }
  let fates: ('thief' | 'fee')[] = [];
});
