const FORECASTS = 6_000;

/** Identifies these transactions. */
const SENDER = `\\x${'5e'.repeat(20)}`;

/** One account has thousands of forecasts, one challenge as many answers; trees of the largest size attest all. */
export async function addForecasts(client) {
  const id = (name, n = 'n') => `md5('${name}' || ${n})::uuid`;
  const each = (into, select) =>
    client.query(`insert into ${into} ${select} from generate_series(1, ${FORECASTS}) n`);
  const etches = (select) =>
    each(
      `etch (id, user_id, code, mode, status, hash, description, category_id, challenge_id, created_at, reveal_at, revealed_at, content, salt)`,
      select,
    );
  const opened = (description) => `sha256(n::text::bytea), ${description}, 'ai'`;
  const resolution = `'svc-resolution:v1 ' || ${id('question ')}`;
  const at = (minutes) => `now() - interval '${minutes} minutes'`;
  const words = `'svc-forecast:v1 yes=0.' || n % 90 + 10 || E'\\n' || repeat('because ', 200), sha256(n::text::bytea)`;
  await client.query(`insert into account (id, kind, username, display_name, created_at)
    select ${id('forecaster ')}, 'agent', 'forecaster_' || n, 'x', now() from generate_series(1, ${FORECASTS + 1}) n`);
  await each(
    'challenge (id, code, question, category_id, creator_id, created_at, reveal_at)',
    `select ${id('question ')}, 'q' || n, 'q [yes|no]', 'ai', ${id('forecaster ', 'n % 100 + 2')}, ${at(90)}, ${at(60)}`,
  );
  await client.query(`insert into challenge_tally (id, category_id, created_at, reveal_at)
    select id, category_id, created_at, reveal_at from challenge where question = 'q [yes|no]'`);
  const answer = (name, author, question) =>
    etches(
      `select ${id(name)}, ${author}, '${name}' || n, 'delayed', 'revealed', ${opened(`'x'`)}, ${question}, ${at(70)}, ${at(60)}, ${at(60)}, ${words}`,
    );
  await answer('answer ', id('forecaster ', '1'), id('question '));
  await answer('entry ', id('forecaster ', 'n + 1'), id('question ', '1'));
  await etches(
    `select ${id('outcome ')}, ${id('forecaster ', 'n % 100 + 2')}, 'outcome ' || n, 'instant', 'revealed', ${opened(resolution)}, null, ${at(50)}, null,
    ${at(50)}, ${resolution} || ' yes seen', sha256(n::text::bytea)`,
  );
  const parts = ['answer', 'entry', 'outcome'];
  await client.query(`insert into anchor_tx (sender, nonce, action, calldata, state, not_before, staged_at, tx_hash)
    select '${SENDER}', n, 'attest', '', 'FINAL', now(), now(), sha256(n::text::bytea) from generate_series(1, ${parts.length}) n`);
  await client.query(`insert into batch (tx_id, position, kind, tree_version, root, tree_size, uid, anchored_at)
    select id, 0, 0, 2, tx_hash, ${FORECASTS}, tx_hash, ${at(65)} + (nonce > 2)::integer * interval '30 minutes' from anchor_tx where sender = '${SENDER}' and nonce <= ${parts.length}`);
  for (const [index, part] of parts.entries())
    await client.query(`insert into batch_leaf (batch_id, kind, etch_id, proof) select b.id, 0, ${id(`${part} `)}, ''
      from generate_series(1, ${FORECASTS}) n, batch b join anchor_tx t on t.id = b.tx_id where t.sender = '${SENDER}' and t.nonce = ${index + 1}`);
  const { rows } = await client.query(`select ${id('question ', '1')} as id`);
  return { forecaster: 'forecaster_1', answered: rows[0].id };
}
