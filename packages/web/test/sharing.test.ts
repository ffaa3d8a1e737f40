import { QUICKNET } from '@svc/protocol/timelock';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it, test } from 'vitest';
import { readVector } from '../../../testing/vectors/vectors.ts';
import { type Card, cardText, cardVersion, challengeCard, etchCard, homeCard } from '../src/cards/card.ts';
import { drawCard } from '../src/cards/draw.ts';
import { fontsFor, openFonts } from '../src/cards/fonts.ts';
import { isRightToLeft, wrap } from '../src/cards/lines.ts';
import { atomFeed } from '../src/sharing/atom.ts';
import { embedPage, embedPolicy } from '../src/sharing/embed.tsx';
import { recordCard } from '../src/sharing/record-embed.tsx';
import { etchOembed } from '../src/sharing/oembed.ts';
import { accountScore, closedChallenge } from '../../../testing/scored.ts';
import {
  devnetSite,
  etch,
  lastPage,
  pending,
  recordCounts,
  retracted,
  sealed,
  site,
  textOf,
  user,
} from '../../../testing/views.ts';

const { measure, drawable } = openFonts();
const anyText = fc.string({ unit: 'binary', minLength: 1, maxLength: 300 });
const NASTY = [
  '<script>alert(1)</script>',
  ']]></content><entry>',
  '"><img src=x onerror=alert(1)>',
  '\u202e\u2066\u001b[31m\ufffe\uffff\u0000',
  '👩‍👩‍👧‍👦'.repeat(300),
  'x'.repeat(2_000),
  'Z\u0301\u0302'.repeat(700),
  'مرحبا بالعالم '.repeat(140),
];

/** @throws if it is not well-formed */
function parse(xml: string): void {
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
}

test('the picture of a track record shows calibration and every denominator', () => {
  const calibration = Array.from({ length: 10 }, (_, at) => ({ from: at / 10, n: 50 + at, yes: at }));
  const summary = (n: number) => ({
    brier: { binary: { n, mean: 0.18 }, several: { n: 15, mean: 0.4 } },
    calibration,
  });
  const states = { late: 11, malformed: 12, void: 13, unresolved: 10, pending: 11, retracted: 13 };
  const score = {
    counts: {
      forecasts: 1200,
      scored: 950,
      ...states,
      sealed: 44,
      taken_down: 11,
      self_resolved: 100,
      sealed_etches: 46,
      retractions: 33,
      takedowns: 11,
    },
    scores: { by_others: summary(800), self_resolved: summary(100) },
  };
  const card = recordCard(site, { username: 'ada', name: 'Ada', score: score as never });
  const lines = [...drawCard(card, measure).matchAll(/<text[^>]*>([^<]*)/g)].map(([, line]) => line);
  const drawn = lines.join(' ');
  for (const part of [
    'Average Brier score 0.18 over 800 yes/no forecasts',
    'from 0 %, 0 of 50; from 10 %, 1 of 51;',
    'from 90 %, 9 of 59 came true.',
    '1,200 forecasts: 950 scored',
    '20 etches retracted, 2 sealed: some may be forecasts too.',
  ])
    expect(drawn).toContain(part);
  expect(drawn).not.toContain('…');
});

