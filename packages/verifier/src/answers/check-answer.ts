import type { DrandChain } from '@svc/protocol/timelock';
import type { Trust } from '../trust.ts';
import { checkCreatedChallenge, checkCreatedEtch, type KnownAuthor, type KnownChallenge } from './created.ts';
import { checkEchoes } from './echoes.ts';
import { checkEtch, checkSameEtch } from './etch.ts';
import {
  checkChallenge,
  checkChallengeLinks,
  checkEventLinks,
  checkRecord,
  checkTree,
  checkVerification,
} from './lists.ts';
import { at, type Fields, fieldsOf, Misfits } from './misfit.ts';
import type { Misfit } from './misfit-words.ts';
import type { OpenedEtch } from './opening.ts';
import { checkPromiseFits } from './promise.ts';

/** Never from the service's answers. */
export interface Pins {
  /** without them, the signer of promises and openings is not checked */
  promiseKeys?: readonly string[] | undefined;
  trust?: Trust | undefined;
  /** default: quicknet */
  drand?: DrandChain | undefined;
}

/** In addition to the request. */
export interface Known {
  author?: KnownAuthor | undefined;
  challenge?: KnownChallenge | undefined;
  opens?: OpenedEtch | undefined;
  /** from an earlier answer */
  etch?: unknown;
}

export interface Exchange {
  /** id in the API document, or `createdPage`, `askedPage`, `findByCode`, `findChallengeByCode` for pages */
  operation: string;
  params?: Fields | undefined;
  query?: Fields | undefined;
  body?: unknown;
  answer: unknown;
  /** inputs that an etch repeats unchanged; default: mode */
  repeated?: readonly string[] | undefined;
  /** same Idempotency-Key as an earlier request */
  replayed?: boolean | undefined;
  known?: Known | undefined;
}

interface Asked extends Record<'params' | 'query' | 'body' | 'answer', Fields> {
  repeated: readonly string[];
  replayed: boolean;
  known: Known;
  pins: Pins;
}

type Check = (misfits: Misfits, asked: Asked) => void | Promise<void>;

const etchOf: Check = (misfits, { answer, repeated, known }) => {
  const etch = fieldsOf(answer['etch']);
  checkEtch(misfits.within('etch'), etch);
  if (known.etch !== undefined) checkSameEtch(misfits.within('etch'), etch, fieldsOf(known.etch), repeated);
};

const etchesIn =
  (...names: readonly string[]): Check =>
  (misfits, { answer }) => {
    for (const name of names) {
      const etches = answer[name];
      if (!Array.isArray(etches)) misfits.add(name, etches, 'a list of etches');
      else
        etches.forEach((etch: unknown, index) =>
          checkEtch(misfits.within(`${name}[${index}]`), fieldsOf(etch)),
        );
    }
  };

const challengesIn: Check = (misfits, { answer }) => checkChallengeLinks(misfits, answer['challenges']);

const stateOf =
  (status: string): Check =>
  (misfits, asked) => {
    misfits.same(asked.answer, { 'etch.status': status });
    return etchOf(misfits, asked);
  };

