// JSON parsers read these differently.
import { scenario } from './scenario.mjs';

const base64 = (...parts) => Buffer.concat(parts.map((part) => Buffer.from(part))).toString('base64');
const cases = (of) => Object.entries(of).map(([name, [expect, value]]) => ({ name, expect, ...value }));

function files() {
  const { receipt, trust, chain } = scenario('files', {});
  const text = JSON.stringify(receipt);
  const put = (json) => text.replace('{', `{${json},`);
  const with_ = (from, to) => text.replace(from, to);
  const last = text.slice(0, -1);
  const all = {
    'as it is': ['pass', text],
    'a byte order mark': ['pass', `\ufeff${text}`],
    'two byte order marks': ['fail', `\ufeff\ufeff${text}`],
    'white space around it': ['pass', `\n\t ${text}\r\n`],
    'a space that is none of JSON': ['fail', `\u00a0${text}`],
    'something after it': ['fail', `${text}{}`],
    'equal keys: the last counts': ['pass', put('"hash":null')],
    'equal keys, the last one wrong': ['fail', `${last},"hash":null}`],
    'a key written with an escape': ['pass', with_('"hash"', '"\\u0068ash"')],
    'a size of 5.0': ['pass', with_('"tree_size":5', '"tree_size":5.0')],
    'a size of 50e-1': ['pass', with_('"tree_size":5', '"tree_size":50e-1')],
    'a size of 5.5': ['fail', with_('"tree_size":5', '"tree_size":5.5')],
    'a size as text': ['fail', with_('"tree_size":5', '"tree_size":"5"')],
    'a version that is true': ['fail', with_('"tree_version":2', '"tree_version":true')],
    'a number beyond all in a field that is not known': ['pass', put('"x":1e999')],
    'a number that is none of JSON': ['fail', put('"x":NaN')],
    'an unpaired surrogate in a name': ['pass', with_('"agent_vector"', '"\\ud800"')],
    'an unpaired surrogate in the words': ['fail', with_('It will', '\\ud800It will')],
    'a NUL in the words': ['fail', with_('It will', '\\u0000It will')],
    'bytes that are not UTF-8': ['fail', Buffer.concat([Buffer.from(put('"x":"')), Buffer.of(0xc0)])],
    'a tab within a text': ['fail', with_('"agent_vector"', '"agent\tvector"')],
    'a list': ['fail', `[${text}]`],
    nothing: ['fail', ''],
  };
  return {
    about:
      'The bytes of a receipt’s file, base64: what is said of each is `expect`. A file over 1,048,576 bytes fails too.',
    trust,
    chain,
    cases: cases(
      Object.fromEntries(
        Object.entries(all).map(([name, [expect, file]]) => [name, [expect, { file: base64(file) }]]),
      ),
    ),
  };
}

/** As some Windows programs save it. */
function filesInUtf16() {
  const { receipt, trust, chain } = scenario('files', {});
  const text = JSON.stringify(receipt);
  const [mark, markBig] = [Buffer.of(0xff, 0xfe), Buffer.of(0xfe, 0xff)];
  const little = (of) => Buffer.from(of, 'utf16le');
  const big = (of) => little(of).swap16();
  const withName = (name) => text.replace('"agent_vector"', `"${name}"`);
  const all = {
    'little-endian with its mark': ['pass', [mark, little(text)]],
    'big-endian with its mark': ['pass', [markBig, big(text)]],
    'a name that is not ASCII': ['pass', [mark, little(withName('n\u00e4\u{1f30a}'))]],
    'CR LF at its end': ['pass', [mark, little(`${text}\r\n`)]],
    'no mark': ['fail', [little(text)]],
    'two marks': ['fail', [mark, mark, little(text)]],
    'the mark of the other order': ['fail', [markBig, little(text)]],
    'an odd number of bytes': ['fail', [mark, little(text), Buffer.of(0x20)]],
    'an unpaired surrogate': ['fail', [mark, little(withName('\ud800'))]],
    'the mark alone': ['fail', [mark]],
    'UTF-32': [
      'fail',
      [mark, Buffer.of(0, 0), ...Array.from(text, (one) => Buffer.of(one.charCodeAt(0), 0, 0, 0))],
    ],
  };
  return {
    about: 'The bytes of a receipt’s file in UTF-16, base64: what is said of each is `expect`.',
    trust,
    chain,
    cases: cases(
      Object.fromEntries(
        Object.entries(all).map(([name, [expect, parts]]) => [name, [expect, { file: base64(...parts) }]]),
      ),
    ),
  };
}

