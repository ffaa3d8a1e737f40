import { parseSettleRule, settle } from '@svc/protocol/conventions';
import { expect, test } from 'vitest';

const URL = 'https://example.org/a.json';
const asked = (rule: string, end = '[yes|no]') => `Will it rain? settles-by: ${rule} ${end}`;

test.each<[string, string, unknown, string]>([
  ['a truth value', asked(`${URL} /days/1/rain true=yes,false=no`), { days: [{}, { rain: true }] }, 'yes'],
  [
    'an outcome with a space',
    asked(`${URL} /city 1=New York,2=San Marino`, '[outcomes: New York | San Marino]'),
    { city: 2 },
    'San Marino',
  ],
  ['a text that is the outcome', asked(`${URL} /rain`), { rain: 'no' }, 'no'],
  ['a number', asked(`${URL} /mm`, '[number: mm]'), { mm: 12.5 }, '12.5'],
  ['a text with a number', asked(`${URL} /mm`, '[number: mm]'), { mm: '12.50' }, '12.50'],
  ['an escaped key', asked(`${URL} /a~1b/c~0d`), { 'a/b': { 'c~d': 'yes' } }, 'yes'],
  ['a value with an equals sign', asked(`${URL} /x a=b=yes`), { x: 'a=b' }, 'yes'],
  ['no such key', asked(`${URL} /rain`), {}, 'void'],
  ['a key of the prototype', asked(`${URL} /constructor/name`), {}, 'void'],
  ['null', asked(`${URL} /rain`), { rain: null }, 'void'],
  ['an object', asked(`${URL} /rain`), { rain: { yes: 1 } }, 'void'],
  ['a value outside the map', asked(`${URL} /rain true=yes,false=no`), { rain: 'true?' }, 'void'],
  ['a value that is no outcome', asked(`${URL} /rain`), { rain: 'perhaps' }, 'void'],
  ['the length of a list', asked(`${URL} /a/length`, '[number: mm]'), { a: [1, 2] }, 'void'],
  ['an index with a leading zero', asked(`${URL} /a/01`), { a: ['no', 'yes'] }, 'void'],
  ['an index', asked(`${URL} /a/1`), { a: ['no', 'yes'] }, 'yes'],
  ['seven decimals, half up', asked(`${URL} /mm`, '[number: mm]'), { mm: '12.3456785' }, '12.345679'],
  ['seven decimals, half down', asked(`${URL} /mm`, '[number: mm]'), { mm: '-0.0000005' }, '-0.000001'],
  ['a carry', asked(`${URL} /mm`, '[number: mm]'), { mm: '9.99999951' }, '10'],
  ['less than half', asked(`${URL} /mm`, '[number: mm]'), { mm: -0.00000049 }, '0'],
  ['a small number', asked(`${URL} /mm`, '[number: mm]'), { mm: 5e-7 }, '0.000001'],
  ['a very small exponent in a text', asked(`${URL} /mm`, '[number: mm]'), { mm: '1e-999999999' }, 'void'],
  ['decimals of an outcome', asked(`${URL} /x`, '[1.0000001|no]'), { x: '1.0000001' }, '1.0000001'],
  ['a number with an exponent', asked(`${URL} /mm`, '[number: mm]'), { mm: 1e21 }, 'void'],
])('%s', (_, question, document, outcome) => {
  expect(settle(parseSettleRule(question)!, question, JSON.stringify(document)).outcome).toBe(outcome);
});

