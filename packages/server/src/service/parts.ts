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

/** What the service is made of, as it is opened before it is put together. */
export interface Parts {
  config: Config;
  /** the public origin */
  baseUrl: string;
  clock: Clock & Pick<DatabaseClock, 'measure'>;
  keyring: Keyring;
  log: Logger;
  db: Db;
  /** connections apart from `db`; what there is none for shares it */
  apart?: {
    /** where searches read, apart from what writes */
    search: Db | undefined;
    /** without a statement timeout */
    maintenance: Db | undefined;
  };
  /** where lists are read while it can answer for the primary */
  standby?: Standby | undefined;
  chain: {
    port: Chain;
    facts: AnchoringChain;
    /** attestations, for verifying */
    reader: ReaderFor;
    /** readers' way to ask the chain */
    rpc: Rpc;
    /** the way of what nobody waits for */
    background: Rpc;
  };
  readiness: readonly ReadinessPart[];
  /** for /metrics and /status */
  vitals?: { read: ReadVitals; metrics: Metrics };
  traces?: Traces;
  /** counts requests together with processes of other machines */
  redis?: Redis;
  /** the processes beside this one on its machine */
  siblings?: Siblings;
  /** beyond the settings, for tests */
  test?: {
    /** what requests to others' hosts trust and wait for */
    guard?: Partial<GuardedOptions>;
    /** what draws preview pictures */
    pictures?: Pictures;
  };
}
