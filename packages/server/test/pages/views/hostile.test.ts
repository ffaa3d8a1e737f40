// Runs without a database.
import { ROUTES } from '@svc/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountPage } from '../../../src/http/pages/account.tsx';
import { agentsPage } from '../../../src/http/pages/signed-in/account-agents.tsx';
import { challengePage } from '../../../src/http/pages/challenge.tsx';
import { challengesPage } from '../../../src/http/pages/challenges.tsx';
import { etchPage } from '../../../src/http/pages/etch.tsx';
import { homePage } from '../../../src/http/pages/home.tsx';
import { keysPage } from '../../../src/http/pages/signed-in/account-keys.tsx';
import { newChallengePage } from '../../../src/http/pages/signed-in/new-challenge.tsx';
import { previewChallengePage } from '../../../src/http/pages/signed-in/preview-challenge.tsx';
import { previewEtchPage } from '../../../src/http/pages/signed-in/preview-etch.tsx';
import { problemPage } from '../../../src/http/pages/problem.tsx';
import { profilePage } from '../../../src/http/pages/signed-in/account-profile.tsx';
import { receiptFile, type ReceiptFileParts } from '@svc/web/receipt-file';
import {
  removeWebhookPage,
  webhookPage,
  webhooksPage,
} from '../../../src/http/pages/signed-in/account-webhooks.tsx';
import { retractPage } from '../../../src/http/pages/signed-in/retract.tsx';
import { searchPage } from '../../../src/http/pages/search.tsx';
import { writePage } from '../../../src/http/pages/signed-in/write.tsx';
import { delivery, webhook } from '../../../../contract/src/examples/webhook.ts';
import { scoredBy } from '../../../../../testing/scored.ts';
import {
  challenge,
  emptyDraft,
  etch,
  HEX,
  lastPage,
  recordCounts as counts,
  site,
  user,
} from '../../../../../testing/views.ts';

const numbered = { number: 1, pages: 1, total: 1 };
const parts: ReceiptFileParts = { script: 'run()', scriptHash: 'abc=', style: 'p{}', styleHash: 'def=' };

/** One text in every place where a stranger's text can be. */
function pagesWith(text: string): string[] {
  const author = { ...etch().author, display_name: text };
  const question = { id: challenge.id, question: text, url: challenge.url };
  const one = etch({ content: text, description: text, author, challenge: question, canonical_string: text });
  const worked = { ...one, reveal_at: '2026-02-01T00:00:00.000Z' };
  const viewer = { ...site, viewer: { username: 'ada', displayName: text } };
  const receipt = { ...ROUTES.getReceipt.success.example, _what_this_is: text, canonical_string: text };
  const account = { ...user, display_name: text, social_handle: text, agent_domain: text, agent_url: text };
  return [
    etchPage(site, one).html,
    homePage(site, { openings: [worked], etches: [one], challenges: [{ ...challenge, question: text }] })
      .html,
    homePage(viewer, {
      openings: [],
      etches: [],
      challenges: [],
      own: {
        next: [worked],
        opened: [worked],
        lookedAt: null,
        isNew: false,
        toResolve: [{ id: challenge.id, question: text, reveal_at: challenge.reveal_at }],
        toAnswer: [{ ...challenge, question: text }],
      },
    }).html,
    accountPage(
      site,
      { user: account, counts, etches: [one], page: lastPage },
      { days: [], isFirst: true, score: scoredBy(text).account },
    ).html,
    challengePage(site, scoredBy(text).page, { isFirst: true, score: scoredBy(text).challenge }).html,
    challengesPage(site, {
      query: { status: 'all', sort: 'soonest', categories: [] },
      challenges: [{ ...challenge, question: text }],
      page: numbered,
    }).html,
    searchPage(site, {
      among: 'etches',
      query: { q: text, sort: 'best', categories: [], statuses: [] },
      etches: [one],
      page: { ...numbered, limit: 30 },
    }).html,
    problemPage(site, { status: 400, message: text }).html,
    receiptFile(site, { etch: one, receipt }, parts),
  ];
}

