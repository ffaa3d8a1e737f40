import { insertFullTree } from './trees.mjs';

const FORECASTS = 6_000;
const EACH = `generate_series(1, ${FORECASTS}) n`;
const id = (name, n = 'n') => `md5('${name}' || ${n})::uuid`;
const ago = (minutes) => (minutes ? `now() - interval '${minutes} minutes'` : 'null');
const FORECAST = `'svc-forecast:v1 yes=0.' || n % 90 + 10 || E'\\n' || repeat('because ', 200)`;
const RESOLUTION = `'svc-resolution:v1 ' || ${id('question ')}`;

/** One account has thousands of forecasts, one challenge as many answers; trees of the largest size attest all. */
export async function addForecasts(client) {
  await client.query(`insert into account (id, kind, username, display_name, created_at)
    select ${id('forecaster ')}, 'agent', 'forecaster_' || n, 'x', now() from generate_series(1, ${FORECASTS + 1}) n`);
  const others = id('forecaster ', 'n % 100 + 2');
  await client.query(`insert into challenge (id, code, question, category_id, creator_id, created_at, reveal_at)
    select ${id('question ')}, 'q' || n, 'q [yes|no]', 'ai', ${others}, ${ago(90)}, ${ago(60)} from ${EACH}`);
  await client.query(`insert into challenge_tally (id, category_id, created_at, reveal_at)
    select id, category_id, created_at, reveal_at from challenge where question = 'q [yes|no]'`);
  const sealed = { created: 70, anchored: 65, revealed: 60, content: FORECAST, description: `'x'` };
  const open = {
    created: 50,
    anchored: 35,
    content: `${RESOLUTION} || ' yes seen'`,
    description: RESOLUTION,
  };
  await addEtches(client, 'answer ', id('forecaster ', '1'), id('question '), sealed);
  await addEtches(client, 'entry ', id('forecaster ', 'n + 1'), id('question ', '1'), sealed);
  await addEtches(client, 'outcome ', others, 'null', open);
  const { rows } = await client.query(`select ${id('question ', '1')} as id`);
  return { forecaster: 'forecaster_1', answered: rows[0].id };
}

/** Times are minutes before now. */
async function addEtches(
  client,
  name,
  author,
  question,
  { created, anchored, revealed, content, description },
) {
  await client.query(`
    insert into etch (id, user_id, code, mode, status, hash, description, category_id, challenge_id, created_at, reveal_at, revealed_at, content, salt)
    select ${id(name)}, ${author}, '${name}' || n, '${revealed ? 'delayed' : 'instant'}', 'revealed', sha256(n::text::bytea), ${description}, 'ai',
      ${question}, ${ago(created)}, ${ago(revealed)}, ${ago(revealed ?? created)}, ${content}, sha256(n::text::bytea) from ${EACH}`);
  await insertFullTree(client, name, `select ${id(name)} as id from ${EACH}`, {
    size: FORECASTS,
    at: ago(anchored),
  });
}
