// Runs without a database.
import type { Etch } from '@svc/contract';
import { describe, expect, it } from 'vitest';
import { challengeStatus } from '@svc/web/challenge-status';
import { etchPage } from '../../../src/http/pages/etch.tsx';
import { retractPage } from '../../../src/http/pages/signed-in/retract.tsx';
import { verifyEtchPage } from '../../../src/http/pages/verify-etch.tsx';
import { openedText, proofStatusOf } from '@svc/web/proof-status';
import { QUICKNET } from '@svc/protocol/timelock';
import { readVector } from '../../../../../testing/vectors/vectors.ts';
import {
  devnetSite,
  etch,
  HEX,
  pending,
  retracted,
  sealed,
  site,
  textOf,
  viewer,
} from '../../../../../testing/views.ts';

const shown = (...args: Parameters<typeof etchPage>): string => textOf(etchPage(...args).html);

describe('an etch page', () => {
  const failed = { ...pending, status: 'failed' };
  const late = { ...etch().chain, anchored_at: '2026-01-02T05:04:05.000Z' };
  const early = { ...etch().chain, anchored_at: '2026-01-02T03:03:05.000Z' };
  const signature = { value: HEX('1') + HEX('2'), public_key: HEX('9') };
  it.each([
    ['a late anchor proves the later time only', { chain: late }, 'the time proven is the later one'],
    ['a late anchor leaves the time stated', { chain: late }, '03:04:05 UTC is only stated'],
    ['a block before the stated time is named', { chain: early }, 'Anchored before its stated time'],
    ['an early block proves its own time', { chain: early }, '03:04:05 UTC, is later.'],
    ['a pending etch waits', { chain: pending }, 'waiting for the chain'],
    ['a pending etch proves nothing', { chain: pending }, 'Nothing to other people yet'],
    ['an unavailable chain is named', { chain: failed }, 'the chain is unreachable'],
    ['an unavailable chain is retried', { chain: failed }, 'The service keeps trying'],
    [
      'a signature is shown',
      { signature },
      'The holder of the signing key (in the technical details) signed these words.',
    ],
    ['the service vouches for a signer', { signature }, 'only this service says that it belongs to @ada'],
  ])('%s', (_, fields, says) => expect(shown(site, etch(fields))).toContain(says));

  it('says that a development chain proves nothing to others', () => {
    const text = shown(devnetSite, etch());
    expect(text).toContain('For testing only: whoever runs this chain can rewrite it');
    expect(text).toContain('Proven, if you trust this chain');
    expect(text).toContain('This is a development chain, and its operator could rewrite it');
    expect(text).not.toContain('it is valid without this service');
    expect(shown(site, etch())).not.toMatch(/testing only|whoever/);
  });

  it('shows the verify page without a chain and says what is unavailable', () => {
    const text = textOf(verifyEtchPage(site, { etch: etch(), checks: null }).html);
    expect(text).toContain('The chain cannot be reached at the moment');
    expect(text).toContain('what was anchored stays anchored');
  });

  it('says the difference of the two times that it shows', () => {
    const chain = { ...etch().chain, anchored_at: '2026-01-02T03:04:07.000Z' };
    expect(shown(site, etch({ created_at: '2026-01-02T03:04:05.900Z', chain }))).toContain(
      'Anchored 2 s after it was written',
    );
  });

  it('calls the words of a new etch sealed if only a later key opens them', () => {
    const [seal] = readVector('valid/blind-seals').seals;
    const own = { isAuthor: true } as NonNullable<Parameters<typeof etchPage>[2]>['own'];
    const writer = { ...site, viewer: { ...viewer, etched: 'x' } };
    const blind = etch({ content: seal.words, created_at: seal.created_at });
    expect(shown({ ...writer, drand: QUICKNET }, blind, { own })).toContain('Your words are sealed.');
    expect(shown(writer, sealed(), { own })).toContain('Your words are sealed.');
    expect(shown(writer, etch(), { own })).toContain('Your words are public.');
  });

  it('says of a retracted etch that its hash is anchored', () => {
    expect(shown(site, retracted())).toContain('Hash anchored');
    expect(shown(site, etch())).not.toContain('Hash anchored');
  });

  it('names the outcome of a resolved forecast once, in its tag', () => {
    const forecast = etch({
      mode: 'delayed',
      reveal_at: '2026-02-01T00:00:00.000Z',
      revealed_at: '2026-02-01T00:00:00.000Z',
    });
    const result = {
      etch_id: forecast.id,
      user_id: forecast.author.user_id,
      username: 'ada',
      challenge_id: null,
      state: 'scored',
      reason: null,
      forecast: null,
      attested_at: null,
      outcome: 'yes',
      resolution_id: forecast.id,
      self_resolved: true,
      binary: true,
      brier: 0.0225,
      log: null,
      quantile_loss: null,
      unit: null,
      resolved_at: null,
    } as const;
    expect(shown(site, forecast)).not.toContain('Resolved: yes');
    const text = textOf(etchPage(site, forecast, { result }).html);
    expect(text).toMatch(
      /Resolved: yes[^]*Resolved by the author of the forecast · Brier score 0\.02 \(0 is best\)/,
    );
    expect(text.split(/Resolved: yes|came true/i)).toHaveLength(2);
    expect(text).toContain('or that the outcome is right: the author of the forecast decided it.');
    const shownWith = (fields: object): string =>
      textOf(etchPage(site, forecast, { result: { ...result, ...fields } }).html);
    const losses = { brier: null, quantile_loss: 0.5, unit: 'nights', outcome: '8' };
    expect(shownWith(losses)).toContain('Resolved: 8 nights');
    const isVoid = shownWith({ state: 'void', outcome: 'void', brier: null, unit: 'nights' });
    expect(isVoid.split('Resolved as void')).toHaveLength(2);
    expect(isVoid).not.toMatch(/void nights|Resolved: void|Came true/);
  });

  it('links to the whole record where it says what no proof covers', () => {
    expect(etchPage(site, etch()).html).toContain('see <a href="/u/ada">the whole record</a>.');
  });

  it('folds details that no proof covers', () => {
    const folded = /<summary>What no proof can show<\/summary>([\s\S]*?)<\/details>/.exec(
      etchPage(site, etch()).html,
    )![1]!;
    expect(folded).toContain('wrote nothing else');
    expect(folded).toContain('not in the hash');
  });

  it('offers its checks only once it is anchored', () => {
    expect(shown(site, etch())).toContain('Verify it yourself');
    expect(shown(site, sealed({ chain: pending }))).not.toContain('Verify it yourself');
    expect(shown(site, sealed({ chain: pending }))).toContain('once it is anchored');
  });

  it('names the copies that a retraction cannot erase', () => {
    const page = (of: Etch): string => textOf(retractPage({ ...site, viewer }, of).html);
    expect(page(sealed())).toContain('The opening, if you saved it');
    expect(page(sealed())).not.toContain('while it was public');
    expect(page(etch())).toContain('Copies that others made while it was public.');
  });

  it('shows what no check covers in words, each name once', () => {
    const challenge = { id: etch().id, question: 'Does it rain? [yes|no]' } as Etch['challenge'];
    const answer = etch({ description: 'Sealed answer to: Does it rain? [yes|no]', challenge });
    const text = textOf(verifyEtchPage(site, { etch: answer, checks: null }).html);
    expect(text).toContain('TitleAnswer to: Does it rain?AccountAda @ada');
  });

  it('counts down to the opening without scripts', () => {
    const now = Date.parse('2026-05-01T12:00:00.000Z');
    expect(textOf(etchPage({ ...site, now }, sealed()).html)).toContain(
      'Sealed. It opens by itselfin 2 days',
    );
  });

  it('says when an etch was sealed and opened only if its time is proven', () => {
    const opened = (anchored_at: string | null) =>
      openedText(
        etch({
          mode: 'delayed',
          revealed_at: '2026-02-01T00:00:00.000Z',
          chain: { ...etch().chain, anchored_at },
        }),
      );
    const said = 'Sealed 2 January 2026, opened 1 February 2026 UTC';
    expect(opened('2026-01-02T03:14:05.678Z')).toBe(said);
    expect(opened('2026-01-02T03:14:05.679Z')).toBeNull();
    expect(opened(null)).toBeNull();
  });

  it('has no tick if nothing is proven', () => {
    for (const one of [etch({ chain: pending }), sealed({ chain: pending }), retracted({ chain: pending })])
      expect(etchPage(site, one).html).not.toContain('class="proven"');
  });
});

