/**
 * Inserts final trees as a relayer would have done, each in its own transaction. `at` is SQL with the number `n`.
 * The root and the transaction's hash of tree n are sha256(name || n).
 */
export async function insertTrees(client, name, { trees = 1, size, at = 'now()' }) {
  const hash = `sha256(convert_to('${name}' || n, 'UTF8'))`;
  const sender = `substring(sha256('${name}'), 1, 20)`;
  await client.query(`
    with t as (
      insert into anchor_tx (sender, nonce, action, calldata, state, not_before, staged_at, tx_hash, block_number, block_hash, block_time)
      select ${sender}, n, 'attest', 'x', 'FINAL', now(), now(), ${hash}, n, ${hash}, now() from generate_series(1, ${trees}) n
      returning id, nonce as n
    )
    insert into batch (tx_id, position, kind, tree_version, root, tree_size, uid, anchored_at)
    select id, 0, 0, 2, ${hash}, ${size}, ${hash}, ${at} from t`);
}

/** `etches` is a query of ids. @returns the root */
export async function insertFullTree(client, name, etches, { size, at }) {
  await insertTrees(client, name, { size, at });
  const { rows } = await client.query(`
    with b as (select id, root from batch where root = sha256('${name}1')), l as (
      insert into batch_leaf (batch_id, kind, etch_id, proof) select b.id, 0, e.id, '' from b, (${etches}) e
    )
    select encode(root, 'hex') as root from b`);
  return rows[0].root;
}
