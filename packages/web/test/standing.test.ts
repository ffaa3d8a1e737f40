import { describe, expect, it } from 'vitest';
import { etchPage, verifyEtchPage } from '../src/index.ts';
import { standingOf } from '../src/proven.ts';
import { devnetSite, etch, HEX, pending, retracted, sealed, site, textOf } from './views.ts';

const shown = (...args: Parameters<typeof etchPage>): string => textOf(etchPage(...args).html);

describe('what an etch page says first', () => {
  it('an anchored etch: how soon it was anchored, and what that proves', () => {
    const text = shown(site, etch());
    expect(text).toContain('Anchored 39 s after it was written');
    expect(text).toContain('These exact words existed by 2 January 2026, 03:04:45 UTC');
    expect(text).toContain('The tide turns.');
    expect(text.indexOf('Anchored 39 s')).toBeLessThan(text.indexOf('The tide turns.'));
  });

  it('a late anchor proves the later time only', () => {
    const text = shown(site, etch({ chain: { ...etch().chain, anchored_at: '2026-01-02T05:04:05.000Z' } }));
    expect(text).toContain('the time proven is the later one');
    expect(text).toContain('03:04:05 UTC is only stated');
  });

  it('an etch on its way proves nothing yet, and a chain that is down loses nothing', () => {
    expect(shown(site, etch({ chain: pending }))).toContain('on its way to the chain');
    expect(shown(site, etch({ chain: pending }))).toContain('Nothing to a stranger yet');
    const failed = shown(site, etch({ chain: { ...pending, status: 'failed' } }));
    expect(failed).toContain('the chain cannot be reached');
    expect(failed).toContain('nothing is lost');
  });

  it('a sealed etch: until when, and that nobody sees it', () => {
    const text = shown(site, sealed());
    expect(text).toContain('Sealed until 3 May 2026, 12:00 UTC');
    expect(text).toContain('A text with this hash existed by');
    expect(text).toContain('What it says: that can be checked once it is open.');
  });

  it('a retracted etch: the text is gone, the proof remains', () => {
    const waiting = shown(site, retracted());
    expect(waiting).toContain('Retracted: the text is gone, here is the proof that it existed');
    expect(waiting).toContain('its tombstone is on the way to the chain');
    const settled = retracted({
      chain: {
        ...etch().chain,
        revocation_status: 'revoked',
        revoked_onchain_at: '2026-02-01T10:00:30.000Z',
      },
    });
    expect(shown(site, settled)).toContain('It was retracted by 1 February 2026, 10:00:30 UTC');
    expect(shown(site, retracted({ chain: pending }))).toContain('its hash remains');
  });

  it('a signed etch: by whom it is signed is only this service’s word', () => {
    const text = shown(site, etch({ signature: { value: HEX('1') + HEX('2'), public_key: HEX('9') } }));
    expect(text).toContain('Whoever holds the signing key below signed these words.');
  });

  it('the development chain convinces nobody else, and the page says so', () => {
    expect(shown(devnetSite, etch())).toContain('convince nobody else');
    expect(shown(site, etch())).not.toContain('convince nobody else');
  });

  it('without a chain the verify page still stands, and says what is unavailable', () => {
    const text = textOf(verifyEtchPage(site, { etch: etch(), checks: null }).html);
    expect(text).toContain('The chain cannot be reached at the moment');
    expect(text).toContain('what was anchored stays anchored');
  });
});

describe('the expected wait', () => {
  it.each([
    [2, 'within a few seconds'],
    [60, 'within about a minute'],
    [undefined, 'within about a minute'],
    [300, 'within about 5 min'],
    [3_600, 'within about 1 h'],
  ])('of an anchoring every %s s is said in words', (anchorSeconds, words) => {
    for (const waiting of [etch({ chain: pending }), sealed({ chain: pending })])
      expect(standingOf(waiting, { devnet: false, anchorSeconds }).lead).toContain(words);
  });
});