describe('proven and not proven', () => {
  const chain = (fields: Partial<Etch['chain']>): Etch['chain'] => ({ ...etch().chain, ...fields });
  const BY = '2 January 2026, 03:04:45 UTC';
  const HASH = `This hash existed by ${BY}.`;
  const SEALED = [
    `This hash existed by ${BY}: once the words are open, anyone can check that the words have this hash.`,
    'Its author cannot change the words any more, because different words have a different hash.',
  ];
  const WORDS = [
    `These exact words existed by ${BY}. That is 40 s after the stated time of writing, 2 January 2026, 03:04:05 UTC.`,
    'Nothing has changed since, not one character and not the stated time: the hash would differ.',
  ];
  const NOTHING: string[] = [];
  const BOUND =
    'Who wrote it: the hash contains an account id. Only this service says that the account is @ada; nothing shows who uses it.';
  const SAID = 'Who wrote it: only this service says that it was @ada.';
  const TEXT = [
    'That the words are true or came true. Read them and judge.',
    'That the author wrote nothing else: see the whole record.',
  ];
  const HIDDEN = [
    'The content. You can check it after the opening.',
    'The exact time of writing, which is hidden with the words; the UTC day is 2 January 2026.',
    'That the words stay secret until the opening: the operator of this service has their key.',
  ];
  const GONE =
    'What it said. The hash alone does not reveal it. A saved copy of the words and the salt still proves them.';
  const NOT_THERE = 'That it existed. Its hash is not on the chain yet.';
  const TOMBSTONE = 'The time of the erasure. Its tombstone is not on the chain yet.';
  const besides = (what: string): string => `${what}: not in the hash, so only this service says so.`;
  const INSTANT = besides('Description and topic');
  const DELAYED = besides('Description, topic and opening time');
  const ANSWERED = besides('Description, topic, opening time and which challenge it answers');
  const ERASED = 'Its erasure was recorded on the chain by 1 February 2026, 10:00:30 UTC.';
  const AWAY =
    'The time of the erasure. The chain has not been reachable for more than an hour, and the service keeps trying.';
  const revoked = { revocation_status: 'revoked', revoked_onchain_at: '2026-02-01T10:00:30.000Z' } as const;
  const [nameless, alone] = [chain({ tree_version: 1 }), chain({ tree_version: null })];
  const failed = { ...pending, status: 'failed' };
  const erased = retracted({ chain: chain(revoked) });
  const unerased = retracted({ chain: chain({ revocation_status: 'failed' }) });
  const takenDown = { retracted_by: 'operator', retraction_reason: 'abuse' } as object;
  const challenge = { id: etch().id } as NonNullable<Etch['challenge']>;
  it.each<[string, Etch, string[], string[]]>([
    ['anchored', etch(), WORDS, [...TEXT, BOUND, INSTANT]],
    ['anchored by itself', etch({ chain: alone }), WORDS, [...TEXT, BOUND, INSTANT]],
    ['opened', etch({ mode: 'delayed' }), WORDS, [...TEXT, BOUND, DELAYED]],
    ['on its way', etch({ chain: pending }), NOTHING, [...TEXT, BOUND, INSTANT]],
    ['sealed', sealed(), SEALED, [...HIDDEN, BOUND, DELAYED]],
    ['sealed, in a tree without authors', sealed({ chain: nameless }), SEALED, [...HIDDEN, SAID, DELAYED]],
    ['sealed, by itself', sealed({ chain: alone }), SEALED, [...HIDDEN, SAID, DELAYED]],
    ['sealed, on its way', sealed({ chain: pending }), NOTHING, [...HIDDEN, SAID, DELAYED]],
    ['sealed, the chain away', sealed({ chain: failed }), NOTHING, [...HIDDEN, SAID, DELAYED]],
    ['an answer', sealed({ challenge }), SEALED, [...HIDDEN, BOUND, ANSWERED]],
    ['retracted', retracted(), [HASH], [GONE, TOMBSTONE, BOUND, INSTANT]],
    ['retracted, without authors', retracted({ chain: nameless }), [HASH], [GONE, TOMBSTONE, SAID, INSTANT]],
    ['retracted, attested', erased, [HASH, ERASED], [GONE, BOUND, INSTANT]],
    ['taken down, attested', { ...erased, ...takenDown }, [HASH, ERASED], [GONE, BOUND, INSTANT]],
    ['retracted, the chain away since', unerased, [HASH], [GONE, AWAY, BOUND, INSTANT]],
    [
      'retracted, never anchored',
      retracted({ chain: pending }),
      NOTHING,
      [GONE, NOT_THERE, TOMBSTONE, SAID, INSTANT],
    ],
  ])('an etch that is %s', (_, of, proven, notProven) => {
    const isGeneral = (line: string): boolean => line === TEXT[1] || line.includes('not in the hash');
    const status = proofStatusOf(of, { devnet: false });
    expect(status).toMatchObject({
      provenTitle: 'Proven',
      proven,
      notProven: notProven.filter((line) => !isGeneral(line)),
      caveats: notProven.filter(isGeneral),
    });
    expect(status.unproven?.startsWith('Nothing to other people yet') ?? false).toBe(proven.length === 0);
    expect(proofStatusOf(of, { devnet: true }).proven).toEqual(proven);
    expect(proofStatusOf(of, { devnet: true }).caveats).toEqual([
      ...notProven.filter(isGeneral),
      'Anything to other people. This is a development chain, and its operator could rewrite it.',
    ]);
  });
});

