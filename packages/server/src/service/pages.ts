import type { PageParts } from '../http/pages/parts.ts';
import { createPictures } from '../http/pages/pictures.ts';
import type { Meters } from './meters.ts';
import type { Parts } from './parts.ts';
import type { Rooms } from './rooms.ts';

/** What the pages are made of. */
export function createPageParts(parts: Parts, rooms: Rooms, meters: Meters): PageParts {
  const { config, baseUrl, db, clock, keyring, log, chain } = parts;
  const { view, etches, discovery, identity, chainReads } = rooms;
  return {
    site: {
      baseUrl,
      chain: chain.facts,
      anchorSeconds: config.chain.intervalSeconds,
      drand: config.drandChain,
    },
    about: { securityContact: config.securityContact, eventsKeptDays: config.eventsKeptDays },
    facts: { db, clock, view, standby: parts.standby },
    etches,
    chainReads,
    evidence: { db: parts.db, clock: parts.clock, where: parts.chain.facts },
    openings: { clock, keyring, ...etches, chain: config.drandChain },
    openingMeter: meters.opening,
    webhooks: { ...config.webhooks, keyring, guard: rooms.guard, log },
    discovery,
    limits: config.limits,
    anonymousMeter: meters.anonymous,
    cards: { pictures: parts.test?.pictures ?? createPictures(log), meter: meters.card },
    signIn: {
      web: identity.web,
      social: identity.social,
      sessionMaxSeconds: config.identity.sessionMaxSeconds,
    },
  };
}