function answers() {
  const { receipt, trust, chain } = scenario('answers', {});
  const good = chain.eth_call[receipt.chain.attestation_uid];
  const words = good.slice(2).match(/.{64}/g);
  const word = (n) => BigInt(n).toString(16).padStart(64, '0');
  const with_ = (changes) => `0x${words.map((one, at) => changes[at] ?? one).join('')}`;
  const time = BigInt(`0x${words[3]}`);
  const call = (result, more = {}) => ({
    call: base64(JSON.stringify({ jsonrpc: '2.0', id: 1, result, ...more })),
  });
  const chainId = (result) => ({ chain_id: base64(JSON.stringify({ jsonrpc: '2.0', id: 1, result })) });
  const error = { code: -32000, message: 'header not found' };
  const all = {
    'as it is': ['pass', {}],
    'hex in upper case': ['pass', call(`0x${good.slice(2).toUpperCase()}`)],
    'a prefix in upper case': ['wait', call(good.replace('0x', '0X'))],
    'another id, no version': ['pass', { call: base64(JSON.stringify({ id: 9, result: good })) }],
    'an error beside the result': ['wait', call(good, { error })],
    'an error of null beside it': ['pass', call(good, { error: null })],
    'an error of false beside it': ['wait', call(good, { error: false })],
    'an error alone': ['wait', call(undefined, { error })],
    'a result of null': ['wait', call(null)],
    'no words': ['wait', call('0x')],
    'status 500': ['wait', { ...call(good), status: 500 }],
    'a byte order mark': ['pass', { call: base64('\ufeff', JSON.stringify({ result: good })) }],
    'zeros: unknown there': ['wait', call(with_(Object.fromEntries(words.map((_, at) => [at, word(0)]))))],
    'another uid': ['wait', call(with_({ 1: word(5) }))],
    'time 0': ['wait', call(with_({ 3: word(0) }))],
    'a time after the year 9999': ['wait', call(with_({ 3: word(253402300800n) }))],
    'revoked before it was made': ['wait', call(with_({ 5: word(time - 1n) }))],
    'a tree, revoked when it was made': ['fail', call(with_({ 5: word(time) }))],
    'an attester with more than 20 bytes': [
      'wait',
      call(with_({ 8: word(2n ** 200n + BigInt(`0x${words[8]}`)) })),
    ],
    'a recipient with more than 20 bytes': ['wait', call(with_({ 7: word(2n ** 160n) }))],
    'an expiration beyond 2^53': ['wait', call(with_({ 4: word(2n ** 53n) }))],
    'an expiration below 2^53': ['pass', call(with_({ 4: word(2n ** 53n - 1n) }))],
    'revocable 2': ['wait', call(with_({ 9: word(2) }))],
    'another offset': ['wait', call(with_({ 10: word(0x160) }))],
    'a word too many': ['wait', call(`${good}${word(0)}`)],
    'a word too few': ['wait', call(good.slice(0, -64))],
    'data of 127 bytes, its padding not zero': ['wait', call(with_({ 11: word(127), 15: word(5) }))],
    'data of 127 bytes': ['fail', call(with_({ 11: word(127), 15: word(0) }))],
    'a chain id with leading zeros': ['pass', chainId('0x00007a69')],
    'a chain id as a number': ['wait', chainId(31337)],
    'a chain id of 15 digits': ['wait', chainId('0x000000000007a69')],
    'another chain id': ['wait', chainId('0x1')],
  };
  return {
    about:
      'The bodies, base64, that an endpoint answers to eth_chainId (`chain_id`) and eth_call (`call`), with their HTTP status (200 where none is given), and what is said of the receipt then.',
    receipt,
    trust,
    chain,
    cases: cases(all),
  };
}

export function* fileVectors() {
  yield ['valid/files', files()];
  yield ['valid/files-utf-16', filesInUtf16()];
  yield ['valid/answers', answers()];
}