/** Forms keep typed text unchanged, because it is sent again. */
function formsWith(text: string): string[] {
  const viewer = { ...site, viewer: { username: 'ada', displayName: text } };
  const problem = { message: text, details: [{ path: 'content', message: text }] };
  const answering = { id: challenge.id, question: text, topic: 'AI', revealAt: challenge.reveal_at };
  const draft = Object.fromEntries(Object.keys(emptyDraft).map((name) => [name, text])) as typeof emptyDraft;
  const sent = { draft: text, question: text, category_id: text, reveal_at: text };
  const asked = {
    ...sent,
    asks: text,
    outcomes: text,
    unit: text,
    levels: text,
    criteria: text,
    source: text,
  };
  const key = { ...ROUTES.listKeys.success.example.keys[0], name: text };
  const hook = { ...webhook, url: text, disabled_at: challenge.created_at, disabled_reason: text };
  const me = { ...ROUTES.getMe.success.example.user, display_name: text, social_handle: text };
  return [
    writePage(viewer, { draft, problem, leadSeconds: 300 }),
    writePage(viewer, { draft, answering, problem, leadSeconds: 300 }),
    previewEtchPage(viewer, { draft, answering, revealAt: null, remaining: 1 }),
    newChallengePage(viewer, { draft: asked, problem, leadSeconds: 300 }),
    previewChallengePage(viewer, { sent, topic: text, revealAt: challenge.reveal_at, remaining: 1 }),
    retractPage(viewer, etch({ description: text }), problem),
    keysPage(viewer, {
      keys: [key],
      made: { name: text, scope: 'read', value: text },
      typed: { name: text, scope: text },
    }),
    webhooksPage(viewer, {
      webhooks: [hook],
      made: { url: text, secret: text },
      typed: { url: text, types: [text] },
      problem,
    }),
    webhookPage(viewer, { webhook: hook, deliveries: [{ ...delivery, problem: text }], problem }),
    removeWebhookPage(viewer, hook),
    profilePage(viewer, { user: me, displayName: text, problem }),
    agentsPage(viewer, {
      userId: user.user_id,
      agents: [],
      typed: { public_key: text, signature: text, issued_at: text },
      problem,
    }),
  ].map(({ html }) => html);
}

const tags = (html: string, name: string): string[] => html.match(new RegExp(`<${name}[\\s>/]`, 'g')) ?? [];

describe('texts of strangers', () => {
  const everywhere = (text: string): string[] => [...pagesWith(text), ...formsWith(text)];
  const harmless = everywhere('harmless');

  it.each([
    '<script>alert(1)</script>',
    '</title></head><body onload=alert(1)>',
    '"><img src=x onerror=alert(1)>',
    "' autofocus onfocus='alert(1)",
    '</script><script>alert(1)</script><!--',
    '{{constructor}} ${7*7} <%= 1 %>',
  ])('add no element and no attribute: %s', (text) => {
    everywhere(text).forEach((html, index) => {
      for (const name of ['script', 'img', 'body', 'svg', 'iframe', 'a', 'input'])
        expect(tags(html, name)).toHaveLength(tags(harmless[index]!, name).length);
      expect(html.replace(/<script type="application\/json"[\s\S]*?<\/script>/, '')).not.toMatch(
        /<[^>"]*(?:"[^"]*"[^>"]*)*\son\w+=/,
      );
    });
  });

  it('hostile texts add no elements', () => {
    const count = (html: string): number =>
      (html.replace(/<span class="unseen">/g, '').match(/<[a-z]/g) ?? []).length;
    const expected = pagesWith('x').map(count);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), (text) => {
        // An address adds a link, as it should.
        // A text whose lower case is longer is not marked in the results of a search.
        fc.pre(text.trim() !== '' && !URL.canParse(text) && text.toLowerCase().length === text.length);
        expect(pagesWith(`x${text}`).map(count)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('show direction and terminal characters by number', () => {
    for (const html of pagesWith('a\u202eb\u001b[31mc\u2066d\u200ee\u{e0041}f')) {
      // oxlint-disable-next-line no-control-regex -- naming them is the point
      expect(html).not.toMatch(/[\u001b\u202a-\u202e\u2066-\u2069\u200e\u200f]|[\u{e0000}-\u{e007f}]/u);
      expect(html).toContain('U+202E');
    }
  });

  it('keep joiners that emoji and scripts need', () => {
    expect(etchPage(site, etch({ content: '👩\u200d🚀 می\u200cخواهم' })).html).toContain(
      '👩\u200d🚀 می\u200cخواهم',
    );
  });

  it('link only to http and https', () => {
    const link = (url: string) =>
      accountPage(
        site,
        { user: { ...user, agent_url: url }, counts, etches: [], page: lastPage },
        { days: [], isFirst: true },
      ).html;
    expect(link('https://example.org/a?b=1')).toContain('href="https://example.org/a?b=1"');
    for (const url of ['javascript:alert(1)', 'data:text/html,x', ' javascript:alert(1)', 'vbscript:x'])
      expect(link(url)).not.toContain(url.trim());
  });

  it('put no script, style or style attribute into a page', () => {
    for (const html of pagesWith('x').slice(0, -1)) {
      // The embed code is text: it styles the page of the other site.
      const own = html.replaceAll(/<code class="exact"[\s\S]*?<\/code>/g, '');
      expect(own).not.toMatch(/<style|\sstyle=|<script(?![^>]*\bsrc=)/);
      expect(html).not.toContain('http://');
    }
  });
});

describe('the receipt page', () => {
  it('contains its policy by hash, and the receipt as data that its content cannot end', () => {
    const text = '</script><!--<script>\u202e\u{e0041}\u001b';
    const html = pagesWith(text).at(-1)!;
    expect(html).toContain("script-src 'sha256-abc='");
    const data = /<script type="application\/json" id="receipt">([\s\S]*?)<\/script>/.exec(html)![1]!;
    expect((JSON.parse(data) as { canonical_string: string }).canonical_string).toBe(text);
  });

  it('is one file that loads nothing', () => {
    const html = pagesWith(HEX('a')).at(-1)!;
    expect(html).not.toMatch(/<link|<img|\ssrc=|@import|url\(/);
  });
});