describe('lines of a picture', () => {
  it('fit any text into their number and width', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 4 }), (text, most) => {
        const lines = wrap(text, 40, 'text', measure, 500, most);
        expect(lines.length).toBeGreaterThan(0);
        expect(lines.length).toBeLessThanOrEqual(most);
        for (const line of lines) expect(measure(line, 40, 'text')).toBeLessThanOrEqual(500);
      }),
      { numRuns: 200 },
    );
  });

  it('break between words, inside a word only if it is wider than a line, and mark a cut', () => {
    const wide = (text: string): number => text.length * 10;
    expect(wrap('one two three four', 1, 'text', wide, 80, 9)).toEqual(['one two', 'three', 'four']);
    expect(wrap('abcdefghijkl mn', 1, 'text', wide, 50, 9)).toEqual(['abcde', 'fghij', 'kl mn']);
    expect(wrap('one two three four', 1, 'text', wide, 80, 2)).toEqual(['one two', 'three…']);
    expect(wrap('春眠不觉晓', 1, 'text', wide, 20, 9)).toEqual(['春眠', '不觉', '晓']);
    expect(wrap('👩‍👩‍👧‍👦🇫🇷', 1, 'text', wide, 500, 1)).toEqual(['👩FR']);
  });

  it('show a box for each character that no font has, and leave all others as they are', () => {
    expect(drawable('हिन्दी')).toMatch(/^□+$/);
    expect(drawable('a አ b')).toBe('a □ b');
    for (const text of ['Tide é Ω Ж', 'Z\u0301', 'שָׁלוֹם مرحبًا', 'ภาษาไทยไม่มีช่องว่าง', '한국어 潮が', '👩‍🚀❤️'])
      expect(drawable(text), text).toBe(text);
  });

  it('begin at the side where the script begins', () => {
    expect(['(שלום) abc', 'abc שלום', '123'].map(isRightToLeft)).toEqual([true, false, false]);
  });

  it('find fonts for many scripts and emoji, and load none of them for other texts', () => {
    const base = fontsFor('tide').length;
    expect(fontsFor('潮').length).toBe(base + 1);
    for (const text of ['ไทย', '한국어', '🚀']) expect(fontsFor(text).length, text).toBeGreaterThan(base);
    expect(fontsFor('é Ω Ж').length).toBe(base);
  });
});

