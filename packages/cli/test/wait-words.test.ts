import { describe, expect, test } from 'vitest';
import { whyPending, whySealed } from '../src/wait.ts';

const etch = (status: 'pending' | 'failed') => ({ chain: { status } }) as Parameters<typeof whyPending>[0];
const fares = { parts: [{ name: 'chain', ok: true }], relayer: { health: 'ok' } };
const anchoring = { pending: 0, oldest_pending_seconds: null, open_transactions: 0, failing_since: null };

describe('why an etch is not anchored yet', () => {
  test.each([
    ['nothing is said', undefined, 'waiting for the service’s next tree'],
    ['another program answers', [7], 'waiting for the service’s next tree'],
    ['it waits', { ...fares, anchoring: { ...anchoring, pending: 1 } }, '1 etch waiting for the next tree'],
    [
      'a tree is sent',
      { ...fares, anchoring: { ...anchoring, pending: 3, open_transactions: 2 } },
      '2 trees sent to the chain, waiting for a block',
    ],
    [
      'a tree is in a block',
      {
        ...fares,
        anchoring: {
          ...anchoring,
          open_transactions: 2,
          confirming: { transactions: 1, seen: 3, needed: 12 },
        },
      },
      '1 tree in a block of the chain, 3 confirmations seen, 12 needed',
    ],
    [
      'the chain says when it is final',
      {
        ...fares,
        anchoring: { ...anchoring, confirming: { transactions: 2, seen: null, needed: 'safe' } },
      },
      '2 trees in a block of the chain, until the chain calls it safe',
    ],
    [
      'anchoring fails',
      { ...fares, anchoring: { ...anchoring, failing_since: '2030-01-01T00:00:00.000Z' } },
      'anchoring has failed since 2030-01-01T00:00:00.000Z; the service retries',
    ],
    [
      'there is no money',
      { ...fares, relayer: { health: 'empty' } },
      'the service’s relayer has no money left',
    ],
    [
      'there is no chain',
      { ...fares, parts: [{ name: 'chain', ok: false }] },
      'the service cannot reach its chain',
    ],
  ])('%s', (_, said, words) => {
    expect(whyPending(etch('pending'), said)).toContain(`not anchored yet: ${words}`);
  });

  test('reports that the service retries after a failed attempt', () => {
    expect(whyPending(etch('failed'), fares)).toContain('the service retries');
  });
});

test('why an etch is not revealed yet', () => {
  const due = '2030-01-04T05:00:00.000Z';
  const at = (time: string) => whySealed({ status: 'sealed', reveal_at: due }, Date.parse(time));
  expect(at('2030-01-01T00:00:00Z')).toBe(`sealed, not due yet: it opens at ${due}, in 3 days`);
  expect(at('2030-01-04T01:30:00Z')).toMatch(/in 3 hours$/);
  expect(at('2030-01-04T04:30:00Z')).toMatch(/in 30 minutes$/);
  expect(at('2030-01-04T04:59:58Z')).toMatch(/in seconds$/);
  expect(at('2030-01-04T05:00:01Z')).toContain(`due since ${due}`);
});
