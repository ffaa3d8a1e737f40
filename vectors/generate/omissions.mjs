import { ADA, answerer, BEN, bytesOfLog, etch, hex, LOG, sha256, tree } from './account-index-model.mjs';
import { seeded, seededUuid } from './rules.mjs';
import { scenario } from './scenario.mjs';
import { path as logPath } from './tlog.mjs';

/** The tree of a receipt. `hidden` leaves are in the tree, and the index leaves them out. */
function treeOf(name, { receipt }, hidden) {
  const others = Array.from({ length: receipt.inclusion.tree_size - 1 }, (_, at) => ({
    userId: seededUuid(`${name} other ${at}`),
    hash: seeded(`${name} other ${at}`),
  }));
  const own = { userId: receipt.author.user_id, hash: Buffer.from(receipt.hash, 'hex'), hidden };
  return tree(0, receipt.inclusion.tree_version, own, ...others);
}

/** Valid: the file proves an omission. Invalid: `fault` is in the message; `malformed` names the field. */
export function omissionVectors() {
  const name = 'omitted';
  const made = scenario(name, { size: 5 });
  const { receipt } = made;
  const { user_id: author } = receipt.author;
  const more = [tree(0, 2, etch(author, 'shown'), etch(BEN, 'b')), 'index', tree(0, 2, etch(ADA, 'a'))];
  const file = (log, userId = author, place = 0) => {
    const bytes = bytesOfLog(log);
    const hashes = bytes.map((entry) => sha256(Buffer.of(0), entry));
    return {
      _format: 'svc-omission:v1',
      _what_this_is: 'The proof that an index of accounts leaves out an etch.',
      receipt,
      tree: { log_index: place, data: hex(bytes[place]), proof: logPath(place, hashes).map(hex) },
      index: [answerer(log, log.length)(userId)],
    };
  };
  const hidden = treeOf(name, made, true);
  const shown = treeOf(name, made, false);
  const good = file([hidden, ...more]);
  const wrong = (why, fault, omission) => ({ why, fault, omission });
  const first = scenario('omitted of version 1', { scheme: 1 });
  const { root, ...rest } = receipt.inclusion;
  return [
    [
      'valid/omissions',
      {
        omissions: [
          { what: 'an account with other entries', omission: good },
          { what: 'an account that the index does not have', omission: file([hidden, ...more.slice(1)]) },
          { what: 'a tree behind others', omission: file([...LOG.slice(0, 5), hidden, ...more], author, 5) },
          {
            what: 'a sealed etch',
            omission: { ...good, receipt: { ...receipt, status: 'sealed', canonical_string: null } },
          },
        ],
      },
    ],
    [
      'invalid/omissions',
      {
        omissions: [
          wrong('the index has the etch', 'the index has the etch', file([shown, ...more])),
          wrong(
            'the index does not cover the tree',
            'the index covers only',
            file([...more.slice(0, 2), hidden], author, 2),
          ),
          wrong('entries of another account', 'user_id', file([hidden, ...more], BEN)),
          wrong('another tree of the log', 'tree.data', file([hidden, ...more], author, 1)),
          wrong('a wrong proof of the tree', 'tree.proof', {
            ...good,
            tree: { ...good.tree, proof: good.tree.proof.toReversed() },
          }),
          wrong('another log index', 'tree.proof', { ...good, tree: { ...good.tree, log_index: 2 } }),
          wrong('a receipt of a different author', 'user_id', {
            ...good,
            receipt: { ...receipt, author: { ...receipt.author, user_id: BEN } },
          }),
          wrong('a receipt that does not fold to its root', 'does not fold', {
            ...good,
            receipt: {
              ...receipt,
              hash: first.receipt.hash,
              canonical_string: first.receipt.canonical_string,
            },
          }),
          wrong('a receipt of a different tree', 'tree.data', {
            ...good,
            receipt: { ...receipt, inclusion: { ...rest, root, tree_size: 6 } },
          }),
          wrong('a tree of version 1', 'no tree of version 2', {
            ...good,
            receipt: { ...receipt, inclusion: { ...rest, root, tree_version: 1 } },
          }),
          wrong('an entry less than the account root', 'entries', {
            ...good,
            index: [{ ...good.index[0], entries: [] }],
          }),
        ],
        malformed: [
          wrong('no object', '_format', null),
          wrong('another format', '_format', { ...good, _format: 'svc-omission:v2' }),
          wrong('no answers', 'index', { ...good, index: [] }),
          wrong('an answer without a checkpoint', 'checkpoint', {
            ...good,
            index: [{ ...good.index[0], checkpoint: null }],
          }),
          wrong('no tree', 'tree', { ...good, tree: null }),
          wrong('a tree with short data', 'tree.data', { ...good, tree: { ...good.tree, data: '00' } }),
          wrong('no receipt', 'receipt', { ...good, receipt: null }),
        ],
      },
    ],
  ];
}
