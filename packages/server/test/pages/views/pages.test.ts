// Runs without a database.
import { describe, expect, it } from 'vitest';
import { aboutPage } from '../../../src/http/pages/about.tsx';
import { accountPage } from '../../../src/http/pages/account.tsx';
import { challengePage } from '../../../src/http/pages/challenge.tsx';
import { accountCard } from '@svc/web/cards/card';
import { chooseExample } from '@svc/web/try-example';
import { etchPage } from '../../../src/http/pages/etch.tsx';
import { howToVerifyPage } from '../../../src/http/pages/how-to-verify.tsx';
import { installPage } from '../../../src/http/pages/install.tsx';
import { openSealPage } from '../../../src/http/pages/open-seal.tsx';
import { privacyPage } from '../../../src/http/pages/privacy.tsx';
import { problemPage } from '../../../src/http/pages/problem.tsx';
import { searchPage } from '../../../src/http/pages/search.tsx';
import { previewEtchPage } from '../../../src/http/pages/signed-in/preview-etch.tsx';
import { writePage } from '../../../src/http/pages/signed-in/write.tsx';
import { cookieNames } from '../../../src/http/pages/site.ts';
import { topicPage } from '../../../src/http/pages/topic.tsx';
import { statusPage } from '../../../src/http/pages/status.tsx';
import { verifyEtchPage } from '../../../src/http/pages/verify-etch.tsx';
import { verifyPage } from '../../../src/http/pages/verify.tsx';
import type { HttpDependencies } from '../../../src/http/dependencies.ts';
import { findAddressOf } from '../../../src/http/pages/find-subject.ts';
import { closedChallenge } from '../../../../../testing/scored.ts';
import {
  challenge,
  etch,
  HEX,
  lastPage,
  retracted,
  sealed,
  site,
  textOf,
  user,
} from '../../../../../testing/views.ts';

const counts = { total: 3, active: 2, revealed: 1, retracted: 1, sealed_pending_reveal: 1 };

type Days = Parameters<typeof accountPage>[2]['days'];
const accountOf = (data: Partial<Parameters<typeof accountPage>[1]>, days: Days): string =>
  accountPage(site, { user, counts, etches: [], page: lastPage, ...data }, { days, isFirst: true }).html;

const STATUS = {
  ...({ status: 'operational', version: '1.0.0', commit: null, schema: 1, parts: [] } as const),
  checked_at: '2026-01-02T03:04:05.678Z',
  anchoring: null,
  last_batch: null,
  days: null,
  operator_acts: null,
  log: null,
  witnesses: [],
  relayer: {
    address: HEX('a').slice(24),
    health: 'ok',
    balance: null,
    days_left: null,
    attested_before: null,
  },
} as const;

const onePage = { number: 1, pages: 1, total: 1 };
const tryable = etch({
  canonical_string: `svc:v1|${etch().author.user_id}|${etch().created_at}|${HEX('5')}|Hm.`,
});

const NO_OPERATOR = { accounts: [], witnesses: [], calendars: [], authorities: 0 };

