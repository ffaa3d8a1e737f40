import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type * as protocol from '@svc/protocol';
import { overall, type Trust, type Verification } from '@svc/verifier';
import { describe, expect, it } from 'vitest';
import { invalidVectors, readVector } from '../../protocol/test/vectors.ts';
import {
  accountPage,
  apiReferencePage,
  apiReferenceParts,
  challengePage,
  etchPage,
  chooseExample,
  howToVerifyPage,
  ISLANDS_FOLDER,
  problemPage,
  searchPage,
  topicPage,
  verifyEtchPage,
} from '@svc/web';
import { challenge, etch, HEX, retracted, sealed, site, textOf, user } from './views.ts';

const counts = { total: 3, active: 2, revealed: 1, retracted: 1, sealed_pending_reveal: 1 };

describe('pages', () => {
  it('of an account show counts, the whole record as a picture, and retractions', () => {
    const { html } = accountPage(
      site,
      {
        user,
        counts,
        etches: [etch(), sealed(), retracted()],
        page: { limit: 30, has_more: true, next_cursor: 'next-one' },
      },
      {
        days: [
          { day: '2026-01-02', revealed: 1, sealed: 1, retracted: 0, taken_down: 0 },
          { day: '2026-02-03', revealed: 0, sealed: 0, retracted: 1, taken_down: 0 },
        ],
        isFirst: true,
      },
    );
    expect(html).toContain('Etches from 2 January 2026 to 3 February 2026: 1 public, 1 sealed, 1 retracted.');
    expect(html.match(/<rect /g)).toHaveLength(3);
    expect(html).not.toContain('taken down');
    expect(html).toContain('/u/ada?cursor=next-one');
    expect(textOf(html)).toContain('Erased by its author on 1 February 2026');
  });

  it('of an account draw what the operator took down apart from what its author took back', () => {
    const { html } = accountPage(
      site,
      {
        user,
        counts: { ...counts, taken_down: 2 },
        etches: [],
        page: { limit: 30, has_more: false, next_cursor: null },
      },
      { days: [{ day: '2026-01-02', revealed: 1, sealed: 0, retracted: 1, taken_down: 2 }], isFirst: true },
    );
    expect(html).toContain('1 public, 0 sealed, 1 retracted, 2 taken down by the operator.');
    const height = (kind: string) =>
      Number(new RegExp(`<rect class="${kind}"[^>]* height="([\\d.]+)"`).exec(html)![1]);
    expect(height('taken_down')).toBeGreaterThan(height('retracted'));
    expect(textOf(html)).toContain('taken down by the operator');
  });

  it.each([1, 61, 500, 7_000])('of an account draw a record of %i days', (length) => {
    const days = Array.from({ length }, (_, index) => ({
      day: new Date(Date.UTC(2010, 0, 1 + index)).toISOString().slice(0, 10),
      revealed: 1,
      sealed: 0,
      retracted: 0,
      taken_down: 0,
    }));
    const { html } = accountPage(
      site,
      { user, counts, etches: [], page: { limit: 30, has_more: false, next_cursor: null } },
      { days, isFirst: true },
    );
    const bars = [...html.matchAll(/<rect class="revealed" x="([\d.]+)"[^>]* height="([\d.]+)"/g)];
    expect(bars.length).toBeGreaterThan(0);
    expect(bars.length).toBeLessThanOrEqual(61);
    for (const [, x, height] of bars) {
      expect(Number(x)).toBeLessThan(720);
      expect(Number(height)).toBeLessThanOrEqual(96);
    }
  });

  it('of a challenge say what is hidden and until when, and step on by cursor', () => {
    const data = {
      challenge: {
        ...challenge,
        code: 'qwe234',
        short_url: `${site.baseUrl}/ch/qwe234`,
        category: { id: 'science' as const, label: 'Science' },
        creator_id: user.user_id,
        creator: etch().author,
      },
      counts: { etches: 2, participants: 2, sealed: 2, revealed: 0, retracted: 0 },
      sort: 'newest' as const,
      etches: [sealed(), sealed()],
      page: { limit: 30, has_more: true, next_cursor: 'c1' },
    };
    const open = challengePage(site, data, { isFirst: true }).html;
    expect(textOf(open)).toContain('Answers are sealed until 3 May 2026, 12:00 UTC');
    expect(open).toContain(`/ch/${challenge.id}?cursor=c1`);
    // To answer is what one came for: what is proven is folded.
    expect(open).toContain('<summary>What is proven, and what is not');
    expect(textOf(open)).toMatch(/Answers\s*2 sealed/);
    const closed = challengePage(
      site,
      { ...data, challenge: { ...data.challenge, closed: true } },
      { isFirst: false },
    ).html;
    expect(textOf(closed)).toContain('Closed: every answer is open');
    expect(closed).toContain('To the beginning');
  });

  it('of a search keep their filters from page to page', () => {
    const { html } = searchPage(site, {
      among: 'etches',
      query: { q: 'tide', sort: 'newest', categories: ['ai', 'tech'], statuses: ['sealed'] },
      etches: [sealed()],
      page: { number: 2, pages: 3, total: 70, limit: 30 },
    });
    expect(html).toContain('q=tide&amp;sort=newest&amp;category=ai,tech&amp;status=sealed&amp;page=3');
    expect(html).toContain('in=challenges&amp;q=tide');
  });

  it('beyond the last one lead back to it', () => {
    const { html } = topicPage(site, {
      category: { id: 'ai', label: 'AI' },
      etches: [],
      page: { number: 9, pages: 2, total: 40 },
    });
    expect(html).toContain('/topics/ai?page=2');
    expect(textOf(html)).toContain('There is nothing on this page of the list.');
  });

  it('of verdicts give each one its own word', () => {
    const words = (['pass', 'fail', 'wait', 'info'] as const).map((verdict) => {
      const checks = [
        {
          key: 'chain' as const,
          title: 'The chain',
          verdict,
          badge: 'attested' as const,
          detail: 'Because.',
          evidence: [{ label: 'Root', value: HEX('1'), copy: true }],
          learn: '',
        },
      ];
      const { html } = verifyEtchPage(site, { etch: etch(), checks });
      expect(html).toContain(`data-verdict="${verdict}"`);
      return /class="verdict [a-z]+">.*?<\/svg>\s*([A-Za-z ]+)</s.exec(html)![1]!.trim();
    });
    expect(new Set(words).size).toBe(4);
  });

  it('explain the three checks where the checks point to', () => {
    const { html, readsChain } = howToVerifyPage(site, chooseExample([]));
    for (const id of ['words', 'batch', 'chain']) expect(html).toContain(`id="${id}"`);
    expect(readsChain).toBe(true);
    expect(etchPage(site, etch()).readsChain).toBe(false);
  });

  it('ask nobody but the service for the chain, whatever endpoint it names to readers', () => {
    const named = { ...site, chain: { ...site.chain, rpcUrl: 'https://node.example' } };
    const pages = [
      verifyEtchPage(named, { etch: etch(), checks: null }),
      howToVerifyPage(named, chooseExample([])),
    ];
    for (const { html } of pages) {
      expect(html).toContain(`value="${site.baseUrl}/rpc"`);
      expect(html).not.toContain('value="https://node.example');
    }
    expect(textOf(pages[1]!.html)).toContain('https://node.example');
    expect(textOf(pages[1]!.html)).not.toContain('own window on the chain');
  });

  it('of problems say what still holds', () => {
    expect(textOf(problemPage(site, { status: 503, message: 'the database is away' }).html)).toContain(
      'Nothing is lost',
    );
    expect(textOf(problemPage(site, { status: 418, message: 'no' }).html)).toContain('This cannot be served');
  });

  it('have one heading of the first rank, and previews without sealed text', () => {
    for (const one of [etch(), sealed(), retracted()]) {
      const { html } = etchPage(site, one);
      expect(html.match(/<h1/g)).toHaveLength(1);
      expect(html).toContain('property="og:title" content="About the tide"');
    }
  });
});