describe('the picture of a result', () => {
  const answers = { answers: 4, read: 4 };
  const outcomes = [
    { name: 'Berlin', mean: 62 },
    { name: 'Bergen', mean: 38 },
  ];
  const { challenge, counts } = closedChallenge;
  const asked = { ...challenge, question: 'Where is the first frost? [Berlin|Bergen]' };
  const first = { outcome: 'Berlin', source: null, etch_id: etch().id, created_at: etch().created_at };
  const card = challengeCard(site, asked, {
    counts,
    outcome: { first } as never,
    score: {
      counts: { scored: 1 },
      standings: [
        {
          rank: 1,
          state: 'scored',
          username: 'dmitri',
          forecast: { form: 'outcomes', outcomes: [{ name: 'Berlin', millionths: 900_000 }] },
        },
      ],
    } as never,
    distribution: { ...answers, kind: 'outcomes', outcomes },
  });

  it('shows question, outcome, the closest forecaster and the distribution, with the outcome marked', () => {
    const drawn = [...drawCard(card, measure).matchAll(/<text[^>]*>(.*?)<\/text>/g)]
      .map(([, line]) => line!.replaceAll(/<[^>]*>/g, ''))
      .join('|');
    for (const part of [
      'Where is the first frost?',
      'Berlin. @dmitri was closest: 90 %.',
      '✓ Berlin',
      '62 %',
      'Bergen',
      '38 %',
    ])
      expect(drawn).toContain(part);
  });

  it('says in sentences what it shows', () => {
    expect(cardText(card)).toContain(
      'Where is the first frost? Berlin. @dmitri was closest: 90 %. Berlin 62 % (the outcome), Bergen 38 %.',
    );
    const opened = etch({
      mode: 'delayed',
      reveal_at: '2026-08-01T00:00:00.000Z',
      revealed_at: '2026-08-01T00:00:00.000Z',
    });
    expect(cardText(etchCard(site, opened))).toMatch(
      /^Sealed 2 January 2026, opened 1 August 2026 UTC\. .*\. Its author is .*\. The proof dates from 2 January 2026, 03:04 UTC, and the hash is .*\.$/,
    );
    for (const shown of [card, etchCard(site, sealed()), homeCard(site)])
      expect(cardText(shown)).not.toMatch(/\.\.|\?\.|: \./);
  });

  it('draws a seal only for an etch that was sealed', () => {
    const opened = etch({ mode: 'delayed', reveal_at: '2026-02-01T10:00:00.000Z' });
    // The mark of the service is the first group.
    const groups = [etch(), opened, sealed(), retracted()].map(
      (one) => drawCard(etchCard(site, one), measure).split('<g ').length - 1,
    );
    expect(groups).toEqual([1, 2, 2, 2]);
  });

  it('uses the typefaces of the pages, and other letters only where they have none', () => {
    const latin = drawCard(etchCard(site, etch()), measure);
    expect(new Set([...latin.matchAll(/font-family="([^"]+)"/g)].map(([, name]) => name))).toEqual(
      new Set(['Besley', 'Figtree Light']),
    );
    expect(drawCard(etchCard(site, etch({ description: 'керн' })), measure)).toContain('DejaVu Sans');
  });
});

describe('a card', () => {
  it('is well-formed for any text, without control characters or foreign markup', () => {
    for (const text of NASTY) {
      const author = { ...etch().author, display_name: text };
      const svg = drawCard(etchCard(site, etch({ content: text, description: text, author })), measure);
      parse(svg);
      expect(svg).not.toMatch(/<script|<img|<image/);
      // Only our own direction marks remain: one opens a line and one closes it.
      expect(svg.split('\u202b').length).toBe(svg.split('\u202c').length);
      expect(svg).not.toMatch(/[\u202d\u202e\u2066-\u2069]/);
    }
    fc.assert(
      fc.property(anyText, (text) => {
        parse(drawCard(etchCard(site, etch({ content: text, description: text })), measure));
      }),
      { numRuns: 100 },
    );
  });

  it('shows the state, and has a different version for each state', () => {
    const detail = { ...closedChallenge.challenge, closed: false };
    const counts = { etches: 2, participants: 2, sealed: 2, revealed: 0, retracted: 0 };
    const cards: Card[] = [
      etchCard(site, etch()),
      etchCard(site, etch({ chain: pending })),
      etchCard(site, sealed()),
      etchCard(site, retracted()),
      etchCard(devnetSite, etch()),
      challengeCard(site, detail, { counts }),
      challengeCard(site, { ...detail, closed: true }, { counts }),
      challengeCard(site, detail, { counts: { ...counts, etches: 3 } }),
      etchCard(site, retracted({ chain: pending })),
    ];
    // An etch that was never anchored has no proof.
    expect(cards[3]!.absent).toBe('The words were erased by their author. The proof stays.');
    expect(cards.at(-1)!.absent).toBe('The words were erased by their author. Their hash remains.');
    expect(cards[2]!.absent).toBe('The service hides the words until then. Its operator has their key.');
    expect(cards[6]!.absent).toBe('Answers were sealed until the close.');
    expect(cards.slice(5, 7).map(({ state }) => state)).toEqual([
      'Challenge. Open',
      expect.stringMatching(/^Challenge\. Closed/),
    ]);
    const unanswered = { counts: { ...counts, etches: 0 } };
    expect(challengeCard(site, { ...detail, closed: true }, unanswered).absent).toBeNull();
    expect(new Set(cards.map(cardVersion)).size).toBe(cards.length);
    // Anchored, pending, and on a development chain.
    expect(cards.map(({ words }) => words)).toEqual(
      cards.map((_, at) => ([0, 1, 4].includes(at) ? 'The tide turns.' : null)),
    );
    expect(cardVersion(cards[0]!)).toBe(cardVersion(etchCard(site, etch())));
  });

  it('shows author and opening time instead of ciphertext', () => {
    const [seal] = readVector('valid/blind-seals').seals;
    const blind = etch({ content: seal.words, created_at: seal.created_at });
    expect(etchCard({ ...site, drand: QUICKNET }, blind)).toMatchObject({
      tone: 'sealed',
      state: expect.stringMatching(/^Blind seal until 23 August 2023/) as string,
      words: null,
      absent: 'The words are encrypted to round 1000 of the drand network, and this service never had them.',
    });
    expect(etchCard(site, blind).words).toContain('svc-tlock:v1');
  });
});

describe('an embed', () => {
  const parts = { style: 'p{}', styleHash: 'abc=' };
  it('adds no element for any text, and loads nothing', () => {
    const count = (html: string): number =>
      (html.replace(/<span class="unseen">/g, '').match(/<[a-z]/g) ?? []).length;
    const expected = count(embedPage(site, etch(), parts));
    for (const text of NASTY) {
      const html = embedPage(site, etch({ content: text, description: text }), parts);
      expect(count(html)).toBe(expected);
      expect(html).not.toMatch(/<script|<[^>]*\ssrc=|url\(/);
    }
    expect(embedPolicy(parts)).toContain("style-src 'sha256-abc='");
  });

  it('names the outcome of a resolved answer', () => {
    const result = { ...accountScore.forecasts[0]!, outcome: 'Berlin' };
    expect(textOf(embedPage(site, etch(), parts, result))).toContain('Resolved: Berlin.');
    expect(textOf(embedPage(site, etch(), parts))).not.toContain('Resolved');
  });

  it('says what is proven, and that a development chain proves nothing to others', () => {
    expect(textOf(embedPage(site, etch(), parts))).toContain('Anchored 40 s after it was written');
    const opened = { mode: 'delayed', revealed_at: '2026-02-03T04:05:06.000Z' } as object;
    const frame = embedPage(site, etch(opened), parts);
    expect(textOf(frame)).toContain('Sealed 2 January 2026, opened 3 February 2026 UTC');
    expect(frame).toContain('class="glyph seal"');
    const late = etch({ ...opened, chain: { ...etch().chain, anchored_at: '2026-03-02T03:04:05.000Z' } });
    const lateFrame = textOf(embedPage(site, late, parts));
    expect(lateFrame).toContain('the time proven is the later one');
    expect(lateFrame).not.toContain('Sealed 2 January');
    expect(etchCard(site, late).state).toContain('the time proven is the later one');
    expect(textOf(embedPage(devnetSite, sealed(), parts))).toContain(
      'whoever runs this development chain can rewrite it',
    );
  });
});

it('a frame is as high as its card, up to a limit and to the consumer’s size', () => {
  const height = (content: string, maxWidth = 600): number =>
    etchOembed(site, etch({ content }), 'https://etch.example/p.png', { maxWidth }).height;
  const heights = [1, 100, 300, 500, 2_000].map((length) => height('x '.repeat(length / 2)));
  expect(heights).toEqual([...heights].sort((a, b) => a - b));
  expect(new Set(heights).size).toBeGreaterThan(3);
  expect(height('x '.repeat(1_000))).toBe(height('潮'.repeat(2_000)));
  expect(height('a\nb\nc')).toBeGreaterThan(height('a b c'));
  expect(height('x '.repeat(100), 340)).toBeGreaterThan(height('x '.repeat(100)));
});

it('the markup of an oEmbed answer keeps any title inside one attribute', () => {
  for (const description of NASTY) {
    const { html } = etchOembed(site, etch({ description }), 'https://etch.example/p.png', {});
    expect(html.match(/</g)).toHaveLength(2);
    expect(html.match(/"/g)).toHaveLength(16);
  }
});

it('renders a well-formed feed for any text', () => {
  const feed = (text: string): string => {
    const etches = [etch({ content: text, description: text })];
    const data = { user: { ...user, display_name: text }, counts: recordCounts, etches, page: lastPage };
    return atomFeed(site, data, { cursor: undefined });
  };
  for (const text of NASTY) parse(feed(text));
  fc.assert(
    fc.property(anyText, (text) => parse(feed(text))),
    { numRuns: 100 },
  );
});
