// Runs without a database.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { displayNameFor, usernamesFor } from '../../src/accounts/username.ts';

function first(preferred: unknown, handle?: unknown, skip = 0): string {
  const names = usernamesFor(preferred, handle);
  for (let round = 0; round < skip; round++) names.next();
  return names.next().value;
}

describe('a username', () => {
  test.each([
    ['ada', 'ada'],
    ['Ada Lovelace', 'ada_lovelace'],
    ['ada.l-w', 'ada_l_w'],
    ['  @ada  ', 'ada'],
    ['Adélaïde', 'adelaide'],
    ['Ａｄａ', 'ada'],
    ['__ada__', 'ada'],
    ['x', 'user_x'],
    ['jo', 'user_jo'],
    ['agent_0123456789ab', 'user_agent_0123456789ab'],
    ['n'.repeat(64), 'n'.repeat(30)],
  ])('of %s is %s', (preferred, expected) => {
    expect(first(preferred)).toBe(expected);
  });

  test('comes from the social handle when there is no usable preferred username', () => {
    for (const preferred of [undefined, null, 7, '', '   ', 'Ада', 'ada@example.org', '@@'])
      expect(first(preferred, '@ada_s')).toBe('ada_s');
  });

  test('is random when neither is usable', () => {
    expect(first('ada@example.org')).toMatch(/^user_[0-9a-f]{12}$/);
    expect(first('ada@example.org')).not.toBe(first('ada@example.org'));
  });

  test('gets a numeric suffix while it is taken', () => {
    expect(first('ada', undefined, 1)).toBe('ada2');
    expect(first('ada', undefined, 2)).toBe('ada3');
    expect(first('n'.repeat(40), undefined, 10)).toBe(`${'n'.repeat(28)}11`);
    expect(first('ada', undefined, 120)).toMatch(/^ada\d+$/);
    expect(first('ada', undefined, 300)).toMatch(/^user_[0-9a-f]{12}$/);
  });

  test('is well formed for any preferred username', () => {
    const anything = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.anything());
    fc.assert(
      fc.property(anything, anything, fc.nat(210), (preferred, handle, skip) => {
        expect(first(preferred, handle, skip)).toMatch(/^[a-z0-9_]{3,30}$/);
      }),
    );
  });

  test('never contains a part of an e-mail address', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (address) => {
        expect(first(address, address)).toMatch(/^user_[0-9a-f]{12}$/);
      }),
    );
  });
});

describe('a display name', () => {
  test.each([
    ['Ada  Lovelace', 'Ada Lovelace'],
    ['@ada', 'ada'],
    ['pay\u202epal', 'paypal'],
    ['a\tb\nc', 'a b c'],
    ['Ada\ue000', 'Ada'],
    // Joiners of letters and emoji stay, because their effect is visible.
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['👩\u200d🌾', '👩\u200d🌾'],
  ])('of %j is %j', (typed, expected) => {
    expect(displayNameFor(typed, 'user')).toBe(expected);
  });

  test.each(['\u3164\u3164', '\u115f\u1160', '\u034f', '\u200b', 'ada@example.org', 'n'.repeat(65), 7])(
    'of %j is the username',
    (typed) => {
      expect(displayNameFor(typed, 'user')).toBe('user');
    },
  );
});