describe('weights, gzipped', () => {
  const manifest = JSON.parse(readFileSync(new URL('manifest.json', ISLANDS_FOLDER), 'utf8')) as {
    files: Record<string, string>;
    served: string[];
    receipt: { script: string };
  };
  const weight = (name: string): number =>
    gzipSync(readFileSync(new URL(name, ISLANDS_FOLDER)), { level: 9 }).length;

  it('the verifying island weighs at most 16 kB, the signature check 16 kB more', () => {
    expect(weight(manifest.files['verify.js']!)).toBeLessThanOrEqual(16_000);
    const signature = manifest.served.find((name) => name.startsWith('signature.'))!;
    expect(weight(signature)).toBeLessThanOrEqual(16_000);
  });

  it('no island makes nodes of markup', () => {
    for (const name of Object.values(manifest.files).filter((file) => file.endsWith('.js')))
      expect(readFileSync(new URL(name, ISLANDS_FOLDER), 'utf8')).not.toMatch(/innerHTML/i);
  });

  it('the island hashes with the published verifier’s own SHA-256, whose table of constants stands in it', () => {
    const island = readFileSync(new URL(manifest.files['verify.js']!, ISLANDS_FOLDER), 'utf8');
    for (const constant of [0x428a2f98, 0x71374491, 0xc67178f2]) expect(island).toContain(String(constant));
  });

  it('the browser’s check of signatures says what the protocol’s vectors say', async () => {
    const name = manifest.served.find((one) => one.startsWith('signature.'))!;
    const built = (await import(new URL(name, ISLANDS_FOLDER).href)) as Pick<
      typeof protocol,
      'verifySignature'
    >;
    const check = ({ public_key: publicKey, message, signature }: Record<string, string>) =>
      built.verifySignature({ publicKey: publicKey!, message: message!, signature: signature! });
    for (const one of readVector('valid/signatures-odd').signed) expect(check(one), one.name).toBe(true);
    for (const [fault, one] of invalidVectors('signature-')) expect(check(one), fault).toBe(false);
  });

  it('the browser’s check of evidence says what the vectors say, and comes on demand', async () => {
    const name = manifest.served.find((one) => one.startsWith('evidence.'))!;
    expect(weight(name)).toBeLessThanOrEqual(28_000);
    const island = readFileSync(new URL(manifest.files['verify.js']!, ISLANDS_FOLDER), 'utf8');
    expect(island).toContain(`import("./${name}")`);
    const { readEvidence } = (await import(new URL(name, ISLANDS_FOLDER).href)) as {
      readEvidence: (
        file: unknown,
        entered: (field: string) => string,
      ) => { verify: (trust: Trust, rpcUrl: string) => Promise<Verification> };
    };
    for (const kind of ['tree', 'tree-retracted', 'single', 'single-retracted']) {
      const { evidence, trust, block_hashes, expect: badges } = readVector(`valid/evidence-${kind}-among-20`);
      const { chain_id: chainId, contract, schema_uid: schemaUid, relayers } = trust;
      const check = (hashes: string) =>
        readEvidence(evidence, (field) => (field === 'blockHash' ? hashes : '')).verify(
          { chainId, contract, schemaUid, relayers },
          'http://127.0.0.1:9/',
        );
      const found = await check(block_hashes.join(', '));
      expect(found.checks.map(({ badge }) => badge)).toEqual(badges);
      expect(overall(found)).toBe('pass');
      expect(overall(await check(`0x${'12'.repeat(32)}`))).toBe('fail');
    }
  });

  it('its time stamps are judged once there are certificates, by what comes on demand then; else it says that nobody did', async () => {
    const name = (start: string) => manifest.served.find((one) => one.startsWith(start))!;
    const island = readFileSync(new URL(name('evidence.'), ISLANDS_FOLDER), 'utf8');
    expect(island).toContain(`import("./${name('timestamps.')}")`);
    expect(weight(name('timestamps.'))).toBeLessThanOrEqual(100_000);
    const { readEvidence } = await import(new URL(name('evidence.'), ISLANDS_FOLDER).href);
    const { evidence, certificates, trust, block_hashes } = readVector('valid/stamped-evidence');
    const { chain_id: chainId, contract, schema_uid: schemaUid, relayers } = trust;
    const check = async (tsaCertificates: string, file = evidence) => {
      const entered = { blockHash: block_hashes.join(' '), tsaCertificates } as Record<string, string>;
      const read = readEvidence(file, (field: string) => entered[field]!);
      const found = await read.verify({ chainId, contract, schemaUid, relayers }, 'http://127.0.0.1:9/');
      return [overall(found), ...found.checks.slice(3).map(({ badge, detail }: any) => [badge, detail])];
    };
    const unjudged = [
      'unjudged',
      expect.stringContaining('which was not judged here: enter the certificates'),
    ];
    expect(await check('')).toEqual(['pass', unjudged]);
    expect(await check(certificates)).toEqual([
      'pass',
      ['stamped', expect.stringContaining('by the clock of')],
    ]);
    const others = readVector('valid/timestamp-curve').certificates;
    expect(await check(others)).toEqual([
      'fail',
      ['mismatch', expect.stringContaining('by nobody who is trusted')],
    ]);
    await expect(check('none')).rejects.toThrow('certificate');
    const bare = { ...evidence };
    delete bare.witnesses;
    expect(await check('', bare)).toEqual(['pass']);
    expect(await check(certificates, bare)).toEqual(['wait', ['none', expect.anything()]]);
    // A saved page carries none of it, and says so.
    expect(manifest.receipt.script).toContain('svc verify --require chain,tsa does');
    expect(manifest.receipt.script.length).toBeLessThan(150_000);
  });

  it('what opens openings in the browser weighs at most 45 kB, comes on demand, and says what the vectors say', async () => {
    const name = manifest.served.find((one) => one.startsWith('opening.'))!;
    expect(weight(name)).toBeLessThanOrEqual(45_000);
    const island = readFileSync(new URL(manifest.files['open.js']!, ISLANDS_FOLDER), 'utf8');
    expect(island).toContain(`import("./${name}")`);
    expect(weight(manifest.files['open.js']!)).toBeLessThanOrEqual(6_000);
    const { openHere } = (await import(new URL(name, ISLANDS_FOLDER).href)) as {
      openHere: (
        text: string,
        entered: Record<'beacon' | 'relay' | 'keys', string>,
      ) => Promise<{ verdict: string; heading: string; words: { content: string } | null }>;
    };
    const { openings, beacon } = readVector('valid/openings');
    const open = (opening: { public_key: string }, signature: string) =>
      openHere(JSON.stringify(opening), { beacon: signature, relay: '', keys: opening.public_key });
    for (const { opening, expect: verdict } of openings)
      expect((await open(opening, beacon.signature)).verdict).toBe(verdict);
    const found = await open(openings[0].opening, beacon.signature);
    expect(found.words?.content).toBe('It will rain on Sunday.');
    expect((await open(openings[1].opening, beacon.signature)).heading).toBe('This is a broken promise.');
    expect(await open(openings[0].opening, '')).toMatchObject({ verdict: 'wait', words: null });
  });

  it('what waits for files weighs at most 1 kB, and what hashes them 16 kB, once there are any', () => {
    const waiting = readFileSync(new URL(manifest.files['files.js']!, ISLANDS_FOLDER), 'utf8');
    expect(weight(manifest.files['files.js']!)).toBeLessThanOrEqual(1_000);
    const [, hashing] = /import\("\.\/(hash-files[^"]+)"\)/.exec(waiting)!;
    expect(weight(hashing!)).toBeLessThanOrEqual(16_000);
  });

  it('the whole reference of the API, with its style and its search, weighs at most 65 kB', () => {
    const parts = apiReferenceParts(site.baseUrl).map((part) => part());
    const html = gzipSync(apiReferencePage(site, parts).html).length;
    expect(weight(manifest.files['reference.js']!)).toBeLessThanOrEqual(1_500);
    expect(
      html + weight(manifest.files['site.css']!) + weight(manifest.files['reference.js']!),
    ).toBeLessThanOrEqual(65_000);
  });

  it('an etch page with its style weighs at most 25 kB', () => {
    const content = Array.from({ length: 2_000 }, (_, n) =>
      String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000)),
    ).join('');
    const html = gzipSync(etchPage(site, etch({ content, canonical_string: content })).html).length;
    expect(html + weight(manifest.files['site.css']!)).toBeLessThanOrEqual(25_000);
  });
});
