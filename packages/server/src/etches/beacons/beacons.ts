// Rounds of the drand chain, read from relays and verified before use.
import { type DrandChain, isRound, roundTime } from '@svc/protocol/timelock';
import type { Beacon } from '@svc/contract';
import { isHex } from '@svc/protocol';
import { Failure } from '../../platform/failure.ts';
import type { Timelock } from '../timelock.ts';
import { singleFlight } from '../../platform/flow/coalesce.ts';
import type { Slots } from '../../platform/flow/slots.ts';
import { asObject, parseJson, readBounded } from '../../platform/outgoing/bounded-fetch.ts';

const MOST_BYTES = 16 * 1024;

class RelayFault extends Error {
  override name = 'RelayFault';
}

async function queryRelay(relay: string, chain: DrandChain, round: number, signal: AbortSignal) {
  const url = new URL(relay);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${chain.hash}/public/${round}`;
  let text: string;
  try {
    const response = await fetch(url, { redirect: 'error', signal, headers: { accept: 'application/json' } });
    if (!response.ok) {
      await response.body?.cancel();
      throw new RelayFault(`it answered ${response.status}`);
    }
    text = await readBounded(response, MOST_BYTES);
  } catch (error) {
    if (error instanceof RelayFault) throw error;
    throw new RelayFault(
      signal.aborted ? 'it did not answer in time' : 'it cannot be reached, or its answer is too long',
    );
  }
  const answer = asObject(parseJson(text));
  if (answer?.['round'] !== round) throw new RelayFault('it answered a different round, or none');
  if (!isHex(answer['signature'], 48)) throw new RelayFault('its signature is not 96 lower-case hex digits');
  return answer['signature'];
}

export interface BeaconDependencies {
  clock: { now(): number };
  chain: DrandChain | undefined;
  relays: readonly string[];
  timelock: Pick<Timelock, 'isBeacon'>;
  slots: Slots;
  log: { warn(details: object, message: string): void };
  timeoutMs?: number;
}

interface BeaconReader {
  who: string;
  /** counts a request to the relays */
  count: () => Promise<unknown>;
}

/** Rounds are verified (docs/specification.md#beacons). */
export interface Beacons {
  read(chainHash: string, round: string, by: BeaconReader): Promise<Beacon>;
}

const PATIENCE_MS = 4_000;
const MOST_KEPT = 1_000;
const ROUND = /^[1-9]\d{0,9}$/;

export function createBeacons(options: BeaconDependencies): Beacons {
  const { chain, relays, clock, slots } = options;
  const signatures = new Map<number, string>();
  const once = singleFlight<string>();

  function keep(round: number, signature: string): void {
    signatures.set(round, signature);
    if (signatures.size > MOST_KEPT) signatures.delete(signatures.keys().next().value!);
  }

  const find = (pinned: DrandChain, round: number, who: string): Promise<string> =>
    once(String(round), async () => {
      const signature = await slots.run(() => queryRelays(pinned, round, { ...options, who }), who);
      keep(round, signature);
      return signature;
    });

  return {
    async read(chainHash, number, { who, count }) {
      if (chain === undefined)
        throw new Failure(
          'not_found',
          'this service pins no drand chain: its operator set DRAND_CHAIN to off',
        );
      if (chainHash !== chain.hash)
        throw new Failure('not_found', `this service relays only rounds of the drand chain ${chain.hash}`);
      const round = ROUND.test(number) ? Number(number) : 0;
      if (!isRound(round)) throw new Failure('not_found', 'there is no such round: round numbers start at 1');
      const due = roundTime(chain, round);
      if (due > clock.now()) throw notDue(round, due);
      if (relays.length === 0)
        throw new Failure(
          'unprocessable',
          'this service queries no drand relay: its operator did not set DRAND_URLS; query a relay yourself',
        );
      let signature = signatures.get(round);
      if (signature === undefined) {
        await count();
        signature = await find(chain, round, who);
      }
      return { chain: chain.hash, round, signature };
    },
  };
}

function notDue(round: number, due: number): Failure {
  const date = new Date(due);
  const when = Number.isNaN(date.getTime()) ? 'after the year 9999' : `at ${date.toISOString()}`;
  return new Failure('unprocessable', `round ${round} is not published yet: it is due ${when}`);
}

/** The first valid answer wins, so that one bad relay delays nothing. */
async function queryRelays(
  chain: DrandChain,
  round: number,
  options: BeaconDependencies & Pick<BeaconReader, 'who'>,
): Promise<string> {
  const { relays, timelock, log, who, timeoutMs = PATIENCE_MS } = options;
  const done = new AbortController();
  const timer = setTimeout(() => done.abort(), timeoutMs).unref();
  let found = false;
  const ask = async (relay: string): Promise<string> => {
    try {
      const signature = await queryRelay(relay, chain, round, done.signal);
      if (!(await timelock.isBeacon(chain, round, signature, who)))
        throw new RelayFault(`its signature of round ${round} is not valid for the chain ${chain.hash}`);
      found = true;
      return signature;
    } catch (error) {
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
      `no relay of this service (DRAND_URLS) has the signature of round ${round} now: try again`,
    );
  } finally {
    clearTimeout(timer);
    done.abort();
  }
}