test.each<[string, string, string]>([
  ['17 digits that a double does not have', '123456789012.0000005', '123456789012.000001'],
  ['a half that a double rounds up', '0.00000049999999999999999999', '0'],
  ['superfluous zeros', '12.50000000', '12.5'],
  ['an exponent', '1.25E+2', '125'],
  ['a small exponent', '125e-2', '1.25'],
  ['a number below one', '-12.5e-3', '-0.0125'],
  ['minus zero', '-0.0', '0'],
  ['a number of ten', '10', '10'],
  ['more than twelve digits', '1234567890123', 'void'],
  ['a number beyond a double', '1e400', 'void'],
  ['a huge exponent', '1e-999999999', 'void'],
])('reads a JSON number as it is written: %s', (_, written, outcome) => {
  const question = asked(`${URL} /a/1`, '[number: mm]');
  const json = `{ "a1": 9, "1\\"2": "5\\\\", "a": [7, ${written}, 8] }`;
  expect(settle(parseSettleRule(question)!, question, json)).toMatchObject({
    outcome,
    reason: expect.stringContaining(`/a/1 has the value ${written}`),
  });
});

test.each([
  ['1.50', 'yes'],
  ['9007199254740993', 'no'],
])('compares a JSON number with the pairs exactly: %s', (written, outcome) => {
  const question = asked(`${URL} /x 1.5=yes,9007199254740993=no`);
  expect(settle(parseSettleRule(question)!, question, `{"x":${written}}`).outcome).toBe(outcome);
});

test('reads a number of a large document', () => {
  const question = asked(`${URL} /x`, '[number: mm]');
  const json = `{"long":"${'\\n5 '.repeat(1_000_000)}${'7'.repeat(3_000_000)}","x":0.10}`;
  expect(settle(parseSettleRule(question)!, question, json).outcome).toBe('0.1');
});

test.each<[string, string, RegExp]>([
  ['http', asked('http://example.org/a.json /rain'), /an https URL/],
  ...['xhttps://example.org/a', 'https:///a', 'xhttp://localhost/a', 'http://localhost.example.org/a'].map(
    (url): [string, string, RegExp] => [url, asked(`${url} /rain`), /an https URL/],
  ),
  ...['http://127.0.0.1.example.org/a', 'http://127.0.0/a', 'http://localhost:x/a'].map(
    (url): [string, string, RegExp] => [url, asked(`${url} /rain`), /an https URL/],
  ),
  ['a slash inside the pointer only', asked(`${URL} a/rain`), /a JSON pointer that begins with/],
  ['an empty outcome', asked(`${URL} /rain true=`), /"true=" of the rule is not value=outcome/],
  ['an empty value', asked(`${URL} /rain =yes`), /"=yes" of the rule is not value=outcome/],
  ['no pointer', asked(URL), /a JSON pointer that begins with/],
  ['a pointer without its slash', asked(`${URL} rain`), /a JSON pointer that begins with/],
  ['a map without outcomes', asked(`${URL} /rain true,false`), /"true" of the rule is not value=outcome/],
  ['a map to another outcome', asked(`${URL} /rain true=perhaps`), /no outcome perhaps/],
  ['more words', asked(`${URL} /rain true=yes now`), /no outcome yes now/],
  ['another escape than ~0 and ~1', asked(`${URL} /a~2`), /a JSON pointer that begins with/],
  ['a rule without pairs in a question for a text', `Who? settles-by: ${URL} /who`, /asks for a text/],
  ['a question that asks for a text', `Who? settles-by: ${URL} /who a=b`, /asks for a text/],
])('rejects %s', (_, question, message) => {
  expect(() => parseSettleRule(question)).toThrow(message);
});

test.each(['http://localhost/a', 'http://localhost:8080/a', 'http://127.0.0.1:80/a'])(
  'reads %s on the local machine',
  (url) => expect(parseSettleRule(asked(`${url} /rain`))!.url).toBe(url),
);

test('cuts a long value in the reason', () => {
  const question = asked(`${URL} /rain`);
  const long = JSON.stringify({ rain: '🌧'.repeat(10_000) });
  const { reason } = settle(parseSettleRule(question)!, question, long);
  expect(reason.length).toBeLessThan(300);
  expect(reason.isWellFormed()).toBe(true);
});

test('a question without a rule has none', () => {
  expect(parseSettleRule('Will it rain? [yes|no]')).toBeNull();
});
