// Runs without a database.
import type { Receipt } from '@svc/contract';
import { QUICKNET } from '@svc/protocol/timelock';
import { describe, expect, it } from 'vitest';
import { readVector } from '../../../../../testing/vectors/vectors.ts';
import { etchPage } from '../../../src/http/pages/etch.tsx';
import { feedPage } from '../../../src/http/pages/signed-in/following.tsx';
import { receiptFile } from '@svc/web/receipt-file';
import { retractPage } from '../../../src/http/pages/signed-in/retract.tsx';
import { verifyEtchPage } from '../../../src/http/pages/verify-etch.tsx';
import { writePage } from '../../../src/http/pages/signed-in/write.tsx';
import {
  emptyDraft,
  etch,
  lastPage,
  pending,
  retracted,
  sealed,
  site,
  textOf,
  viewer,
} from '../../../../../testing/views.ts';
import { load } from '../../../../web/test/built.ts';

describe('the composer', () => {
  const composer = (drand: typeof QUICKNET | undefined, challenge_id?: string): string =>
    writePage({ ...site, viewer, drand }, { draft: { ...emptyDraft, challenge_id }, leadSeconds: 300 }).html;

  it('offers a blind seal only in a template, so that no browser sends or fills it', () => {
    const html = composer(QUICKNET);
    const [whole, template] = /<template data-blind[^>]*>(.*?)<\/template>/.exec(html)!;
    expect(template).toContain('value="blind"');
    expect(textOf(template!)).toContain('At most 1,000 bytes');
    expect(html.replace(whole, '')).not.toContain('value="blind"');
    expect(html).toContain('/assets/blind.1.js');
    expect([...html.matchAll(/<noscript>(.*?)<\/noscript>/g)].join()).toContain('svc etch --blind');
  });

  it('offers no blind seal without a pinned chain, or for an answer to a challenge', () => {
    for (const html of [composer(undefined), composer(QUICKNET, 'c')])
      expect(html).not.toMatch(/data-blind|\/assets\/blind\.1\.js/);
  });
});

const { seals, beacon } = readVector('valid/blind-seals');
const [{ words, created_at: createdAt, text }] = seals;
const blind = (fields = {}) => etch({ content: words, created_at: createdAt, ...fields });
const pinned = { ...site, drand: QUICKNET };

describe('the page of a blind seal', () => {
  const { html } = etchPage(pinned, blind());
  const said = textOf(html);

  it('names its round, and its opening time once', () => {
    expect(said).toContain(
      'The words are encrypted to round 1000 of the drand chain quicknet, and this service never had them.',
    );
    expect(said.match(/(Opens|until|since) ?23 August 2023, 15:59/g)).toEqual([
      expect.stringMatching(/^Opens/),
    ]);
    expect(html).toContain('data-until="2023-08-23T15:59:24.000Z"');
    expect(said).toContain('Blind seal');
    expect(said).toContain('Copies of it outlive a retraction');
    expect(textOf(/<noscript>(.*?)<\/noscript>/.exec(html)![1]!)).toContain(`svc open ${blind().url}`);
  });

  it('says after its time, on page, card and verify page, that it can be opened now', () => {
    const due = Date.parse('2023-08-23T15:59:24.000Z');
    const at = (now: number) => ({ ...pinned, now });
    for (const [now, isOpen] of [
      [due - 1, false],
      [due, true],
    ] as const) {
      const page = textOf(etchPage(at(now), blind()).html);
      expect(page.includes('Blind seal: can be opened now')).toBe(isOpen);
      expect(page.includes('Anyone can open the words now.')).toBe(isOpen);
      expect(page).toMatch(isOpen ? /Can be opened ?23 August 2023/ : /Opens ?23 August 2023/);
      const data = { personalized: true, etches: [blind()], page: lastPage };
      const feed = textOf(feedPage({ ...at(now), viewer }, data, { isFirst: true }).html);
      expect(feed).toContain(isOpen ? 'Can be opened now' : 'Can be opened from 23 August 2023, 15:59 UTC');
      const verify = textOf(verifyEtchPage(at(now), { etch: blind(), checks: null }).html);
      expect(verify.includes('and can be opened now')).toBe(isOpen);
    }
  });

  it('says that the proof covers the ciphertext, not the words', () => {
    expect(said).toContain('It opens to one text, which was fixed by then, or to none.');
    expect(said).toContain('What it says, or that it opens to a text at all');
    expect(said).not.toContain('These exact words existed');
    expect(textOf(etchPage(pinned, blind({ chain: pending })).html)).not.toContain('This ciphertext existed');
  });

  it('is a plain text if a different chain or none is pinned, or if its round had passed', () => {
    const other = { ...QUICKNET, hash: 'a'.repeat(64) };
    for (const page of [
      etchPage(site, blind()),
      etchPage({ ...site, drand: other }, blind()),
      etchPage(pinned, blind({ created_at: '2024-01-01T00:00:00.000Z' })),
      etchPage(pinned, etch()),
      etchPage(pinned, sealed()),
      etchPage(pinned, retracted()),
    ]) {
      expect(page.html).not.toMatch(/data-unseal|unseal\.1\.js|Blind seal/);
    }
  });

  it('differs from a sealed etch on the verify page, in the receipt and on the retract page', () => {
    const parts = { script: '', scriptHash: '', style: '', styleHash: '' };
    const receipt = {} as Receipt;
    const pages = (one = blind()) => [
      verifyEtchPage(pinned, { etch: one, checks: null }).html,
      receiptFile(pinned, { etch: one, receipt }, parts),
    ];
    for (const page of pages()) {
      expect(textOf(page)).toContain('This is a blind seal: the words are encrypted.');
      expect(textOf(page)).toContain('round 1000 of the drand chain quicknet');
      expect(textOf(page)).toContain('They do not cover what the ciphertext says, or that it opens at all.');
    }
    for (const page of pages(etch())) expect(page).not.toContain('blind seal');
    expect(textOf(retractPage({ ...pinned, viewer }, blind()).html)).toContain(
      'Copies of the ciphertext: anyone who has one can open it from its opening time on.',
    );
  });

  it('opens with the signature of its round', async () => {
    expect(html).toContain('/assets/unseal.1.js');
    const { openSealHere } = (await load('opening')) as {
      openSealHere: (closed: object) => Promise<{ verdict: string; detail: string; text: string | null }>;
    };
    const open = (entered: string, of: string = words) =>
      openSealHere({ words: of, createdAt, chain: QUICKNET, url: 'http://127.0.0.1:9/', entered });
    expect(await open(beacon.signature.toUpperCase())).toMatchObject({ verdict: 'pass', text });
    expect(await open('ff'.repeat(48))).toMatchObject({ verdict: 'wait', text: null });
    // Due, but no relay has its signature.
    const waits = await open('');
    expect(waits).toMatchObject({ verdict: 'wait', text: null });
    expect(waits.detail).toContain('enter it below');
    const junk = words.replace(/.{8}(?=.{4}$)/, 'AAAAAAAA');
    expect(await open(beacon.signature, junk)).toMatchObject({ verdict: 'fail', text: null });
    await expect(open(beacon.signature, 'svc-tlock:v1|x')).rejects.toThrow('no blind seal');
  });
});
