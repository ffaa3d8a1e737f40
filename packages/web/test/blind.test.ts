import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { QUICKNET } from '@svc/protocol/timelock';
import { describe, expect, it } from 'vitest';
import { ISLANDS_FOLDER, writePage } from '../src/index.ts';
import { site, textOf } from './views.ts';

const manifest = JSON.parse(readFileSync(new URL('manifest.json', ISLANDS_FOLDER), 'utf8')) as {
  files: Record<string, string>;
  served: string[];
};
const island = (name: string): string => readFileSync(new URL(name, ISLANDS_FOLDER), 'utf8');
const weight = (name: string): number =>
  gzipSync(readFileSync(new URL(name, ISLANDS_FOLDER)), { level: 9 }).length;

describe('the composer', () => {
  const draft = {
    draft: 'd',
    content: '',
    forecast: '',
    description: '',
    category_id: '',
    mode: '',
    reveal_at: '',
  };
  const viewer = { username: 'ada', displayName: 'Ada' };
  const composer = (drand: typeof QUICKNET | undefined, challenge_id?: string): string =>
    writePage({ ...site, viewer, drand }, { draft: { ...draft, challenge_id }, leadSeconds: 300 }).html;

  it('offers a blind seal in a template alone, which no browser sends or fills in by itself', () => {
    const html = composer(QUICKNET);
    const [whole, template] = /<template data-blind[^>]*>(.*?)<\/template>/.exec(html)!;
    expect(template).toContain('value="blind"');
    expect(textOf(template!)).toContain('At most 1,000 bytes');
    expect(html.replace(whole, '')).not.toContain('value="blind"');
    expect(html).toContain('/assets/blind.1.js');
    // Without scripts it explains itself.
    expect(/<noscript>(.*?)<\/noscript>/.exec(html)![1]).toContain('svc etch --blind');
  });

  it('offers none where no chain is pinned, nor for an answer, which its challenge seals', () => {
    for (const html of [composer(undefined), composer(QUICKNET, 'c')]) {
      expect(html).not.toContain('data-blind');
      expect(html).not.toContain('/assets/blind.1.js');
    }
  });

  it('loads what encrypts once it is asked for: 1 kB waits, and 45 kB come', () => {
    const waiting = manifest.files['blind.js']!;
    expect(weight(waiting)).toBeLessThanOrEqual(1_000);
    const [, sealing] = /import\("\.\/(seal-blind[^"]+)"\)/.exec(island(waiting))!;
    expect(weight(sealing!)).toBeLessThanOrEqual(45_000);
  });
});
