import { etchHash, isUuid, isWellFormedText } from '@svc/protocol';
import { type LeafParts, rebuildFault } from '../attested-trees.ts';
import { type Fields, fieldsOf, type Misfits } from './misfit.ts';

export function checkChallenge(misfits: Misfits, answer: Fields): void {
  const challenge = fieldsOf(answer['challenge']);
  const { id, code, question, reveal_at: revealAt, short_url: shortUrl } = challenge;
  misfits.need(isUuid(id), 'challenge.id', id, 'a uuid in lower case');
  misfits.address('challenge.short_url', shortUrl, `/ch/${String(code)}`);
  forEach(answer['etches'], (etch, at) => {
    const of = misfits.within(`etches[${at}]`);
    const named = fieldsOf(etch['challenge']);
    of.equal('challenge.id', named['id'], id);
    of.equal('challenge.question', named['question'], question);
    of.equal('reveal_at', etch['reveal_at'], revealAt);
    of.equal('category.id', fieldsOf(etch['category'])['id'], fieldsOf(challenge['category'])['id']);
  });
  const { etches, sealed, revealed, retracted, taken_down: takenDown = 0 } = fieldsOf(answer['counts']);
  const sum = Number(sealed) + Number(revealed) + Number(retracted) + Number(takenDown);
  misfits.equal('counts.etches', etches, sum);
}

const OF_THE_ACCOUNT = [
  ...['user_id', 'username', 'display_name', 'social_handle', 'social_verified_at'],
  ...['kind', 'official', 'verified'],
];

export function checkRecord(misfits: Misfits, answer: Fields): void {
  const user = fieldsOf(answer['user']);
  forEach(answer['etches'], (etch, at) => {
    const author = fieldsOf(etch['author']);
    for (const field of OF_THE_ACCOUNT)
      misfits.equal(`etches[${at}].author.${field}`, author[field], user[field]);
  });
  const counts = fieldsOf(answer['counts']);
  const { total, active, revealed, retracted, taken_down: takenDown = 0 } = counts;
  misfits.equal('counts.active', active, Number(revealed) + Number(counts['sealed_pending_reveal']));
  misfits.equal('counts.total', total, Number(active) + Number(retracted) + Number(takenDown));
}

export function checkTree(misfits: Misfits, batch: Fields): void {
  const { root, leaves, tree_version: treeVersion, tree_size: treeSize } = batch;
  if ((treeVersion !== 1 && treeVersion !== 2) || typeof treeSize !== 'number' || !Array.isArray(leaves))
    return misfits.add('batch.tree_version', treeVersion, '1 or 2, with a size and leaves');
  const fault = rebuildFault({ root: String(root), treeVersion, treeSize }, leaves as LeafParts[]);
  if (fault !== null) misfits.add('batch.root', root, fault);
}

export function checkVerification(misfits: Misfits, answer: Fields): void {
  const { hash, status, canonical_string: canonical } = fieldsOf(answer['etch']);
  misfits.equal('status', answer['status'], status);
  misfits.equal('hash', answer['hash'], hash);
  misfits.equal('canonical_string', answer['canonical_string'], canonical);
  const computed = typeof canonical === 'string' && isWellFormedText(canonical) ? etchHash(canonical) : null;
  misfits.equal('recomputed_hash', answer['recomputed_hash'], computed);
  misfits.equal('recomputed_hash_matches', answer['recomputed_hash_matches'], computed === hash);
  misfits.equal('reconstructable', answer['reconstructable'], canonical !== null);
}

/** The last page may be shorter. */
export function checkPage(misfits: Misfits, answer: Fields, query: Fields): void {
  const { limit, has_more: hasMore, next_cursor: cursor } = fieldsOf(answer['page']);
  if (hasMore !== undefined || cursor !== undefined) misfits.equal('page.has_more', hasMore, cursor != null);
  if (hasMore !== undefined && query['limit'] !== undefined)
    misfits.equal('page.limit', limit, Number(query['limit']));
}

function forEach(list: unknown, work: (item: Fields, at: number) => void): void {
  if (Array.isArray(list)) list.forEach((item: unknown, at) => work(fieldsOf(item), at));
}
