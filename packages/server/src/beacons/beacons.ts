import { type DrandChain, isRound, roundTime } from '@svc/protocol/timelock';
import type { Beacon } from '@svc/contract';
import { Failure } from '../errors/failure.ts';
import type { Timelock } from '../etches/timelock.ts';
import type { Slots } from '../flow/slots.ts';
import { askRelay, RelayFault } from './relay.ts';

export interface BeaconDependencies {
  clock: { now(): number };
  /** undefined: none is pinned */
  chain: DrandChain | undefined;
  /** whom rounds are asked of, all at once; none: nothing is relayed */
  relays: readonly string[];
  timelock: Pick<Timelock, 'isBeacon'>;
  /** so many rounds are asked at once */
  slots: Slots;
  log: { warn(details: object, message: string): void };
  timeoutMs?: number;
}

/** Rounds of the pinned chain, each checked against its public key before anybody is told (docs/specification.md#beacons). */
export interface Beacons {
  /**
   * @param count called before relays are asked, which what is known already needs not
   * @throws Failure not_found, unprocessable, rate_limited, service_unavailable
   */
  read(chainHash: string, round: string, count: () => Promise<unknown>): Promise<Beacon>;
}

const PATIENCE_MS = 4_000;
/** Rounds that are kept here: 200 bytes each, and they never change. */
const MOST_KEPT = 1_000;
const ROUND = /^[1-9]\d{0,9}$/;

export function createBeacons(options: BeaconDependencies): Beacons {
  const { chain, relays, clock, slots } = options;
  const kept = new Map<number, string>();
  const asked = new Map<number, Promise<string>>();

  function keep(round: number, signature: string): void {
    kept.set(round, signature);
    if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
  }

  /** Who asks for the same round at once waits for one answer. */
  function find(pinned: DrandChain, round: number): Promise<string> {
    const under = asked.get(round);
    if (under !== undefined) return under;
    const found = slots
      .run(() => askAll(pinned, round, options))
      .then((signature) => {
        keep(round, signature);
        return signature;
      })
      .finally(() => asked.delete(round));
    asked.set(round, found);
    return found;
  }

  return {
    async read(chainHash, number, count) {
      if (chain === undefined)
        throw new Failure(
          'not_found',
          'this service pins no drand chain: its operator set DRAND_CHAIN to off',
        );
      if (chainHash !== chain.hash)
        throw new Failure('not_found', `this service relays rounds of the drand chain ${chain.hash} alone`);
      const round = ROUND.test(number) ? Number(number) : 0;
      if (!isRound(round))
        throw new Failure('not_found', 'there is no such round: rounds are numbered from 1');
      const due = roundTime(chain, round);
      if (due > clock.now()) throw notDue(round, due);
      if (relays.length === 0)
        throw new Failure(
          'unprocessable',
          'this service asks no relay of the drand network: its operator did not set DRAND_URLS; ask one yourself',
        );
      let signature = kept.get(round);
      if (signature === undefined) {
        await count();
        signature = await find(chain, round);
      }
      return { chain: chain.hash, round, signature };
    },
  };
}

/** @param due in milliseconds; of a slow chain's last rounds later than a time can be written */
function notDue(round: number, due: number): Failure {
  const date = new Date(due);
  const when = Number.isNaN(date.getTime()) ? 'after the year 9999' : `at ${date.toISOString()}`;
  return new Failure('unprocessable', `round ${round} is not there yet: it is due ${when}`);
}

/**
 * All relays at once, and the first whose answer holds: one that is slow, down, late or lying costs the others nothing.
 * @throws Failure service_unavailable
 */
async function askAll(chain: DrandChain, round: number, options: BeaconDependencies): Promise<string> {
  const { relays, timelock, log, timeoutMs = PATIENCE_MS } = options;
  const done = new AbortController();
  const timer = setTimeout(() => done.abort(), timeoutMs).unref();
  let found = false;
  const ask = async (relay: string): Promise<string> => {
    try {
      const signature = await askRelay(relay, chain, round, done.signal);
      if (!(await timelock.isBeacon(chain, round, signature)))
        throw new RelayFault(`its signature is not that of round ${round} by the chain ${chain.hash}`);
      found = true;
      return signature;
    } catch (error) {
      // Whoever is only slower than another is not complained of.
      if (error instanceof RelayFault && !found)
        log.warn(
          { relay: new URL(relay).host, round, reason: error.message },
          "beacons: DRAND_URLS: a relay's answer is not used",
        );
      throw error;
    }
  };
  try {
    return await Promise.any(relays.map(ask));
  } catch {
    throw new Failure(
      'service_unavailable',
      `none of the relays that this service asks (DRAND_URLS) has the signature of round ${round} now: try again`,
    );
  } finally {
    clearTimeout(timer);
    done.abort();
  }
}
