import type { Logger } from 'pino';
import { type Anchoring, createAnchoring, type Failpoint } from '../anchoring/index.ts';
import { createNonceHolder } from '../chain/own-transaction.ts';
import { observeChain } from '../chain/observed.ts';
import type { Db } from '../db/db.ts';
import { decryptHidden } from '../etches/hidden-fields.ts';
import type { Keyring } from '../platform/secrets/keyring.ts';
import type { Config } from '../settings/config.ts';
import type { ChainInUse } from './start/chain.ts';
import type { Metrics } from '../vitals/metrics.ts';
import { witnessKinds } from '../proofs/witnesses/timestamps.ts';

export function openAnchoring({
  config,
  db,
  keyring,
  chain,
  metrics: { notes },
  log,
  failpoint,
}: {
  config: Config;
  db: Db;
  keyring: Keyring;
  chain: ChainInUse;
  metrics: Pick<Metrics, 'notes'>;
  log: Logger;
  failpoint: Failpoint | undefined;
}): Anchoring {
  return createAnchoring({
    db,
    chain: observeChain(chain.chain, (question, outcome) => notes.chainCall(question, outcome)),
    ticked: ({ reopened }) => notes.reopened(reopened),
    log: log.child({ room: 'anchoring' }),
    devnet: chain.devnet !== undefined,
    nonceHolder: createNonceHolder(chain.client.anchoring, chain.chain.relayer),
    rules: { scheme: config.chain.scheme, maxFeePerGas: chain.chain.maxFeePerGas },
    partsOf: (row) => {
      const { content, salt } = decryptHidden(keyring, row.id, row.sealed);
      return { content, salt: salt.toString('hex') };
    },
    witnesses: witnessKinds(config),
    ...(failpoint && { failpoint }),
  });
}
