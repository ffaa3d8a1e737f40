import { accountIndexFaults } from './account-index-faults.mjs';
import {
  accountsOf,
  ADA,
  answerer,
  BEN,
  bytesOfLog,
  CY,
  DOT,
  etch,
  EVE,
  hex,
  kept,
  LOG,
  peaksOf,
  tree,
} from './account-index-model.mjs';

export function accountIndexVectors() {
  const answer = answerer(LOG, LOG.length);
  const readings = [
    ['an account with entries', [answer(ADA)]],
    ['an account in a tree that was given up and repeated', [answer(DOT)]],
    ['three pages', [answer(ADA, 0, 5), answer(ADA, 5, 5), answer(ADA, 10, 5)]],
    ['what is new since an earlier reading', [answer(ADA, 8)], kept(ADA, 6)],
    ['nothing is new since an earlier reading', [answer(BEN, 2)], kept(BEN, 6)],
    ['the whole again after an earlier reading', [answer(ADA)], kept(ADA, 6)],
    ['an account without entries, whose etch is in a tree of version 1', [answer(CY)]],
    ['its first entries since an earlier reading', [answer(EVE)], kept(EVE, 6)],
    ['an empty map', [answerer([tree(0, 1, etch(CY, 'of version 1')), 'index'], 2)(ADA)]],
    ['one account', [answerer(LOG.slice(1, 2).concat(tree(0, 2, etch(ADA, 'a')), 'index'), 3)(ADA)]],
    ['absent next to one account', [answerer([tree(0, 2, etch(ADA, 'a')), 'index'], 2)(BEN)]],
  ].map(([what, pages, of]) => ({
    what,
    pages,
    kept: of ?? null,
    covered: Number.parseInt(pages[0].index.data.slice(-8), 16),
    count: pages[0].count,
    peaks: peaksOf(
      pages.flatMap(() => accountsOf(LOG, 8).get(pages[0].user_id) ?? []).slice(0, pages[0].count),
    ),
  }));
  for (const reading of readings.slice(-3)) delete reading.peaks;

  const log = bytesOfLog(LOG).map((bytes, at) =>
    LOG[at] === 'index'
      ? { data: hex(bytes) }
      : {
          data: hex(bytes),
          leaves: LOG[at].leaves.map(({ userId, hash }) => ({ user_id: userId, hash: hex(hash) })),
        },
  );

  return [
    ['valid/account-index', { log, readings }],
    ['invalid/account-index', accountIndexFaults()],
  ];
}
