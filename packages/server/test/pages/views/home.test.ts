// Runs without a database.
import { expect, test } from 'vitest';
import { homePage } from '../../../src/http/pages/home.tsx';
import { feedPage, watchingPage } from '../../../src/http/pages/signed-in/following.tsx';
import { inboxPage } from '../../../src/http/pages/signed-in/inbox.tsx';
import {
  challenge,
  devnetSite,
  etch,
  pending,
  retracted,
  sealed,
  site,
  textOf,
  viewer,
} from '../../../../../testing/views.ts';

const reveal = '2026-02-01T00:00:00.000Z';
const opened = etch({ reveal_at: reveal, revealed_at: reveal, mode: 'delayed' });
const person = { ...site, viewer };
const nothing = { openings: [], etches: [], challenges: [] };

test('the first page offers to seal a sentence, then shows one etch with its steps', () => {
  const { html } = homePage(site, { openings: [opened], etches: [etch()], challenges: [challenge] });
  const main = html.slice(html.indexOf('<main'));
  const buttons = [...main.matchAll(/<a class="button[^"]*" href="([^"]+)"/g)].map(([, href]) => href);
  expect(buttons).toEqual([`/e/${opened.id}/verify`]);
  const text = textOf(main);
  expect(text).toMatch(
    /An etch is a text with a proven time.*Try it: seal a sentence.*An etch that opened here.*About the tide.*Written.*Anchored.*Opened.*Verify it yourself/,
  );
  expect(text).toContain('Nothing else that was sealed has opened yet.');
  expect(text).not.toContain('First steps');
});

test('without scripts the only button of the form is the primary one', () => {
  const { html } = homePage(site, nothing);
  expect(html).toMatch(/<button type="submit" data-act="send">/);
});

test('the first screen uses no words of the protocol, and its sentence becomes an etch without scripts too', () => {
  for (const openings of [[opened], []]) {
    const { html } = homePage(site, { ...nothing, openings });
    const first = html.slice(html.indexOf('<main'), html.indexOf('<h2>Just opened'));
    expect(textOf(first)).not.toMatch(/hash|tree|fold|root/i);
    expect(first).toMatch(
      /<form method="post" action="\/write"[^]*name="step" value="edit"[^]*name="content"/,
    );
  }
});

test('shows an etch that opened, once', () => {
  const { html } = homePage(site, { ...nothing, openings: [opened] });
  expect(textOf(html)).toMatch(/An etch that opened here.*About the tide.*The tide turns\./);
  expect(html.split('The tide turns.')).toHaveLength(2);
  expect(textOf(homePage(site, nothing).html)).not.toContain('An etch that opened here');
});

test('promises a proof only if the chain is not the operator’s own', () => {
  for (const openings of [[opened], []]) {
    const real = homePage(site, { ...nothing, openings }).html;
    expect(textOf(real)).toContain('neither you nor this service can change it unnoticed');
    expect(textOf(real)).toContain('the blockchain mainnet');
    expect(real).toContain('anchored on the blockchain mainnet, checkable without this service');
    const trial = homePage(devnetSite, { ...nothing, openings }).html;
    expect(textOf(trial)).toContain('so it proves nothing to strangers.');
    expect(trial).not.toMatch(/blockchain|unnoticed|checkable|Anyone can check/);
  }
});

test('uses no etch that was anchored after it opened, and explains the steps without an example', () => {
  const late = { ...opened, chain: { ...opened.chain, anchored_at: '2026-02-02T00:00:00.000Z' } };
  for (const openings of [[], [{ ...opened, chain: pending }], [late]]) {
    const text = textOf(homePage(site, { ...nothing, openings }).html);
    expect(text).toContain('How it works');
    expect(text).not.toContain('Verify it yourself');
  }
});

test('answers to one challenge are one entry with its people', () => {
  const asked = { id: challenge.id, question: 'Does it snow? [yes|no]', url: challenge.url };
  const answers = ['ada', 'noor'].map((username, at) => {
    const author = { ...opened.author, username };
    const content = `svc-forecast:v1 yes=0.${at + 6}`;
    const id = opened.id.replace(/^./, `${at + 7}`);
    return etch({ id, reveal_at: opened.reveal_at, mode: 'delayed', challenge: asked, content, author });
  });
  const { html } = homePage(site, { ...nothing, openings: [opened, ...answers] });
  const list = html.slice(html.indexOf('<h2>Just opened'), html.indexOf('<h2>Closing soon'));
  expect(list.split('Does it snow?')).toHaveLength(2);
  expect(textOf(list)).toMatch(/2 answers below.*@ada yes 60 %.*@noor yes 70 %/);
  for (const { id } of answers) expect(list).toContain(`href="/e/${id}"`);
});

test('answers and their resolution are one entry, which shows the likeliest outcome of each answer', () => {
  const asked = { id: challenge.id, question: 'Where? [Berlin|Bonn]', url: challenge.url };
  const answers = ['ada', 'noor'].map((username, at) => {
    const author = { ...opened.author, username };
    const content = `svc-forecast:v1 Berlin=0.${at + 6} Bonn=0.${4 - at}`;
    const id = opened.id.replace(/^./, `${at + 7}`);
    return etch({ id, reveal_at: opened.reveal_at, mode: 'delayed', challenge: asked, content, author });
  });
  const said = `svc-resolution:v1 ${challenge.id}`;
  const resolution = {
    ...etch({ id: opened.id.replace(/^./, '9'), description: said, content: `${said} Bonn the log` }),
    subject: { path: `/ch/${challenge.id}`, title: 'Where?' },
  };
  const page = { limit: 30, next_cursor: null, has_more: false };
  const feed = { personalized: false, etches: [resolution, ...answers], page };
  const feedOf = (data: Parameters<typeof feedPage>[1]): string => {
    const { html } = feedPage(person, data, { isFirst: true });
    expect(html.split('>Where?<')).toHaveLength(2);
    return textOf(html);
  };
  expect(feedOf(feed)).toMatch(
    /Opened.*2 answers below.*Outcome: Bonn(?! ·).*Berlin 60 %(?! ·).*Berlin 70 %/,
  );
  const first = { etch_id: resolution.id, outcome: 'Bonn' };
  const outcomes = new Map([[challenge.id, { state: 'resolved', first } as const]]);
  expect(feedOf({ ...feed, outcomes })).toMatch(/Resolved: Bonn.*2 answers and the outcome below/);
  const open = new Map([[challenge.id, { state: 'open' } as const]]);
  expect(feedOf({ ...feed, etches: answers, outcomes: open })).toContain('Closed, not resolved');
  const { html } = feedPage(person, { ...feed, outcomes: open }, { isFirst: true });
  expect(html).toMatch(/class="tag pending">(?:(?!<\/span>).)*Closed, not resolved/);
});

test('the page of what the reader watches lists open and closed challenges apart, the last closed first', () => {
  const asked = ['First?', 'Last?', 'Open?'].map((question, at) => ({
    ...challenge,
    id: challenge.id.replace(/^./, `${at}`),
    question,
    closed: at < 2,
  }));
  const counts = { pending: 0, settled: 4, challenges: 3 };
  const text = textOf(
    watchingPage(person, { pending: [], settled: [opened], challenges: asked, counts }).html,
  );
  expect(text).toMatch(
    /1 challenge still open.*Open\?.*2 challenges closed.*Last\?.*First\?.*4 etches opened or erased/,
  );
  expect(text).toContain('This page has 4 of the 7 that you follow.');
});

test('an entry without a known outcome is not marked as resolved', () => {
  const asked = { id: challenge.id, question: 'Where? [Berlin|Bonn]', url: challenge.url };
  const content = 'svc-forecast:v1 Berlin=0.6 Bonn=0.4';
  const answer = etch({ reveal_at: opened.reveal_at, mode: 'delayed', challenge: asked, content });
  const id = opened.id.replace(/^./, '9');
  const description = `svc-resolution:v1 ${challenge.id}`;
  const subject = { path: `/ch/${challenge.id}`, title: 'Where?' };
  for (const said of [
    retracted({ id, description }),
    sealed({ id, description }),
    etch({ id, description, content: `${description} Bonn the log`, chain: pending }),
    etch({ id, description, content: `${description} Paris the log` }),
    etch({ id, description, content: 'It was Bonn.' }),
  ]) {
    const { html } = homePage(site, { ...nothing, etches: [{ ...said, subject }, answer] });
    expect(textOf(html)).toMatch(/Opened.{0,40}1 answer below/);
    expect(textOf(html)).not.toContain('Resolved');
  }
});

test('a signed-in person sees which etches open next and which opened; a new one sees where to begin', () => {
  const toResolve = [
    { id: challenge.id, question: 'Does it snow? [yes|no]', reveal_at: challenge.reveal_at },
  ];
  const own = { next: [sealed()], opened: [opened], lookedAt: null, isNew: false, toResolve, toAnswer: [] };
  const known = textOf(homePage(person, { ...nothing, own }).html);
  expect(known).toMatch(/Welcome back, Ada.*About the tideOpens 3 May 2026.*Opened 1 February 2026/);
  expect(known).toMatch(/Welcome back, Ada.*1 to resolve ?Does it snow\?.*Your etches that open next/);
  expect(known).not.toMatch(/First steps|How it works|not answered by you/);
  const begins = { next: [], opened: [], lookedAt: null, isNew: true, toResolve: [], toAnswer: [challenge] };
  const empty = textOf(homePage(person, { ...nothing, own: begins }).html);
  expect(empty).not.toContain('not answered by you');
  expect(empty).toMatch(/Welcome, Ada.*First steps.*Write a first etch.*How it works/);
});

test('lists an unanswered challenge among the next tasks only', () => {
  const own = { next: [], opened: [], lookedAt: null, isNew: false, toResolve: [], toAnswer: [challenge] };
  const { html } = homePage(person, { ...nothing, challenges: [challenge], own });
  expect(textOf(html)).toMatch(/Welcome back, Ada.*not answered by you ?Which day brings the first frost\?/);
  expect(html).toContain(`href="/ch/${challenge.id}#answer"`);
  expect(html.split(`href="/ch/${challenge.id}"`)).toHaveLength(2);
  expect(textOf(html)).not.toContain('More that close soon');
});

test('counts every challenge to resolve, lists all of them, and says if there may be more', () => {
  const toResolve = Array.from({ length: 5 }, (_, at) => ({
    id: challenge.id.replace(/^./, String(at + 1)),
    question: `Does it snow on day ${at + 1}? [yes|no]`,
    reveal_at: challenge.reveal_at,
  }));
  const own = { next: [], opened: [], lookedAt: null, isNew: false, toResolve, toAnswer: [challenge] };
  const { html } = homePage(person, { ...nothing, own });
  expect(textOf(html)).toMatch(/5 to resolve.*day 3.*2 more.*day 4.*day 5.*All open challenges/);
  for (const { id } of toResolve) expect(html).toContain(`href="/ch/${id}/resolve"`);
  const more = homePage(person, { ...nothing, own: { ...own, hasMoreToResolve: true } }).html;
  expect(textOf(more)).toContain('5+ to resolve');
});

test('a challenge to resolve is no news too, and a quiet account has no empty boxes', () => {
  const toResolve = [
    { id: challenge.id, question: 'Does it snow? [yes|no]', reveal_at: challenge.reveal_at },
  ];
  const own = { next: [], opened: [], lookedAt: null, isNew: false, toResolve, taskNews: 1, toAnswer: [] };
  const homeOf = (news: number): string =>
    textOf(homePage({ ...site, viewer: { ...viewer, news } }, { ...nothing, own }).html);
  expect(homeOf(3)).toContain('2 new in your inbox');
  expect(homeOf(1)).not.toContain('in your inbox');
  expect(homeOf(0)).toMatch(/None of your etches is sealed now\. ?Seal something/);
  expect(homeOf(0)).not.toMatch(/Just opened|Newest public etches/);
  expect(homeOf(0)).not.toContain('Your etches that open');
});

test('the home page marks the challenges that the reader answered', () => {
  const answered = new Set([challenge.id]);
  const own = { next: [], opened: [], lookedAt: null, isNew: false, toResolve: [], toAnswer: [], answered };
  expect(textOf(homePage(person, { ...nothing, challenges: [challenge], own }).html)).toContain(
    '· you answered',
  );
});

test('the inbox has the tasks with criteria and source, and each news once with what was said', () => {
  const question = 'How many come? Criteria: heads at noon. Source: the minutes [number: people]';
  const reveal_at = '2026-02-01T00:00:00.000Z';
  const task = { id: challenge.id, question, reveal_at };
  const resolved = { ...challenge, id: challenge.id.replace(/^./, '9'), question };
  const said = `svc-resolution:v1 ${resolved.id}`;
  const quantiles = [10, 50, 90].map((level) => ({ level, value: String(level) }));
  const forecast = { form: 'quantiles' as const, outcomes: [], quantiles };
  const items = [
    { news: 'closed', own: true, at: reveal_at, challenge: { ...challenge, question } },
    {
      news: 'resolved',
      own: true,
      at: reveal_at,
      challenge: resolved,
      resolution: etch({ description: said, content: `${said} 40 the minutes` }),
    },
  ] as const;
  const data = { since: reveal_at, isFirst: false, asOf: reveal_at, items, more: false, followers: 0 };
  const extras = {
    done: undefined,
    outcomes: new Map([[challenge.id, { state: 'open' } as const]]),
    ranks: new Map([[resolved.id, { rank: 4, of: 5, forecast, outcome: '40' }]]),
    toResolve: [task],
    hasMoreToResolve: false,
  };
  const { html } = inboxPage(person, data, extras);
  const text = textOf(html);
  expect(text).toMatch(/1 to resolve.*How many come\?.*heads at noon.*Since your last visit/);
  expect(html).toMatch(/name="source" value="the minutes"/);
  expect(text.split('How many come?')).toHaveLength(3);
  expect(text.split('Resolved: 40 people')).toHaveLength(2);
  expect(text).toMatch(/You said 50 people \(10 to 90\)\. ?You ranked 4th of 5\./);
  expect(text).not.toContain('forecasters wait');
  // The rank may be of a later resolution.
  for (const [gone, tag] of [
    [retracted({ description: said }), 'Retracted'],
    [{ ...retracted({ description: said }), retraction_reason: 'illegal' as const }, 'Taken down'],
  ] as const) {
    const taken = [{ ...items[1], resolution: gone }];
    const card = textOf(
      inboxPage(person, { ...data, items: taken }, extras).html.split('class="cards news"')[1]!,
    );
    expect(card).toMatch(new RegExp(`^[^]*${tag}.*The resolution was`));
    expect(card).not.toMatch(/✓|Resolved|You said|ranked/);
  }
});
