import {
  etchHash,
  etchSignedString,
  isHex,
  isTakenDown,
  isUuid,
  parseCanonicalString,
  verifySignature,
} from '@svc/protocol';
import { checkEtchChain } from './etch-chain.ts';
import { type Fields, fieldsOf, type Misfits } from './misfit.ts';

const FIXED = ['id', 'code', 'hash', 'mode', 'created_on', 'reveal_at'] as const;

/** Only a takedown changes a description. */
export function checkSameEtch(misfits: Misfits, etch: Fields, earlier: Fields): void {
  for (const field of FIXED) misfits.equal(field, etch[field], earlier[field]);
  for (const [part, id] of Object.entries({ author: 'user_id', category: 'id', challenge: 'id' }))
    misfits.equal(`${part}.${id}`, fieldsOf(etch[part])[id], fieldsOf(earlier[part])[id]);
  const { description } = etch;
  if (typeof description !== 'string' || !isTakenDown(description))
    misfits.equal('description', description, earlier['description']);
}

const TEXT_FIELDS = ['content', 'salt', 'created_at', 'signature', 'canonical_string'] as const;

/** docs/specification.md#etch */
export function checkEtch(misfits: Misfits, etch: Fields): void {
  misfits.need(isUuid(etch['id']), 'id', etch['id'], 'a uuid in lower case');
  misfits.need(isHex(etch['hash'], 32), 'hash', etch['hash'], '64 lower-case hex digits');
  checkStatus(misfits, etch);
  checkTimes(misfits, etch);
  if (etch['status'] === 'revealed') checkWords(misfits, etch);
  checkLinks(misfits, etch);
  const author = fieldsOf(etch['author']);
  misfits.need(isUuid(author['user_id']), 'author.user_id', author['user_id'], 'a uuid in lower case');
  misfits
    .within('author')
    .equal('social_verified', author['social_verified'], author['social_verified_at'] !== null);
  checkEtchChain(misfits.within('chain'), etch);
}

function checkStatus(misfits: Misfits, etch: Fields): void {
  const { status, mode } = etch;
  misfits.need(
    status === 'sealed' || status === 'revealed' || status === 'retracted',
    'status',
    status,
    'sealed, revealed or retracted',
  );
  misfits.need(mode === 'instant' || mode === 'delayed', 'mode', mode, 'instant or delayed');
  if (status === 'sealed' || etch['challenge'] !== null) misfits.equal('mode', mode, 'delayed');
  if (status !== 'revealed') for (const field of TEXT_FIELDS) misfits.equal(field, etch[field], null);
  if (status !== 'retracted')
    for (const field of ['retracted_by', 'retraction_reason']) misfits.equal(field, etch[field], null);
}

function checkTimes(misfits: Misfits, etch: Fields): void {
  const { status, mode, reveal_at: revealAt, revealed_at: revealedAt, retracted_at: retractedAt } = etch;
  if (mode === 'instant') misfits.equal('reveal_at', revealAt, null);
  else misfits.need(isTimeText(revealAt), 'reveal_at', revealAt, 'a time, because the mode is delayed');
  if (status === 'sealed') misfits.equal('revealed_at', revealedAt, null);
  else if (status === 'revealed')
    misfits.equal('revealed_at', revealedAt, mode === 'instant' ? etch['created_at'] : revealAt);
  else if (revealedAt !== null)
    misfits.equal('revealed_at', revealedAt, mode === 'instant' ? null : revealAt);
  if (status === 'retracted')
    misfits.need(isTimeText(retractedAt), 'retracted_at', retractedAt, 'a time, because it is retracted');
  else misfits.equal('retracted_at', retractedAt, null);
}

const isTimeText = (value: unknown): boolean => typeof value === 'string' && !Number.isNaN(Date.parse(value));

function checkWords(misfits: Misfits, etch: Fields): void {
  const { canonical_string: canonical, hash } = etch;
  const parts = typeof canonical === 'string' ? parseCanonicalString(canonical) : null;
  if (typeof canonical !== 'string' || parts === null) {
    misfits.add('canonical_string', canonical, 'svc:v1|<user_id>|<created_at>|<salt>|<content>');
    return;
  }
  const { userId, createdAt, salt, content } = parts;
  misfits.equal('hash', hash, etchHash(canonical));
  misfits.equal('content', etch['content'], content);
  misfits.equal('salt', etch['salt'], salt);
  misfits.equal('created_at', etch['created_at'], createdAt);
  misfits.equal('created_on', etch['created_on'], createdAt.slice(0, 10));
  misfits.equal('author.user_id', fieldsOf(etch['author'])['user_id'], userId);
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

/** A service may have a second public address. */
function checkLinks(misfits: Misfits, etch: Fields): void {
  const { id, code, url, short_url: shortUrl, verify_url: verifyUrl } = etch;
  const path = `/e/${String(id)}`;
  if (typeof url !== 'string' || !url.endsWith(path))
    return misfits.add('url', url, `an address that ends with ${path}`);
  const base = url.slice(0, -path.length);
  misfits.equal('short_url', shortUrl, `${base}/e/${String(code)}`);
  misfits.equal('verify_url', verifyUrl, `${url}/verify`);
  if (etch['challenge'] === null) return;
  const challenge = fieldsOf(etch['challenge']);
  misfits.equal('challenge.url', challenge['url'], `${base}/ch/${String(challenge['id'])}`);
}
