// What routes and pages may use.
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { SocialSync } from '../accounts/people-store.ts';
import type { EtchCreator } from '../acts/create.ts';
import type { Rpc } from '../chain/client.ts';
import type { Clock } from '../db/clock.ts';
import type { Db } from '../db/db.ts';
import type { Beacons } from '../etches/beacons/beacons.ts';
import type { OpeningDependencies } from '../etches/opening.ts';
import type { Promises } from '../etches/promise.ts';
import type { EtchReader } from '../etches/store.ts';
import type { AnchoringChain, EtchVerifier } from '../etches/verify.ts';
import type { ViewContext } from '../etches/view.ts';
import type { Authenticator } from '../identity/authenticate.ts';
import type { EmbeddedIssuer } from '../identity/embedded/issuer.ts';
import type { WebSignIn } from '../identity/web-session/open.ts';
import type { GuardedOptions } from '../platform/outgoing/guarded-request.ts';
import type { Keyring } from '../platform/secrets/keyring.ts';
import type { Standby } from '../platform/standby/standby.ts';
import type { EvidenceDependencies } from '../proofs/evidence/answer.ts';
import type { ReadMaps } from '../proofs/account-index/read-maps.ts';
import type { TreeLog } from '../proofs/log/tree-log.ts';
import type { LastAudit } from '../records/audit-store.ts';
import type { ScoreContext } from '../records/scores/score.ts';
import type { Config } from '../settings/config.ts';
import type { Pictures } from './pages/pictures.ts';
import { type ChainReads, type Meters, whoOf } from './rate-limits.ts';
import type { SearchDependencies } from '../discovery/search-db.ts';

/** The dependencies of routes and pages. `service/assemble.ts` makes them. */
export interface HttpDependencies {
  config: Config;
  baseUrl: string;
  db: Db;
  clock: Clock;
  keyring: Keyring;
  log: FastifyBaseLogger;
  view: ViewContext;
  standby?: Standby | undefined;
  chain: { facts: AnchoringChain; rpc: Rpc };
  chainReads: ChainReads;
  etches: {
    reader: EtchReader;
    creator: EtchCreator;
    verifier: EtchVerifier;
    promises: Promises;
    treeLog: TreeLog;
    indexMaps: ReadMaps;
  };
  evidence: EvidenceDependencies;
  lastAudit: LastAudit;
  openings: OpeningDependencies;
  beacons: Beacons;
  discovery: SearchDependencies;
  identity: {
    authenticator: Authenticator;
    embedded: EmbeddedIssuer | undefined;
    social: SocialSync;
    web: WebSignIn;
    program: ProgramSignIn | null;
  };
  keyUses: { note(keyId: string): void };
  guard: GuardedOptions;
  meters: Meters;
  pictures: Pictures;
}

/** How installed programs sign people in. Without it they cannot. */
export interface ProgramSignIn {
  issuer: string;
  client_id: string;
  resource: string;
  scope: string;
}

export const readContext = ({ clock, keyring }: HttpDependencies) => ({ keyring, now: clock.now() });

export const scoreContext = (deps: HttpDependencies, request: FastifyRequest): ScoreContext => ({
  db: deps.db,
  clock: deps.clock,
  keyring: deps.keyring,
  most: deps.config.limits.scoreEtches,
  who: whoOf(request),
});
