import { Utf8String } from 'asn1js';
import { AttributeTypeAndValue, Certificate } from 'pkijs';
import { expect, test } from 'vitest';
import { nameOf } from '../src/certificates.ts';

const COMMON_NAME = '2.5.4.3';
const named = (value: string): Certificate => {
  const certificate = new Certificate();
  certificate.subject.typesAndValues.push(
    new AttributeTypeAndValue({ type: COMMON_NAME, value: new Utf8String({ value }) }),
  );
  return certificate;
};

test('shows invisible characters of a certificate name by number, in one line', () => {
  expect(nameOf(named('a\u200bb\u{e0041}\u001b[2J\u202e\n'))).toBe(
    'CN=a\\u200bb\\u{e0041}\\u001b[2J\\u202e\\u000a',
  );
});

test('keeps letters of other scripts and effective joiners in a certificate name', () => {
  expect(nameOf(named('Zeitstempel für 👩\u200d🌾'))).toBe('CN=Zeitstempel für 👩\u200d🌾');
});
