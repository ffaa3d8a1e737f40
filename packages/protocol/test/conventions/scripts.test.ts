import { mixedScripts, scriptsWarning } from '@svc/protocol/conventions';
import { describe, expect, test } from 'vitest';

describe('scripts of a name', () => {
  test.each([
    ...[
      'paris',
      'Zürich-2',
      'café'.normalize('NFD'),
      'Москва',
      'Αθήνα',
      '東京タワー',
      'NHK東京',
      '서울漢字',
    ].map((name) => [name, []] as [string, string[]]),
    ['42%', []],
    ['🌊', []],
    ['p\u0430ris', ['Cyrillic', 'Latin']],
    ['\u0440aris', ['Cyrillic', 'Latin']],
    ['\u03bfne', ['Greek', 'Latin']],
    ['\u03b1\u0430', ['Cyrillic', 'Greek']],
    ['a\u{10400}', ['Latin', 'another script']],
  ])('%s: %j', (name, scripts) => {
    expect(mixedScripts(name)).toEqual(scripts);
  });

  test('are listed for each outcome that mixes them', () => {
    expect(scriptsWarning(['yes', 'p\u0430ris', '\u03bfne'])).toBe(
      'the outcome p\u0430ris mixes letters of Cyrillic and Latin; the outcome \u03bfne mixes letters of Greek and Latin',
    );
  });
});
