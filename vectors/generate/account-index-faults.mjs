import {
  accountsOf,
  ADA,
  answerer,
  BEN,
  bytesOfLog,
  CY,
  data,
  entryRoot,
  EVE,
  hex,
  kept,
  LOG,
  mapOf,
  raw,
  sha256,
  uint64,
} from './account-index-model.mjs';
import { key as logKey, path as logPath, root as logRoot } from './tlog.mjs';

/** Each answer or reading fails, with `fault` or the name of `field` in the message. */
export function accountIndexFaults() {
  const answer = answerer(LOG, LOG.length);
  const earlier = answerer(LOG, 7);
  const of = (userId, change, from) => [change(answer(userId, from ?? 0))];
  const withBytes = (text, at, value) => text.slice(0, 2 * at) + value + text.slice(2 * at + value.length);
  const wrong = (why, fault, pages, kept = null) => ({ why, fault, pages, kept });
  const set = (fields) => (one) => ({ ...one, ...fields });
  const swapped = ([first, second, ...rest]) => [second, first, ...rest];
  const ada = answer(ADA);
  const [p1, p2, p3] = [answer(ADA, 0, 5), answer(ADA, 5, 5), answer(ADA, 10, 5)];
  const forged = (item) => {
    // The operator signs a log whose last index entry is wrong.
    const bytes = [...bytesOfLog(LOG), item];
    const hashes = bytes.map((entry) => sha256(Buffer.of(0), entry));
    const text = `svc.example/log\n${bytes.length}\n${logRoot(hashes).toString('base64')}\n`;
    const at = bytes.length - 1;
    const index = { log_index: at, data: hex(item), proof: logPath(at, hashes).map(hex) };
    return { ...ada, checkpoint: `${text}\n${logKey('svc.example/log', 1, 'log').line(text)}\n`, index };
  };
  const mapRoot = mapOf(accountsOf(LOG, 8)).hash;

  const malformed = [
    ['no object', 'answer is not an object', []],
    ['user_id in upper case', 'user_id', set({ user_id: 'AE00CFF5-55BB-4BD1-AB78-D6C62DC80658' })(ada)],
    ['checkpoint without signature', 'checkpoint', set({ checkpoint: 'svc.example/log\n1\n' })(ada)],
    ['index missing', 'index', set({ index: null })(ada)],
    ['log_index below 0', 'index.log_index', set({ index: { ...ada.index, log_index: -1 } })(ada)],
    ['data too short', 'index.data', set({ index: { ...ada.index, data: '00' } })(ada)],
    [
      'proof in upper case',
      'index.proof[0]',
      set({ index: { ...ada.index, proof: ['AB'.repeat(32)] } })(ada),
    ],
    [
      'proof too long',
      'index.proof',
      set({ index: { ...ada.index, proof: Array(64).fill('00'.repeat(32)) } })(ada),
    ],
    ['count as text', 'count', set({ count: '13' })(ada)],
    ['count above 2^53 - 1', 'count', set({ count: 2 ** 53 })(ada)],
    ['from beyond the end', 'from', set({ from: ada.count + 1 })(ada)],
    ['account_root null though there are entries', 'account_root', set({ account_root: null })(ada)],
    ['account_root without entries', 'account_root', set({ account_root: ada.account_root })(answer(CY))],
    ['other though there are entries', 'other', set({ other: answer(CY).other })(ada)],
    [
      'other.value too short',
      'other.value',
      set({ other: { ...answer(CY).other, value: '00' } })(answer(CY)),
    ],
    ['bit 256', 'path[0].bit', set({ path: [{ bit: 256, hash: '00'.repeat(32) }] })(ada)],
    ['path.hash missing', 'path[0].hash', set({ path: [{ bit: 1 }] })(ada)],
    ['before is no list', 'before', set({ before: null })(ada)],
    ['entry too short', 'entries[0]', set({ entries: ['00'] })(ada)],
    ['entry of kind 2', 'entries[0]', set({ entries: [withBytes(ada.entries[0], 8, '02')] })(ada)],
    [
      'entry with a log index above 2^53 - 1',
      'entries[0]',
      set({ entries: [`ff${ada.entries[0].slice(2)}`] })(ada),
    ],
    ['more as number', 'more', set({ more: 0 })(ada)],
  ].map(([why, field, value]) => ({ why, field, answer: value }));

  const readingsThatFail = [
    wrong('no page', 'at least one answer', []),
    wrong('of a different account', 'user_id', [answer(BEN)]),
    wrong(
      'data is a tree',
      'is not an index entry',
      of(ADA, (a) => ({ ...a, index: { ...a.index, data: hex(bytesOfLog(LOG)[0]) } })),
    ),
    wrong(
      'a byte of the padding',
      'is not an index entry',
      of(ADA, (a) => ({ ...a, index: { ...a.index, data: withBytes(a.index.data, 32, '01') } })),
    ),
    wrong(
      'index version 2',
      'is not an index entry',
      of(ADA, (a) => ({ ...a, index: { ...a.index, data: withBytes(a.index.data, 95, '02') } })),
    ),
    wrong(
      'data changed',
      'index.proof',
      of(ADA, (a) => ({ ...a, index: { ...a.index, data: withBytes(a.index.data, 0, '00') } })),
    ),
    wrong(
      'log_index changed',
      'index.proof',
      of(ADA, (a) => ({ ...a, index: { ...a.index, log_index: 9 } })),
    ),
    wrong('covers more than its own position', 'are before it', [
      forged(data({ root: mapRoot, kind: 2, version: 1, size: 11 })),
    ]),
    wrong(
      'one entry fewer, with the old root',
      'path',
      of(ADA, (a) => ({ ...a, count: a.count - 1, entries: a.entries.slice(1) })),
    ),
    wrong(
      'one entry fewer, with count and root of the rest',
      'path',
      of(ADA, (a) => {
        const rest = a.entries.slice(1).map((one) => Buffer.from(one, 'hex'));
        return { ...a, count: rest.length, account_root: hex(entryRoot(rest)), entries: rest.map(hex) };
      }),
    ),
    wrong(
      'one entry fewer, with the old count',
      '12 entries of 13',
      of(ADA, (a) => ({ ...a, entries: a.entries.slice(1) })),
    ),
    wrong(
      'an entry changed',
      'account_root',
      of(ADA, (a) => ({ ...a, entries: [withBytes(a.entries[0], 9, 'ffff'), ...a.entries.slice(1)] })),
    ),
    wrong(
      'entries of one tree swapped',
      'account_root',
      of(ADA, (a) => ({ ...a, entries: swapped(a.entries) })),
    ),
    wrong(
      'entries out of order',
      'out of order',
      of(ADA, (a) => ({ ...a, entries: a.entries.toReversed() })),
    ),
    wrong(
      'an entry that is not covered',
      'does not cover',
      of(ADA, (a) => ({
        ...a,
        entries: [...a.entries.slice(0, -1), `${'00'.repeat(7)}08${a.entries[0].slice(16)}`],
      })),
    ),
    wrong(
      'repeated bits',
      'bits of the path',
      of(ADA, (a) => ({ ...a, path: [a.path[0], ...a.path] })),
    ),
    wrong(
      'rising bits',
      'bits of the path',
      of(ADA, (a) => ({ ...a, path: a.path.toReversed() })),
    ),
    wrong(
      'path without its last step',
      'path',
      of(ADA, (a) => ({ ...a, path: a.path.slice(0, -1) })),
    ),
    wrong(
      'present shown as absent',
      'has entries',
      of(ADA, (a) => ({
        ...a,
        count: 0,
        account_root: null,
        entries: [],
        other: {
          key: hex(sha256(raw(ADA))),
          value: hex(Buffer.concat([uint64(a.count), Buffer.from(a.account_root, 'hex')])),
        },
      })),
    ),
    wrong(
      'present shown as absent by a different leaf',
      'search',
      of(ADA, (a) => ({ ...a, ...answer(CY), user_id: ADA })),
    ),
    wrong(
      'absent by an empty map, which is not empty',
      'other is null',
      of(CY, (a) => ({ ...a, path: [], other: null })),
    ),
    wrong(
      'value of the other leaf changed',
      'other and path',
      of(CY, (a) => ({ ...a, other: { ...a.other, value: withBytes(a.other.value, 0, 'ff') } })),
    ),
    wrong('from without an earlier reading', 'begins after 0', [answer(ADA, 8)]),
    wrong(
      'too few peaks',
      'perfect subtrees',
      of(ADA, (a) => ({ ...a, before: [] }), 3),
      kept(ADA, 2),
    ),
    wrong(
      'peaks are not those of the earlier reading',
      'earlier reading',
      of(ADA, (a) => ({ ...a, before: ['ab'.repeat(32)] }), 8),
      kept(ADA, 6),
    ),
    wrong('the entries of the earlier reading changed', 'earlier reading', [answer(ADA)], {
      ...kept(ADA, 6),
      peaks: ['ab'.repeat(32)],
    }),
    wrong('fewer entries than in the earlier reading', 'are missing', [answer(ADA)], {
      covered: 6,
      count: 14,
      peaks: kept(ADA, 6).peaks,
    }),
    wrong('covers fewer entries than an earlier index', 'had covered 9', [answer(ADA)], {
      ...kept(ADA, 8),
      covered: 9,
    }),
    wrong('a new entry in a tree that the earlier index covered', 'without it', [answer(EVE)], {
      covered: 8,
      count: 0,
      peaks: [],
    }),
    wrong('a page of an earlier checkpoint', 'page 2: checkpoint', [p1, { ...earlier(ADA, 5) }]),
    wrong('a page is missing', 'page 2: from is 10', [p1, p3]),
    wrong('before is not made of the earlier pages', 'page 2: before', [
      p1,
      { ...p2, before: [...p2.before.slice(1), p2.before[0]] },
      p3,
    ]),
    wrong('the last page is missing', 'page 2: 10 entries of 13', [p1, p2]),
    wrong('more on the last page', 'page 3: 13 entries', [p1, p2, { ...p3, more: true }]),
    wrong('another count on a later page', 'page 2: index or count', [p1, { ...p2, count: 12 }, p3]),
  ];
  return { malformed, readings: readingsThatFail };
}
