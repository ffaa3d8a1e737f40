import { dirname, join } from 'node:path';
import type { PageParts } from '../http/pages/parts.ts';
import { createPictures } from '../http/pages/pictures.ts';
import { serviceInfo } from '../http/well-known.ts';
import { programSignIn } from './identity.ts';
import { quorumOver } from '../proofs/log/checkpoints.ts';
import type { Meters } from '../http/rate-limits.ts';
import type { ServiceDependencies } from './dependencies.ts';
import type { Modules } from './modules.ts';

export function createPageParts(
  dependencies: ServiceDependencies,
  modules: Modules,
  meters: Meters,
): PageParts {
  const { config, baseUrl, db, clock, keyring, log, chain } = dependencies;
  const { view, etches, discovery, identity, chainReads } = modules;
  return {
    site: {
      baseUrl,
      chain: chain.facts,
      anchorSeconds: config.chain.intervalSeconds,
      notice: config.siteNotice,
      drand: config.drandChain,
      get now() {
        return clock.now();
      },
    },
    about: {
      securityContact: config.securityContact,
      info: () =>
        serviceInfo({
          chain: chain.facts,
          promiseKeys: etches.promises.keys,
          treeLog: etches.treeLog,
          identity: programSignIn(config, baseUrl, identity.embedded),
        }),
    },
    facts: { db, clock, view, standby: dependencies.standby },
    etches,
    chainReads,
    evidence: {
      db: dependencies.db,
      clock: dependencies.clock,
      where: dependencies.chain.facts,
      origin: etches.treeLog.origin,
    },
    lastAudit: { file: join(dirname(config.erasureLedger), 'last-audit.json'), baseUrl },
    seen: async (etchId) =>
      config.witnessPolicy === undefined ? undefined : quorumOver(db, etches.treeLog.origin, etchId),
    openings: { clock, keyring, ...etches, chain: config.drandChain },
    openingMeter: meters.opening,
    webhooks: { ...config.webhooks, keyring, guard: modules.guard, log },
    discovery,
    limits: config.limits,
    anonymousMeter: meters.anonymous,
    cards: { pictures: dependencies.test?.pictures ?? createPictures(log), meter: meters.card },
    signIn: {
      web: identity.web,
      social: identity.social,
      sessionMaxSeconds: config.identity.sessionMaxSeconds,
    },
  };
}
