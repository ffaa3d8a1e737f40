import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { ReaderFor } from '../chain/cached-reader.ts';
import type { Rpc } from '../chain/client.ts';
import type { Chain } from '../chain/port.ts';
import type { Clock, DatabaseClock } from '../db/clock.ts';
import type { Db } from '../db/db.ts';
import type { AnchoringChain } from '../etches/verify.ts';
import type { Pictures } from '../http/pages/pictures.ts';
import type { GuardedOptions } from '../outgoing/guarded-request.ts';
import type { Keyring } from '../secrets/keyring.ts';
import type { Config } from '../settings/config.ts';
import type { Siblings } from '../start/siblings.ts';
import type { Standby } from '../standby/standby.ts';
import type { Traces } from '../traces/traces.ts';
import type { Metrics } from '../vitals/metrics.ts';
import type { ReadinessPart } from '../vitals/readiness.ts';
import type { ReadVitals } from '../vitals/vitals.ts';

/** The settings, clock, keys, log, database and chain, opened before the modules are connected. */
export interface ServiceDependencies {
  config: Config;
  /** the public origin */
  baseUrl: string;
  clock: Clock & Pick<DatabaseClock, 'measure'>;
  keyring: Keyring;
  log: Logger;
  db: Db;
  /** separate connection pools; where one is undefined, `db` is used */
  apart?: {
    /** for searches only */
    search: Db | undefined;
    /** without a statement timeout */
    maintenance: Db | undefined;
  };
  /** read replica for lists, used while it is fresh enough */
  standby?: Standby | undefined;
  chain: {
    port: Chain;
    facts: AnchoringChain;
    /** attestations, for verifying */
    reader: ReaderFor;
    /** for requests of readers */
    rpc: Rpc;
    /** for background work, which no request waits for */
    background: Rpc;
  };
  readiness: readonly ReadinessPart[];
  /** for /metrics and /status */
  vitals?: { read: ReadVitals; metrics: Metrics };
  traces?: Traces;
  /** counts requests together with processes on other machines */
  redis?: Redis;
  /** the other processes on this machine */
  siblings?: Siblings;
  /** options for tests, in addition to the settings */
  test?: {
    /** trusted hosts and timeouts of requests to other hosts */
    guard?: Partial<GuardedOptions>;
    /** draws preview pictures */
    pictures?: Pictures;
  };
}
