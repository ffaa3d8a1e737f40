import type { Mountable } from '../http/app.ts';
import { mountHealth, mountMetrics } from '../http/monitoring.ts';
import { mountIdentity } from '../http/identity/mount.ts';
import { mountLive, type Streams } from '../http/live/streams.ts';
import { mountLlms } from '../http/llms-page.ts';
import { mountMcp } from '../http/mcp/mount.ts';
import { mountPages } from '../http/pages/mount.ts';
import { type PageParts, siteFor, siteOf } from '../http/pages/parts.ts';
import { mountStatus } from '../http/pages/status.ts';
import { mountRawRecord } from '../http/routes/records.ts';
import { mountRpc } from '../http/rpc.ts';
import { mountTreeLog } from '../http/tree-log.ts';
import { mountWellKnown } from '../http/well-known.ts';
import { programSignIn } from './identity.ts';
import type { Meters } from '../http/rate-limits.ts';
import type { ServiceDependencies } from './dependencies.ts';
import type { Modules } from './modules.ts';

/** Mounts the routes outside the contract. @returns the open streams, to be closed at the end */
export function mountOtherRoutes(
  root: Mountable,
  dependencies: ServiceDependencies,
  { view, identity, etches, chainReads, guard }: Modules,
  meters: Meters,
  pages: PageParts,
  isDraining: () => boolean,
): Streams {
  const { config, baseUrl, db, clock, keyring, log, chain } = dependencies;
  if (dependencies.vitals) {
    mountMetrics(root, dependencies.vitals.metrics);
    mountStatus(root, pages, dependencies.vitals.read);
  }
  mountHealth(root, dependencies.readiness, isDraining);
  mountIdentity(root, {
    baseUrl,
    loopback: config.loopback,
    embedded: identity.embedded,
    keyring,
    log,
    clientMeter: meters.client,
    guard,
    site: (request) => (request ? siteFor(pages.site, request) : siteOf(pages.site)),
  });
  mountPages(root, pages);
  const streams = mountLive(root, {
    db,
    clock,
    log,
    limits: config.live,
    ...(dependencies.siblings && { places: dependencies.siblings }),
  });
  mountRawRecord(root, { db, clock, view });
  mountLlms(root, { baseUrl, limits: config.limits, devnet: config.chain.embedded });
  const signIn = programSignIn(config, baseUrl, identity.embedded);
  mountWellKnown(root, pages.about.info);
  mountTreeLog(root, { db, treeLog: etches.treeLog, meter: meters.anonymous });
  mountMcp(root, {
    baseUrl,
    drand: config.drandChain,
    authenticator: identity.authenticator,
    identity: signIn,
    meter: meters.mcp,
    origins: config.mcpOrigins,
  });
  mountRpc(root, { rpc: chain.rpc, contract: chain.facts.contract, reads: chainReads });
  return streams;
}
