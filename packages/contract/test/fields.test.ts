import { FORMATS, hexField, integerField, isHttpUrl, isUuid, looseTextField, textField } from '@svc/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { issuesOf, serverAjv } from './support/validator.ts';

const ajv = serverAjv();

describe('text', () => {
  const valid = ajv.compile(textField(2000, 'text'));

  it('counts code points, not UTF-16 units or bytes', () => {
    expect(valid('😀'.repeat(2000))).toBe(true);
    expect(issuesOf(valid, '😀'.repeat(2001))).toEqual([
      { path: '', message: 'must have at most 2000 characters' },
    ]);
  });

  it.each([
    '',
    ' ',
    '\n\t\u00a0\u2003\ufeff',
    'a\u0000b',
    '\u0000',
    '\ud800',
    'a\udc00',
    '\ude00\ud83d',
    5,
    null,
    ['a'],
  ])('rejects %j', (value) => {
    expect(valid(value)).toBe(false);
  });

  it('accepts untrimmed text of any script, with controls', () => {
    for (const text of [' a ', '\n.\n', 'שלום', '\u202e!', '\u001b[31m', '\u200b', 'e\u0301']) {
      expect(valid(text), JSON.stringify(text)).toBe(true);
    }
  });

  it('accepts exactly well-formed text without NUL that is not blank', () => {
    const loose = ajv.compile(looseTextField('text'));
    // The same rule without a pattern.
    const clean = (text: string) =>
      [...text].every((char) => {
        const code = char.codePointAt(0) ?? 0;
        return code !== 0 && (code < 0xd800 || code > 0xdfff);
      });
    const unit = fc.oneof(
      fc.constantFrom('\u0000', '\ud800', '\udc00', ' ', '\n', 'a', '😀', '\u00a0'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
        expect(loose(text)).toBe(clean(text));
        expect(valid(text)).toBe(clean(text) && text.trim() !== '');
      }),
      { numRuns: 400 },
    );
  });
});

describe('hex', () => {
  it('needs every digit, in either case', () => {
    const valid = ajv.compile(hexField(32, 'hash'));
    for (const right of ['ab'.repeat(32), 'AB'.repeat(32)]) expect(valid(right)).toBe(true);
    for (const wrong of [
      'ab'.repeat(31),
      'ab'.repeat(33),
      `abzz12${'0'.repeat(58)}`,
      `0x${'ab'.repeat(32)}`,
      `${'ab'.repeat(32)}\n`,
    ])
      expect(valid(wrong), wrong).toBe(false);
  });
});

describe('numbers in a query', () => {
  it('accepts limits from 1 to 100', () => {
    const valid = ajv.compile(integerField('limit', 100));
    for (let number = -5; number <= 200; number++) {
      expect(valid(String(number)), String(number)).toBe(number >= 1 && number <= 100);
    }
    for (const wrong of ['', '01', '+1', '1.0', '1e1', ' 1', '１', 1, ['1'], ['1', '2'], null]) {
      expect(valid(wrong), JSON.stringify(wrong)).toBe(false);
    }
  });

  it('accepts pages whose offsets stay exact', () => {
    const valid = ajv.compile(integerField('page', 999_999_999));
    for (const right of ['1', '10', '999999999']) expect(valid(right)).toBe(true);
    for (const wrong of ['0', '-1', '1000000000', '99999999999999999999', '1.5', 'x', '0x1']) {
      expect(valid(wrong), wrong).toBe(false);
    }
  });
});

describe('formats', () => {
  it('recognizes UUIDs', () => {
    const id = '3f9b2a64-7c1d-4b85-a0e3-6d2c91f7584b';
    for (const right of [id, id.toUpperCase()]) expect(isUuid(right)).toBe(true);
    for (const wrong of [
      `urn:uuid:${id}`,
      `{${id}}`,
      id.replaceAll('-', ''),
      id.replace(/b$/, 'g'),
      `${id}\n`,
    ])
      expect(isUuid(wrong), wrong).toBe(false);
  });

  it('recognizes http and https URLs', () => {
    for (const right of [
      'https://agents.example.org',
      'http://localhost:3000/a?b=c#d',
      'HTTPS://example.org/%C3%BC',
      'https://[2001:db8::1]:8443/x',
      'https://xn--bcher-kva.example/',
    ])
      expect(isHttpUrl(right), right).toBe(true);
    for (const wrong of [
      '',
      'example.org',
      'javascript:alert(1)',
      'javascript://example.org/%0aalert(1)',
      'data:text/html,x',
      'ftp://example.org',
      'https://',
      'https:///x',
      'https://user:pass@example.org',
      'https://example.org/a b',
      'https://example.org/<script>',
      'https://example.org/"',
      'https://bücher.example',
      'https://example.org\n',
      ' https://example.org',
    ])
      expect(isHttpUrl(wrong), wrong).toBe(false);
  });

  it('registers the formats in schemas', () => {
    expect(Object.keys(FORMATS).sort()).toEqual(['date-time', 'http-url', 'uuid']);
    expect(FORMATS['date-time']?.('2016-12-31T23:59:60Z')).toBe(false);
  });
});
