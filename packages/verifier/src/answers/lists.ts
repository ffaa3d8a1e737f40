import { etchHash, isUuid, isWellFormedText } from '@svc/protocol';
import { type LeafParts, rebuildFault } from '../attested-trees.ts';
import { at, type Fields, fieldsOf, type Misfits } from './misfit.ts';

export function checkChallenge(misfits: Misfits, answer: Fields): void {
  const challenge = fieldsOf(answer['challenge']);
  const { id, code, question, reveal_at } = challenge;
  misfits.fits(answer, 'challenge.id', isUuid, 'a uuid in lower case');
  misfits.address(answer, 'challenge.short_url', `/ch/${String(code)}`);
  forEach(answer['etches'], (etch, index) =>
    misfits.within(`etches[${index}]`).same(etch, {
      'challenge.id': id,
      'challenge.question': question,
      reveal_at,
      'category.id': at(challenge, 'category.id'),
    }),
  );
}

export const checkChallengeLinks = (misfits: Misfits, challenges: unknown): void =>
  forEach(challenges, (challenge, index) =>
    misfits.within(`challenges[${index}]`).address(challenge, 'url', `/ch/${String(challenge['id'])}`),
  );

export const checkEventLinks = (misfits: Misfits, events: unknown): void =>
  forEach(events, ({ data }, index) => {
    for (const [name, kind] of [
      ['etch', 'e'],
      ['challenge', 'ch'],
    ] as const) {
      const subject = fieldsOf(fieldsOf(data)[name]);
      if (subject['url'] !== undefined)
        misfits
          .within(`events[${index}].data.${name}`)
          .address(subject, 'url', `/${kind}/${String(subject['id'])}`);
    }
  });

export function checkRecord(misfits: Misfits, answer: Fields): void {
  const { user_id: userId, username } = fieldsOf(answer['user']);
  forEach(answer['etches'], ({ author }, index) =>
    misfits.within(`etches[${index}].author`).same(author, { user_id: userId, username }),
  );
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
  const computed = typeof canonical === 'string' && isWellFormedText(canonical) ? etchHash(canonical) : null;
  misfits.same(answer, {
    status,
    hash,
    canonical_string: canonical,
    recomputed_hash: computed,
    recomputed_hash_matches: computed === hash,
    reconstructable: canonical !== null,
  });
}

function forEach(list: unknown, work: (item: Fields, index: number) => void): void {
  if (Array.isArray(list)) list.forEach((item: unknown, index) => work(fieldsOf(item), index));
}
