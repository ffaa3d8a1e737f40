import type { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import ipaddr from 'ipaddr.js';
import type { FastifyRequest } from 'fastify';
import type { ChainReader } from '@svc/verifier';
import { RateLimited } from '../platform/failure.ts';
import type { SharedCounts } from '../platform/flow/shared-counts.ts';
import type { SearchDependencies } from '../discovery/search-db.ts';
import type { ReaderFor } from '../chain/attestation-reader.ts';
import type { Limits } from '../settings/config.ts';
import { isLoopback } from '../settings/listen-address.ts';

interface Meter {
  limit: number;
  remaining: number;
  reset: number;
}

export interface RateLimiter {
  take(who: string, points?: number): Promise<Meter>;
  giveBack(who: string, points?: number): Promise<void>;
}

interface RateLimiterOptions {
  name: string;
  limit: number;
  seconds: number;
  /** follows "too many" */
  what: string;
}

type RateLimiterFactory = (options: RateLimiterOptions) => RateLimiter;

/** `redis` counts for several machines, `siblings` for several processes of this machine. */
interface CountedBy {
  redis?: Redis | undefined;
  siblings?: SharedCounts | undefined;
}

/** While the store cannot be reached, each process counts alone and `/readyz` reports it. */
export function createRateLimiters({ redis, siblings }: CountedBy): RateLimiterFactory {
  return (options) => {
    const common = { points: options.limit, duration: options.seconds, keyPrefix: `svc:${options.name}` };
    const here = new RateLimiterMemory(common);
    if (redis) {
      const insured = { insuranceLimiter: here, rejectIfRedisNotReady: true };
      return rateLimiter(new RateLimiterRedis({ ...common, storeClient: redis, ...insured }), options);
    }
    return rateLimiter(siblings ? pointsTogether(siblings, options, here) : here, options);
  };
}

type PointCounter = Pick<RateLimiterAbstract, 'consume' | 'reward'>;

function pointsTogether(
  siblings: SharedCounts,
  { name, limit, seconds }: RateLimiterOptions,
  here: PointCounter,
): PointCounter {
  const spend = async (who: string, points: number): Promise<RateLimiterRes | undefined> => {
    const spent = await siblings.spend({ name, limit, seconds, who, points }).catch(() => undefined);
    if (!spent) return undefined;
    const result = new RateLimiterRes(spent.remaining, spent.msBeforeNext);
    // The library's limiters throw their result too.
    // oxlint-disable-next-line typescript/only-throw-error
    if (!spent.passed) throw result;
    return result;
  };
  return {
    consume: async (who, points = 1) => (await spend(String(who), points)) ?? here.consume(who, points),
    reward: async (who, points = 1) => (await spend(String(who), -points)) ?? here.reward(who, points),
  };
}

function rateLimiter(limiter: PointCounter, { limit, seconds, what }: RateLimiterOptions): RateLimiter {
  const exhausted = (msBeforeNext: number): RateLimited => {
    const retryAfter = Math.max(1, Math.ceil(msBeforeNext / 1000));
    return new RateLimited(
      `too many ${what}: at most ${limit} in ${describe(seconds)}, try again in ${retryAfter} s`,
      limit,
      retryAfter,
    );
  };
  return {
    async take(who, points = 1) {
      if (points > limit) throw exhausted(seconds * 1000);
      try {
        const result = await limiter.consume(who, points);
        return { limit, remaining: result.remainingPoints, reset: Math.ceil(result.msBeforeNext / 1000) };
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        if (points > 1) await limiter.reward(who, points);
        throw exhausted(error.msBeforeNext);
      }
    },
    async giveBack(who, points = 1) {
      await limiter.reward(who, points);
    },
  };
}

function describe(seconds: number): string {
  if (seconds === 60) return 'a minute';
  return seconds === 3600 ? 'an hour' : `${seconds} s`;
}

/** Returns IPv4 as it is and IPv6 by its /64 (docs/specification.md#limits). */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${(parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

/**
 * A registration by a program on the machine of a developer's service. A request that passed a proxy on this machine
 * has a header of the proxy, and with TRUST_PROXY the address of its client.
 */
export const isDevelopers = (
  { loopbackRegisters }: Limits,
  { ip, hostname, headers }: FastifyRequest,
): boolean =>
  loopbackRegisters &&
  [ip, hostname].every(isLoopback) &&
  [headers['x-forwarded-for'], headers['forwarded']].every((header) => header === undefined);

/** The caller that shares bounded work fairly with others: an account, or an address. */
export const whoOf = ({ caller, session, ip }: FastifyRequest): string =>
  (session?.caller ?? caller)?.userId ?? addressKey(ip);

export function counted(discovery: SearchDependencies, { ip }: FastifyRequest): SearchDependencies {
  const { searchDb, standby } = discovery;
  const who = addressKey(ip);
  return {
    ...discovery,
    searchDb: searchDb.by(who),
    ...(standby && { standby: { ...standby, searchDb: standby.searchDb.by(who) } }),
  };
}

/** Calls cost the operator money: limits them per address and in total. */
export interface ChainReads {
  /**
   * Counts all requests, or none.
   * @param calls number of requests that reach the chain
   * @throws RateLimited
   */
  take(address: string, requests: number, calls?: number): Promise<void>;
  /** Over the limit, the answer names the limit, because the etch has no fault. */
  readerFor(address: string): ChainReader;
}

export function createChainReads(
  reader: ReaderFor,
  { rpc: perAddress, chainReads: together }: Meters,
): ChainReads {
  async function take(address: string, requests: number, calls = requests): Promise<void> {
    const who = addressKey(address);
    await perAddress.take(who, requests);
    if (calls === 0) return;
    try {
      await together.take('everybody', calls);
    } catch (error) {
      await perAddress.giveBack(who, requests);
      throw error;
    }
  }
  return {
    take,
    readerFor: (address) =>
      reader(async () => {
        try {
          await take(address, 1);
          return undefined;
        } catch (error) {
          if (error instanceof RateLimited) return error.message;
          throw error;
        }
      }),
  };
}

/** This allows a retry without a load on the host. */
const DOMAIN_CHECKS_PER_MINUTE = 10;

/** Daily allowances are counted from rows instead. */
export function createMeters(limits: Limits, countedBy: CountedBy) {
  const limiter = createRateLimiters(countedBy);
  const perMinute = (name: string, limit: number, what: string): RateLimiter =>
    limiter({ name, limit, seconds: 60, what });
  const perHour = (name: string, limit: number, what: string): RateLimiter =>
    limiter({ name, limit, seconds: 3_600, what });
  return {
    key: perMinute('key', limits.keyPerMinute, 'requests with this API key'),
    /** sessions too, because each comparison is slow */
    replay: perMinute('replay', limits.keyPerMinute, 'replays of erased etches by this account'),
    anonymous: perMinute('anonymous', limits.anonPerMinute, 'signed-out requests from this address'),
    card: perMinute('card', limits.cardsPerMinute, 'preview pictures drawn for this address'),
    rpc: perMinute('rpc', limits.rpcPerMinute, 'chain reads from this address'),
    chainReads: perMinute(
      'chain reads',
      limits.chainReadsPerMinute,
      'chain reads from all addresses together',
    ),
    mcp: perMinute('mcp', limits.mcpPerMinute, 'messages to the tools from this address'),
    registration: perHour('registration', limits.registrationsPerHour, 'registrations from this address'),
    failedRegistration: perHour(
      'failed registration',
      limits.failedRegistrationsPerHour,
      'registrations from this address that failed',
    ),
    /** MCP clients that the embedded issuer registers, or whose metadata document it fetches */
    client: perHour('client', limits.registrationsPerHour, 'registrations of clients from this address'),
    domain: perMinute('domain', DOMAIN_CHECKS_PER_MINUTE, 'checks of this domain'),
    opening: perHour('opening', limits.openingsPerHour, 'openings of sealed etches by this account'),
    guide: perHour('guide', limits.guidePerHour, 'signed-out answers from this address'),
  };
}

export type Meters = ReturnType<typeof createMeters>;