/** In addition to `checkEchoes`. */
const CHECKS: Readonly<Record<string, Check>> = {
  createEtch: (misfits, { known, pins, ...created }) => {
    checkCreatedEtch(misfits.within('etch'), { ...created, ...known });
    checkPromiseFits(misfits, created, pinnedKeys(pins));
  },
  // A page's JSON has no promise.
  createdPage: (misfits, { known, ...created }) =>
    checkCreatedEtch(misfits.within('etch'), { ...created, ...known }),
  createChallenge: (misfits, { known, ...created }) => {
    checkCreatedChallenge(misfits.within('challenge'), { ...created, ...known });
    const { challenge } = created.answer;
    misfits.within('challenge').address(challenge, 'url', `/ch/${String(at(challenge, 'id'))}`);
  },
  askedPage: (misfits, { known, ...created }) =>
    checkCreatedChallenge(misfits.within('challenge'), { ...created, ...known }),
  getEtch: etchOf,
  findEtchByHash: etchOf,
  findByCode: etchOf,
  revealEtch: stateOf('revealed'),
  retractEtch: stateOf('retracted'),
  verifyEtch: (misfits, asked) => {
    checkVerification(misfits, asked.answer);
    return etchOf(misfits, asked);
  },
  getBatch: (misfits, { answer }) => checkTree(misfits, fieldsOf(answer['batch'])),
  getReceipt: async (misfits, { answer, params, pins }) => {
    const { checkReceiptFits } = await import('./receipt.ts');
    checkReceiptFits(misfits, answer, textOf(params['id']), pins.trust);
  },
  getEvidence: async (misfits, { answer, params, pins }) => {
    const { checkEvidenceFits } = await import('./receipt.ts');
    await checkEvidenceFits(misfits, answer, textOf(params['id']), pins.trust);
  },
  getOpening: async (misfits, { answer, params, known, pins }) => {
    const { checkOpeningFits } = await import('./opening.ts');
    const { QUICKNET } = await import('@svc/protocol/timelock');
    const etch = { id: textOf(params['id']), ...known.opens };
    checkOpeningFits(misfits, answer, etch, pins.drand ?? QUICKNET, pinnedKeys(pins));
  },
  getBeacon: async (misfits, { answer, pins }) => {
    const { isBeacon, isRound, QUICKNET } = await import('@svc/protocol/timelock');
    const chain = pins.drand ?? QUICKNET;
    const { chain: hash, round, signature } = answer;
    if (hash === chain.hash && isRound(round))
      misfits.need(
        typeof signature === 'string' && isBeacon(chain, round, signature),
        'signature',
        signature,
        `the signature of round ${round} by the chain ${chain.hash}`,
      );
  },
  getChallenge: (misfits, asked) => {
    checkChallenge(misfits, asked.answer);
    return etchesIn('etches')(misfits, asked);
  },
  findChallengeByCode: (misfits, { answer }) => checkChallenge(misfits, answer),
  searchEtches: etchesIn('etches'),
  getFeed: etchesIn('etches'),
  listUserEtches: (misfits, asked) => {
    checkRecord(misfits, asked.answer);
    return etchesIn('etches')(misfits, asked);
  },
  listWatching: (misfits, asked) => {
    checkChallengeLinks(misfits, asked.answer['challenges']);
    return etchesIn('pending', 'settled')(misfits, asked);
  },
  listChallenges: challengesIn,
  searchChallenges: challengesIn,
  listEvents: (misfits, { answer }) => checkEventLinks(misfits, answer['events']),
};

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const pinnedKeys = ({ promiseKeys = [] }: Pins): readonly string[] | null =>
  promiseKeys.length > 0 ? promiseKeys : null;

/**
 * Checks, without network, every field that the request, a pin or another field determines.
 * docs/threat-model.md lists the others.
 * @returns the fields that do not fit
 * @throws {ReceiptError} on a malformed receipt
 * @throws {EvidenceError} on malformed evidence
 * @example
 * const exchange = { operation: 'getEtch', params: { id: etch.id }, answer: { etch } };
 * await checkAnswer(exchange, {}); // []
 * const changed = { ...exchange, answer: { etch: { ...etch, content: 'Other words.' } } };
 * (await checkAnswer(changed, {})).map(({ field }) => field); // ['etch.content']
 */
export async function checkAnswer(exchange: Exchange, pins: Pins): Promise<Misfit[]> {
  const { operation, repeated = ['mode'], replayed = false, known = {} } = exchange;
  const [params, query, body, answer] = [exchange.params, exchange.query, exchange.body, exchange.answer].map(
    fieldsOf,
  ) as [Fields, Fields, Fields, Fields];
  const misfits = new Misfits('');
  checkEchoes(misfits, operation, answer, { params, query, body });
  await CHECKS[operation]?.(misfits, { params, query, body, answer, repeated, replayed, known, pins });
  return misfits.found;
}
