import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { ReaderFor } from '../chain/attestation-reader.ts';
import type { Rpc } from '../chain/client.ts';
import type { Chain } from '../chain/port.ts';
import type { Clock, DatabaseClock } from '../db/clock.ts';
import type { Db } from '../db/db.ts';
import type { AnchoringChain } from '../etches/verify.ts';
import type { Pictures } from '../http/pages/pictures.ts';
import type { GuardedOptions } from '../platform/outgoing/guarded-request.ts';
import type { Keyring } from '../platform/secrets/keyring.ts';
import type { Config } from '../settings/config.ts';
import type { Siblings } from './start/siblings.ts';
import type { Standby } from '../platform/standby/standby.ts';
import type { Traces } from '../platform/traces/traced.ts';
import type { Metrics } from '../vitals/metrics.ts';
import type { ReadinessPart } from '../vitals/readiness.ts';
import type { ReadVitals } from '../vitals/vitals.ts';

export interface ServiceDependencies {
  config: Config;
  baseUrl: string;
  clock: Clock & Pick<DatabaseClock, 'measure'>;
  keyring: Keyring;
  log: Logger;
  db: Db;
  /** If absent, `db` serves both. */
  apart?: {
    search: Db | undefined;
    /** without a statement timeout */
    maintenance: Db | undefined;
  };
  standby?: Standby | undefined;
  chain: {
    port: Chain;
    facts: AnchoringChain;
    reader: ReaderFor;
    rpc: Rpc;
    background: Rpc;
  };
  readiness: readonly ReadinessPart[];
  vitals?: { read: ReadVitals; metrics: Metrics };
  traces?: Traces;
  /** counts shared by several machines */
  redis?: Redis;
  /** other processes of this machine */
  siblings?: Siblings;
  test?: {
    guard?: Partial<GuardedOptions>;
    pictures?: Pictures;
  };
}
