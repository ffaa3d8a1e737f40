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

test.each([
  ['a zero-width space', 'a\u200bb', 'a\\u200bb'],
  ['a tag character', 'a\u{e0041}b', 'a\\u{e0041}b'],
  ['ESC', 'a\u001b[2Jb', 'a\\u001b[2Jb'],
  ['an override of direction', 'a\u202eb', 'a\\u202eb'],
  ['a line feed', 'a\nb', 'a\\u000ab'],
])('whose certificate it is: %s in a name is shown by its number', (_, name, shown) => {
  expect(nameOf(named(name))).toBe(`CN=${shown}`);
});

test('whose certificate it is: letters of other scripts and joiners at work stay', () => {
  expect(nameOf(named('Zeitstempel für 👩\u200d🌾'))).toBe('CN=Zeitstempel für 👩\u200d🌾');
});
