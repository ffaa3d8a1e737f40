// Implementations disagree on points of small order. By docs/protocol.md a signature is valid if the encoding
// of [S]B - [k]A equals R.
import {
  BASE,
  challenge,
  decode,
  encode,
  minus,
  ORDER,
  plus,
  scalarOf,
  times,
  toLittleEndian,
} from './ed25519.mjs';

/** Of order 8. */
const T = decode('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05');
const IDENTITY = '0100000000000000000000000000000000000000000000000000000000000000';

const a = scalarOf('odd key');
const KEY = times(a, BASE);
const clean = encode(KEY);
const mixed = encode(plus(KEY, T));

const signature = (public_key, message, r, s) => ({
  public_key,
  message,
  signature: r + toLittleEndian(s % ORDER),
});

/** Takes the first nonce whose challenge fits. */
function search(key, message, shape, wanted) {
  for (let at = 0; ; at++) {
    const nonce = scalarOf(`${message} ${at}`);
    const r = encode(shape(times(nonce, BASE)));
    const k = challenge(r, key, message);
    if (wanted(k)) return signature(key, message, r, nonce + k * a);
  }
}
/** S only compensates for [k]A. */
const withR = (key, message, r) => signature(key, message, r, challenge(r, key, message) * a);
const same = (point) => point;

export const oddButValid = () => ({
  'a key of mixed order, k a multiple of 8': search(mixed, 'mixed key', same, (k) => k % 8n === 0n),
  'a key of mixed order, R makes up for its small part': search(
    mixed,
    'mixed key and R',
    (point) => minus(point, times(5n, T)),
    (k) => k % 8n === 5n,
  ),
  'R is the neutral point': withR(clean, 'neutral R', IDENTITY),
});

export const oddAndInvalid = () => ({
  'signature-under-a-mixed-order-key': search(mixed, 'mixed key', same, (k) => k % 8n === 3n),
  'signature-under-a-mixed-order-key-of-order-two': search(
    encode(plus(KEY, times(4n, T))),
    'mixed key of order two',
    same,
    (k) => k % 2n === 1n,
  ),
  'signature-r-of-mixed-order': search(
    clean,
    'mixed R',
    (point) => plus(point, T),
    () => true,
  ),
  'signature-r-of-small-order': withR(clean, 'small R', encode(T)),
  'signature-r-of-order-two': withR(clean, 'small R', encode(times(4n, T))),
  'signature-r-neutral-not-canonical': withR(
    clean,
    'neutral R',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  ),
  'signature-r-neutral-with-a-sign': withR(clean, 'neutral R', `${IDENTITY.slice(0, 62)}80`),
});
