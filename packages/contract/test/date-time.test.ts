import { parseDateTime } from '@svc/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

describe('parseDateTime', () => {
  it.each([
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04:05.6Z', '2026-01-02T03:04:05.600Z'],
    ['2026-01-02T03:04:05.67899999Z', '2026-01-02T03:04:05.678Z'],
    ['2026-01-02t03:04:05z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04:05-00:00', '2026-01-02T03:04:05.000Z'],
    ['2025-12-31T23:59:59.999-00:01', '2026-01-01T00:00:59.999Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['0000-02-29T00:00:00Z', '0000-02-29T00:00:00.000Z'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
    ['0099-06-01T00:00:00Z', '0099-06-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('reads %s', (text, utc) => {
    expect(parseDateTime(text)).toBe(utc);
  });

  it.each([
    '',
    'now',
    '1767323045000',
    '2026-01-02',
    '2026-01-02T03:04:05',
    '2026-01-02T03:04Z',
    '2026-01-02 03:04:05Z',
    '2026-01-02T03:04:05 Z',
    ' 2026-01-02T03:04:05Z',
    '2026-01-02T03:04:05Z\n',
    '2026-01-02T03:04:05.Z',
    '2026-01-02T03:04:05,5Z',
    '2026-01-02T03:04:60Z',
    '2016-12-31T23:59:60Z',
    '2026-01-02T24:00:00Z',
    '2026-01-02T03:60:05Z',
    '2026-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-13-10T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-02T03:04:05+24:00',
    '2026-01-02T03:04:05+02:60',
    '2026-01-02T03:04:05+0200',
    '2026-01-02T03:04:05+02',
    '0000-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '+02026-01-02T03:04:05Z',
    '-0001-01-02T03:04:05Z',
    '12026-01-02T03:04:05Z',
    '２０２６-01-02T03:04:05Z',
  ])('rejects %j', (text) => {
    expect(parseDateTime(text)).toBeNull();
  });

  const instants = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9998-12-31T00:00:00Z'),
    noInvalidDate: true,
  });

  it("returns the service's own times unchanged", () => {
    fc.assert(fc.property(instants, (at) => parseDateTime(at.toISOString()) === at.toISOString()));
  });

  it('converts the same instant from every offset', () => {
    const two = (value: number) => String(value).padStart(2, '0');
    const offsets = fc.integer({ min: -(24 * 60 - 1), max: 24 * 60 - 1 });
    fc.assert(
      fc.property(instants, offsets, (at, minutes) => {
        const local = new Date(at.getTime() + minutes * 60_000).toISOString().slice(0, -1);
        const size = Math.abs(minutes);
        const zone = `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
        return parseDateTime(local + zone) === at.toISOString();
      }),
    );
  });

  it('returns a UTC time or null, and agrees with Date', () => {
    const shaped = fc.stringMatching(
      /^[0-3]\d{3}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\d(\.\d{1,5})?(Z|[+-][0-2]\d:[0-5]\d)$/,
    );
    let taken = 0;
    fc.assert(
      fc.property(fc.oneof(shaped, fc.string({ unit: 'binary', maxLength: 40 })), (text) => {
        const utc = parseDateTime(text);
        if (utc === null) return;
        taken++;
        expect(utc).toBe(new Date(text).toISOString());
        expect(parseDateTime(utc)).toBe(utc);
      }),
      { numRuns: 500 },
    );
    expect(taken).toBeGreaterThan(0);
  });
});