describe('a challenge', () => {
  const counts = { etches: 2, participants: 2, sealed: 0, revealed: 2, retracted: 0 };
  const at = { reveal_at: '2026-05-03T12:00:00.000Z', question: 'Does it rain? [yes|no]' };
  it.each([
    [{ sealed: 2, revealed: 0 }, false, 'Open until 3 May 2026, 12:00 UTC'],
    [{}, true, 'Closed, not resolved'],
    [{ revealed: 1, retracted: 1 }, true, 'Closed, not resolved'],
    [{ revealed: 0, retracted: 2 }, true, 'Closed, not resolved: every answer was retracted'],
    [{ revealed: 1, taken_down: 1 }, true, 'Closed, not resolved'],
    [
      { revealed: 0, retracted: 1, taken_down: 1 },
      true,
      'Closed, not resolved: every answer was retracted or taken down',
    ],
    [{ etches: 0, revealed: 0 }, true, 'Closed, not resolved: no answers'],
  ])('%o, closed: %s', (changed, closed, headline) => {
    const some = { ...counts, ...changed };
    const status = challengeStatus({ ...at, closed }, some, { devnet: false });
    expect(status.headline).toBe(headline);
    expect(status.notProven).toContain(
      'That these are all the answers: which challenge an etch answers is not in its hash.',
    );
    expect(status).toMatchObject({ provenTitle: 'Proven', caveats: [] });
    expect(challengeStatus({ ...at, closed }, some, { devnet: true })).toMatchObject({
      provenTitle: 'Proven, if you trust this chain',
      caveats: [expect.stringContaining('Anything to other people.')],
    });
    expect(status.lead.includes('1 answer opened on')).toBe(closed && some.revealed === 1);
    expect(status.lead.includes('retracted')).toBe(some.retracted > 0);
    expect(status.lead.includes('taken down by the operator')).toBe('taken_down' in some);
  });
});

it('an unresolved challenge is not green, and a closed one with free text is “Closed”', () => {
  const counts = { etches: 1, participants: 1, sealed: 0, revealed: 1, retracted: 0 };
  const of = (question: string, result?: string) => {
    const closed = { closed: true, reveal_at: '2026-05-03T12:00:00.000Z', question };
    const { tone, headline } = challengeStatus(closed, counts, { result, devnet: false });
    return [tone, headline];
  };
  expect(of('Rain? [yes|no]')).toEqual(['pending', 'Closed, not resolved']);
  expect(of('Rain? [yes|no]', 'Yes.')).toEqual(['revealed', 'Yes.']);
  expect(of('Why?')).toEqual(['revealed', 'Closed']);
});

describe('the expected wait', () => {
  it.each([
    [2, 'within a few seconds'],
    [60, 'within about a minute'],
    [undefined, 'within about a minute'],
    [300, 'within about 5 min'],
    [3_600, 'within about 1 h'],
  ])('anchoring every %s s in words', (anchorSeconds, words) => {
    for (const waiting of [etch({ chain: pending }), sealed({ chain: pending })])
      expect(proofStatusOf(waiting, { devnet: false, anchorSeconds }).lead).toContain(words);
  });
});
