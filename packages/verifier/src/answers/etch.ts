import {
  etchHash,
  etchSignedString,
  isHex,
  isDescriptionTakenDown,
  isUuid,
  parseCanonicalString,
  verifySignature,
} from '@svc/protocol';
import { checkEtchChain } from './etch-chain.ts';
import { at, type Fields, fieldsOf, type Misfits, originOfLink } from './misfit.ts';

const FIXED = [
  'id',
  'code',
  'hash',
  'created_on',
  'reveal_at',
  'author.user_id',
  'category.id',
  'challenge.id',
];

/** Only a takedown changes a description. */
export function checkSameEtch(
  misfits: Misfits,
  etch: Fields,
  earlier: Fields,
  repeated: readonly string[],
): void {
  const { description } = etch;
  const isErased = typeof description === 'string' && isDescriptionTakenDown(description);
  for (const field of [...FIXED, ...repeated, ...(isErased ? [] : ['description'])])
    misfits.equal(field, at(etch, field), at(earlier, field));
}

const TEXT_FIELDS = { content: null, salt: null, created_at: null, signature: null, canonical_string: null };
const UUID_WORDS = 'a uuid in lower case';

/** docs/specification.md#etch */
export function checkEtch(misfits: Misfits, etch: Fields): void {
  misfits.fits(etch, 'id', isUuid, UUID_WORDS);
  misfits.fits(etch, 'hash', (hash) => isHex(hash, 32), '64 lower-case hex digits');
  checkStatus(misfits, etch);
  checkTimes(misfits, etch);
  if (etch['status'] === 'revealed') checkWords(misfits, etch);
  checkLinks(misfits, etch);
  misfits.fits(etch, 'author.user_id', isUuid, UUID_WORDS);
  checkEtchChain(misfits.within('chain'), etch);
}

const among =
  (...values: readonly string[]) =>
  (value: unknown): boolean =>
    values.includes(value as string);

function checkStatus(misfits: Misfits, etch: Fields): void {
  const { status } = etch;
  const statuses = among('sealed', 'revealed', 'retracted');
  misfits.fits(etch, 'status', statuses, 'sealed, revealed or retracted');
  misfits.fits(etch, 'mode', among('instant', 'delayed'), 'instant or delayed');
  if (status === 'sealed' || etch['challenge'] !== null) misfits.same(etch, { mode: 'delayed' });
  if (status !== 'revealed') misfits.same(etch, TEXT_FIELDS);
  if (status !== 'retracted') misfits.same(etch, { retracted_by: null, retraction_reason: null });
}

function checkTimes(misfits: Misfits, etch: Fields): void {
  const { status, mode, reveal_at: revealAt, revealed_at: revealedAt } = etch;
  if (mode === 'instant') misfits.same(etch, { reveal_at: null });
  else misfits.fits(etch, 'reveal_at', isTimeText, 'a time, because the mode is delayed');
  if (status === 'sealed') misfits.same(etch, { revealed_at: null });
  else if (status === 'revealed')
    misfits.same(etch, { revealed_at: mode === 'instant' ? etch['created_at'] : revealAt });
  else if (revealedAt !== null) misfits.same(etch, { revealed_at: mode === 'instant' ? null : revealAt });
  if (status !== 'retracted') misfits.same(etch, { retracted_at: null });
  else misfits.fits(etch, 'retracted_at', isTimeText, 'a time, because it is retracted');
}

const isTimeText = (value: unknown): boolean => typeof value === 'string' && !Number.isNaN(Date.parse(value));

function checkWords(misfits: Misfits, etch: Fields): void {
  const { canonical_string: canonical } = etch;
  const parts = typeof canonical === 'string' ? parseCanonicalString(canonical) : null;
  if (typeof canonical !== 'string' || parts === null) {
    misfits.add('canonical_string', canonical, 'svc:v1|<user_id>|<created_at>|<salt>|<content>');
    return;
  }
  const { userId, createdAt, salt, content } = parts;
  misfits.same(etch, {
    hash: etchHash(canonical),
    content,
    salt,
    created_at: createdAt,
    created_on: createdAt.slice(0, 10),
    'author.user_id': userId,
  });
  if (etch['signature'] === null) return;
  const { value, public_key: publicKey } = fieldsOf(etch['signature']);
  const message = etchSignedString(userId, content);
  misfits.need(
    isHex(value, 64) && isHex(publicKey, 32) && verifySignature({ publicKey, message, signature: value }),
    'signature',
    etch['signature'],
    `an Ed25519 signature over ${message}`,
  );
}

const isCode = (value: unknown): boolean => typeof value === 'string' && /^[2-9a-hjkmnp-z]{6}$/.test(value);

/** A service may have a second public address. */
function checkLinks(misfits: Misfits, etch: Fields): void {
  const { id, code, url } = etch;
  const path = `/e/${String(id)}`;
  misfits.address(etch, 'url', path);
  misfits.fits(etch, 'code', isCode, 'six characters of 23456789abcdefghjkmnpqrstuvwxyz');
  const origin = originOfLink(url, path);
  if (origin === null) return;
  misfits.same(etch, { short_url: `${origin}/e/${String(code)}`, verify_url: `${origin}${path}/verify` });
  if (etch['challenge'] !== null)
    misfits.same(etch, { 'challenge.url': `${origin}/ch/${String(at(etch, 'challenge.id'))}` });
}