describe('pages', () => {
  it('the status names each witness with its fault, and why the log of trees signs nothing', () => {
    const witnesses = [
      { name: 'one', behind_seconds: 0, fault: null },
      { name: 'two', behind_seconds: 7_300, fault: 'it answers status 500' },
    ];
    const text = textOf(statusPage(site, { ...STATUS, witnesses }).html);
    expect(text).toMatch(/one\s*has cosigned every tree/);
    expect(text).toMatch(/two\s*is 2 hours behind: it answers status 500/);
    const held = { ...STATUS, witnesses: [], log: { held: 'it has 5 trees', index_held: null } };
    expect(textOf(statusPage(site, held).html)).toMatch(/Log of trees\s*it has 5 trees/);
    const ended = { ...STATUS, witnesses: [], log: { held: null, index_held: 'the index of accounts ends' } };
    expect(textOf(statusPage(site, ended).html)).toMatch(/Log of trees\s*the index of accounts ends/);
    const plain = statusPage(site, { ...STATUS, witnesses: [] }).html;
    expect(plain).not.toContain('Witnesses');
    expect(plain).not.toContain('Log of trees');
  });

  it('the page of an account shows counts, its record as a picture, and retractions', () => {
    const page = { ...lastPage, has_more: true, next_cursor: 'next-one' };
    const html = accountOf({ etches: [etch(), sealed(), retracted()], page }, [
      { day: '2026-01-02', revealed: 1, sealed: 1, retracted: 0, taken_down: 0 },
      { day: '2026-02-03', revealed: 0, sealed: 0, retracted: 1, taken_down: 0 },
    ]);
    expect(html).toContain('Etches from 2 January 2026 to 3 February 2026: 1 public, 1 sealed, 1 retracted.');
    expect(html.match(/<rect /g)).toHaveLength(3);
    expect(html).not.toContain('taken down');
    expect(html).toContain('/u/ada?cursor=next-one');
    expect(textOf(html)).toContain('Erased by its author on 1 February 2026');
  });

  it('the page of an account separates takedowns from retractions in the picture', () => {
    const html = accountOf({ counts: { ...counts, taken_down: 2 } }, [
      { day: '2026-01-02', revealed: 1, sealed: 0, retracted: 1, taken_down: 2 },
      { day: '2026-01-04', revealed: 1, sealed: 0, retracted: 0, taken_down: 0 },
    ]);
    expect(html).toContain('2 public, 0 sealed, 1 retracted, 2 taken down by the operator.');
    const height = (kind: string) =>
      Number(new RegExp(`<rect class="${kind}"[^>]* height="([\\d.]+)"`).exec(html)![1]);
    expect(height('taken_down')).toBeGreaterThan(height('retracted'));
    expect(textOf(html)).toContain('taken down by the operator');
  });

  it.each([3, 61, 500, 7_000])('the page of an account draws a record of %i days', (length) => {
    const days = Array.from({ length }, (_, index) => ({
      day: new Date(Date.UTC(2010, 0, 1 + index)).toISOString().slice(0, 10),
      revealed: 1,
      sealed: 0,
      retracted: 0,
      taken_down: 0,
    }));
    const html = accountOf({}, days);
    const bars = [...html.matchAll(/<rect class="revealed" x="([\d.]+)"[^>]* height="([\d.]+)"/g)];
    expect(bars.length).toBeGreaterThan(0);
    expect(bars.length).toBeLessThanOrEqual(61);
    for (const [, x, height] of bars) {
      expect(Number(x)).toBeLessThan(720);
      expect(Number(height)).toBeLessThanOrEqual(96);
    }
  });

  it('the page of a challenge says until when answers are hidden, and continues by cursor', () => {
    const data = {
      challenge: { ...closedChallenge.challenge, closed: false },
      counts: { etches: 2, participants: 2, sealed: 2, revealed: 0, retracted: 0 },
      sort: 'newest' as const,
      etches: [sealed(), sealed()],
      page: { limit: 30, has_more: true, next_cursor: 'c1' },
    };
    const open = challengePage(site, data, { isFirst: true }).html;
    expect(textOf(open)).toContain('Open until 3 May 2026, 12:00 UTC');
    expect(open).toContain(`/ch/${challenge.id}?cursor=c1`);
    // A reader comes to answer, so the proof is folded.
    expect(open).toContain('<summary>What is proven, and what is not');
    expect(textOf(open)).toMatch(/Answers so far\s*2 sealed/);
    const over = { ...data, challenge: { ...data.challenge, closed: true } };
    const closed = challengePage(site, over, { isFirst: false }).html;
    expect(closed).toMatch(/<h2 class="standing-line revealed" id="standing">.*?<span>Closed<\/span><\/h2>/);
    expect(closed).toContain('First page');
  });

  it.each([
    [{ etches: 1, revealed: 0, taken_down: 1 }, '1 taken down by the operator'],
    [
      { etches: 3, revealed: 1, retracted: 1, taken_down: 1 },
      '3: 1 public, 1 retracted, 1 taken down by the operator',
    ],
  ])('the page of a challenge counts answers that the operator took down: %o', (changed, line) => {
    const counted = { ...closedChallenge, counts: { ...closedChallenge.counts, ...changed } };
    expect(textOf(challengePage(site, counted, { isFirst: false }).html)).toContain(`Answers${line}`);
  });

  it('a search and the picture of an account count takedowns', () => {
    const all = { ...counts, total: 5, taken_down: 2 };
    const line = '5 etches: 1 public, 1 sealed, 1 retracted, 2 taken down by the operator';
    expect(accountCard(site, user, all).absent).toBe(`${line}.`);
    const found = { ...user, verified: false, counts: all, match_count: 0 };
    const html = searchPage(site, {
      among: 'accounts',
      query: { q: 'ada', sort: 'best', categories: [] },
      accounts: [found],
      page: { number: 1, pages: 1, total: 1 },
    }).html;
    expect(textOf(html)).toContain(line);
  });

  it('a search keeps its filters from page to page', () => {
    const { html } = searchPage(site, {
      among: 'etches',
      query: { q: 'tide', sort: 'newest', categories: ['ai', 'tech'], statuses: ['sealed'] },
      etches: [sealed()],
      page: { number: 2, pages: 3, total: 70, limit: 30 },
    });
    expect(html).toContain('q=tide&amp;sort=newest&amp;category=ai,tech&amp;status=sealed&amp;page=3');
    expect(html).toContain('in=challenges&amp;q=tide');
  });

  const foundAnswers = (question: string, q: string, answers: readonly string[]): string => {
    const asked = { id: challenge.id, question, url: challenge.url };
    const etches = answers.map((content, at) =>
      etch({ id: etch().id.replace(/^./, `${at + 7}`), mode: 'delayed', challenge: asked, content }),
    );
    return searchPage(site, {
      among: 'etches',
      query: { q, sort: 'best', categories: [], statuses: [] },
      etches,
      page: { number: 1, pages: 1, total: 2, limit: 30 },
    }).html;
  };

  it('a search marks what it found in answers that are one entry', () => {
    const html = foundAnswers('Does it snow? [yes|no]', 'snow', [
      'svc-forecast:v1 yes=0.6\nNo snow.',
      `svc-forecast:v1 yes=0.7\n${'Frost and '.repeat(20)}snow.`,
    ]);
    expect(textOf(html)).toContain('2 answers below');
    expect(html.match(/<mark>(?:<bdi>)?snow/g)).toHaveLength(3);
    expect(textOf(html)).toMatch(/yes 60 %: No snow\..*yes 70 %: ….*snow\./);
    const numbers = foundAnswers('How long? [number: nights]', 'sea', [
      'svc-forecast:v1 q10=4 q50=7 q90=11\nThe sea.',
      'svc-forecast:v1 q10=5 q50=8 q90=12\nThe sea again.',
    ]);
    expect(textOf(numbers)).toContain('7 nights (4 to 11): The sea.');
  });

  it('a page beyond the last one links to the last one', () => {
    const { html } = topicPage(site, {
      category: { id: 'ai', label: 'AI' },
      etches: [],
      page: { number: 9, pages: 2, total: 40 },
    });
    expect(html).toContain('/topics/ai?page=2');
    expect(textOf(html)).toContain('This page of the list is empty.');
  });

  it('each verdict has its own word', () => {
    const words = (['pass', 'fail', 'wait', 'info'] as const).map((verdict) => {
      const check = { key: 'chain', title: 'The chain', badge: 'attested', detail: 'Because.' } as const;
      const checks = [
        { ...check, verdict, evidence: [{ label: 'Root', value: HEX('1'), copy: true }], learn: '' },
      ];
      const { html } = verifyEtchPage(site, { etch: etch(), checks });
      expect(html).toContain(`data-verdict="${verdict}"`);
      return /class="verdict [a-z]+">.*?<\/svg>\s*([A-Za-z ]+)</s.exec(html)![1]!.trim();
    });
    expect(new Set(words).size).toBe(4);
  });

  it('the three checks are explained at the links of the checks', () => {
    const { html } = howToVerifyPage(site, chooseExample([]));
    for (const id of ['words', 'batch', 'chain']) expect(html).toContain(`<h2 id="${id}">`);
    expect(etchPage(site, etch()).readsChain).toBe(false);
  });

  it('the verify page begins with the drop field, and earlier anchors lead to the lesson', () => {
    const { html, readsChain } = verifyPage(site, []);
    expect(readsChain).toBe(true);
    expect(html).toMatch(
      /<h1>Verify<\/h1><p class="lead">[^<]+<\/p><\/header><section[^>]*><form class="drop"/,
    );
    for (const id of ['words', 'batch', 'chain'])
      expect(html).toContain(`<li id="${id}"><a href="/verify/how#${id}">`);
    expect(html).toContain('href="/verify/how#command" id="command"');
  });

  it.each([
    ['0'.repeat(63), 'A hash has 64 digits; this has 63.'],
    ['0x' + 'a'.repeat(65), 'A hash has 64 digits; this has 65.'],
    ['https://other.example/e/a2b7xh', 'This link belongs to another site.'],
    ['a2b7xh', 'No etch or challenge here has this code.'],
    ['0'.repeat(64), 'Nothing here has this link, hash or code.'],
    ['a book', 'Nothing here has this link, hash or code.'],
  ])('the verify page says why it found nothing for %s', (q, why) =>
    expect(textOf(verifyPage(site, [], { q }).html)).toContain(why),
  );

  it('the verify page marks a field whose text names nothing', () => {
    expect(verifyPage(site, [], { q: 'a book' }).html).toContain('aria-describedby="verify-miss"');
    expect(verifyPage(site, []).html).not.toContain('aria-invalid');
  });

  it.each([
    [`${site.baseUrl}/e/a2b7xh?x=1`, '/e/a2b7xh?x=1'],
    ['http://etch.example/e/a2b7xh', '/e/a2b7xh'],
    ['http://etch.example:8080/e/a2b7xh', undefined],
    ['https://other.example/e/a2b7xh', undefined],
    ['ftp://etch.example/e/a2b7xh', undefined],
  ])('the verify page finds the path of the link %s', async (link, path) => {
    // A link needs no database.
    const from = { baseUrl: site.baseUrl, etches: {} } as HttpDependencies;
    expect(await findAddressOf(from, link)).toBe(path);
  });

  it('the verify page offers an etch that opened here', () => {
    const { html } = verifyPage(site, [], { example: etch() });
    expect(html).toContain(`<a href="/e/${etch().id}/verify">an etch that opened here</a>`);
    expect(textOf(verifyPage(site, []).html)).not.toContain('an etch that opened here');
  });

  it('the page of checks begins with the title, which links to the etch', () => {
    const { html } = verifyEtchPage(site, { etch: etch(), checks: null });
    expect(html).toMatch(/<h1><a href="\/e\/[\w-]+"><bdi>About the tide<\/bdi><\/a><\/h1>/);
  });

  it('a retracted etch says its state once in large', () => {
    const { html } = etchPage(site, retracted());
    expect(html.match(/id="standing"/g)).toHaveLength(1);
    expect(textOf(html).match(/the text is erased/g)).toHaveLength(1);
  });

  it('the page of an etch links to the record, and the page of an answer to the other answers', () => {
    expect(textOf(etchPage(site, etch()).html)).toContain('the record of @ada');
    const challenge = { id: etch().id, question: 'Why?', url: site.baseUrl } as ReturnType<
      typeof etch
    >['challenge'];
    expect(etchPage(site, etch({ challenge })).html).toContain(
      `<a href="/ch/${etch().id}">All answers to this challenge</a>`,
    );
  });

  it('the status draws the days, and says which were late', () => {
    const days = [
      { day: '2026-01-01', anchored: 1_200, slowest_seconds: 601 },
      { day: '2026-01-02', anchored: 0, slowest_seconds: null },
      { day: '2026-01-03', anchored: 34, slowest_seconds: 90 },
    ];
    const html = statusPage(site, { ...STATUS, days }).html;
    const text = textOf(html);
    expect(text).toContain(
      '1,234 etches and retractions anchored in 3 days, the slowest tree 10 minutes after its newest leaf.',
    );
    expect(text).toContain('Late, after more than 10 minutes: 1 day.');
    expect(text).toMatch(/3 January 2026\s*34\s*90 seconds\s*1 January 2026\s*1,200\s*10 minutes, late/);
    expect(html.match(/<rect/g)).toHaveLength(3);
    const quick = days.map((day) => ({ ...day, slowest_seconds: day.slowest_seconds && 90 }));
    expect(textOf(statusPage(site, { ...STATUS, days: quick }).html)).toContain(
      'No tree took more than 10 minutes.',
    );
  });

  it('the status says that a build has uncommitted changes', () => {
    const text = (commit: string) => textOf(statusPage(site, { ...STATUS, commit }).html);
    expect(text('a'.repeat(40))).toContain('commit aaaaaaaaaaaa, schema');
    expect(text(`${'a'.repeat(40)}-dirty`)).toContain('commit aaaaaaaaaaaa with uncommitted changes, schema');
  });

  it.each([
    ['a'.repeat(40), 'The build is reproducible: run npm run build at commit aaaa'],
    [`${'a'.repeat(40)}-dirty`, 'This build has uncommitted changes, so it cannot be reproduced.'],
    [null, 'The build is reproducible: run npm run build at the same commit'],
  ])('the install page says whether the build of %s can be reproduced', (commit, line) => {
    const file = { name: 'svc-cli.tgz', package: '@svc/cli', bytes: 1, sha256: 'b'.repeat(64) };
    const program = { ...file, url: '/install/svc.mjs', fixed_url: '/install/svc-b.mjs' };
    const text = textOf(installPage(site, { version: '1.0.0', commit, program, tarballs: [] }).html);
    expect(text).toContain(line);
  });

  it('the status draws no chart while nothing was anchored', () => {
    const days = ['2026-01-01', '2026-01-02'].map((day) => ({ day, anchored: 0, slowest_seconds: null }));
    const { html } = statusPage(site, { ...STATUS, days });
    // A chain outage leaves the days empty too, so the page names no cause.
    expect(textOf(html)).toContain('Nothing was anchored in the last 2 days. The chart begins');
    expect(html).not.toContain('class="days');
  });

  it('names the operator only by settings', () => {
    const about = (operator: object) =>
      textOf(
        aboutPage(site, {
          securityContact: 'mailto:a@example.org',
          operator: { ...NO_OPERATOR, ...operator },
          info: null,
        }).html,
      );
    expect(about({ name: 'The harbour <b>' })).toMatch(/Operator\s*The harbour <b>/);
    expect(about({})).toMatch(/a@example\.org[^]*No witness cosigns[^]*Only the chain has a time/);
    expect(about({})).not.toContain('Accounts of the operator');
    expect(about({})).toMatch(
      /Not published\s*the operator’s name, accounts that speak for it, an audit of all accounts/,
    );
    const said = textOf(
      aboutPage(site, { securityContact: undefined, operator: NO_OPERATOR, info: '{}' }).html,
    );
    expect(said).toContain(
      'the operator’s name, accounts that speak for it, a contact, an audit of all accounts',
    );
    expect(said).toMatch(/Who runs this service[^]*svc\.json names the chain/);
    const accounts = [{ username: 'tower', display_name: 'The tower' }];
    const named = about({ accounts, witnesses: ['one', 'two'], calendars: ['ots.example'], authorities: 1 });
    expect(named).toMatch(/The tower @tower[^]*one, two: they cosign/);
    expect(named).toContain('1 time-stamping authority, and OpenTimestamps by ots.example.');
    expect(named).not.toContain('Last audit of all accounts');
    expect(about({ audited: '2026-05-04T10:00:00.000Z' })).toContain('it passed on 4 May 2026, 10:00 UTC.');
  });

  it('offers svc.json with one button while it is known', () => {
    const html = (info: string | null) =>
      aboutPage(site, { securityContact: undefined, operator: NO_OPERATOR, info }).html;
    expect(html('{"version":1}')).toContain('data-copy="svc.json"');
    expect(html(null)).not.toContain('data-copy');
  });

  it('read the chain only through the service', () => {
    const named = { ...site, chain: { ...site.chain, rpcUrl: 'https://node.example' } };
    const pages = [verifyEtchPage(named, { etch: etch(), checks: null }), verifyPage(named, [])];
    for (const { html } of pages) {
      expect(html).toContain(`value="${site.baseUrl}/rpc"`);
      expect(html).not.toContain('value="https://node.example');
    }
    const lesson = textOf(howToVerifyPage(named, chooseExample([])).html);
    expect(lesson).toContain('https://node.example');
    expect(lesson).not.toContain('This service runs that endpoint');
  });

  it('names each cookie of the service, and what signed-out readers leave', () => {
    const data = { eventsKeptDays: 30, sessionSeconds: 2_592_000, hasIssuer: false, hasGuide: false };
    for (const baseUrl of [site.baseUrl, 'http://127.0.0.1:8080']) {
      const text = textOf(privacyPage({ ...site, baseUrl }, data).html);
      const names = Object.values(cookieNames(baseUrl)).flat();
      expect(names).toHaveLength(8);
      expect(names.filter((name) => !text.includes(name))).toEqual([]);
      expect(text).toContain('signs you in, for at most 30 days.');
      expect(text).not.toMatch(/_interaction|The guide/);
    }
    const all = textOf(privacyPage(site, { ...data, hasIssuer: true, hasGuide: true }).html);
    expect(all).toContain('_session, _interaction, _interaction_resume');
    expect(all).toMatch(/The guide\s*questions and answers/);
  });

  it('an error page has the times of its message as readers write them', () => {
    const message = 'this challenge is open until 2026-05-03T12:00:00.000Z: resolve it after that';
    const text = textOf(problemPage(site, { status: 422, message }).html);
    expect(text).toContain('This challenge is open until 3 May 2026, 12:00:00 UTC: resolve it after that.');
  });

  it('a page with a time shows it in the reader’s own time', () => {
    const answering = {
      id: challenge.id,
      question: challenge.question,
      topic: 'AI',
      revealAt: challenge.reveal_at,
    };
    const draft = { draft: '', content: 'Yes.', description: 'It', mode: 'delayed', forecast: '' };
    const sealedDraft = { draft: { ...draft, reveal_at: '2026-05-03T12:00' }, remaining: 3 };
    const pages = [
      etchPage(site, sealed()),
      verifyEtchPage(site, { etch: sealed(), checks: null }),
      howToVerifyPage(site, chooseExample([tryable])),
      topicPage(site, { category: { id: 'ai', label: 'AI' }, etches: [sealed()], page: onePage }),
      writePage(site, { draft: { ...draft, reveal_at: '' }, answering, leadSeconds: 60 }),
      previewEtchPage(site, { ...sealedDraft, revealAt: '2026-05-03T12:00:00.000Z' }),
    ];
    for (const { html } of pages) {
      expect(html).toMatch(/<time datetime="[^"]+">[^<]+ UTC</);
      expect(html).toContain('<script type="module" src="/assets/times.1.js" blocking="render">');
    }
    // Their scripts draw the times.
    for (const { html } of [verifyPage(site, []), openSealPage(site)])
      expect(html).toContain('<script type="module" src="/assets/times.1.js" blocking="render">');
  });

  it('error pages say what still works', () => {
    const textFor = (status: number) => textOf(problemPage(site, { status, message: 'no' }).html);
    expect(textFor(503)).toContain('What was acknowledged is stored');
    expect(textFor(418)).toContain('This cannot be served');
  });

  it('have one first-level heading, and previews without sealed text', () => {
    for (const one of [etch(), sealed(), retracted()]) {
      const { html } = etchPage(site, one);
      expect(html.match(/<h1/g)).toHaveLength(1);
      expect(html).toContain('property="og:title" content="About the tide"');
    }
  });
});
