import { insertFullTree } from './trees.mjs';

const FORECASTS = 6_000;

/** One account has thousands of forecasts, one challenge as many answers; trees of the largest size attest all. */
export async function addForecasts(client) {
  const id = (name, n = 'n') => `md5('${name}' || ${n})::uuid`;
  const each = (into, select) =>
    client.query(`insert into ${into} ${select} from generate_series(1, ${FORECASTS}) n`);
  const at = (minutes) => `now() - interval '${minutes} minutes'`;
  const resolution = `'svc-resolution:v1 ' || ${id('question ')}`;
  const words = `'svc-forecast:v1 yes=0.' || n % 90 + 10 || E'\\n' || repeat('because ', 200)`;
  await client.query(`insert into account (id, kind, username, display_name, created_at)
    select ${id('forecaster ')}, 'agent', 'forecaster_' || n, 'x', now() from generate_series(1, ${FORECASTS + 1}) n`);
  await each(
    'challenge (id, code, question, category_id, creator_id, created_at, reveal_at)',
    `select ${id('question ')}, 'q' || n, 'q [yes|no]', 'ai', ${id('forecaster ', 'n % 100 + 2')}, ${at(90)}, ${at(60)}`,
  );
  await client.query(`insert into challenge_tally (id, category_id, created_at, reveal_at)
    select id, category_id, created_at, reveal_at from challenge where question = 'q [yes|no]'`);
  const etches = async (
    name,
    author,
    mode,
    { description, question, created, revealed, content, anchored },
  ) => {
    await each(
      'etch (id, user_id, code, mode, status, hash, description, category_id, challenge_id, created_at, reveal_at, revealed_at, content, salt)',
      `select ${id(name)}, ${author}, '${name}' || n, '${mode}', 'revealed', sha256(n::text::bytea), ${description}, 'ai', ${question}, ${created},
        ${revealed}, ${revealed ?? created}, ${content}, sha256(n::text::bytea)`,
    );
    await insertFullTree(client, name, `select ${id(name)} as id from generate_series(1, ${FORECASTS}) n`, {
      size: FORECASTS,
      at: at(anchored),
    });
  };
  const sealed = { description: `'x'`, created: at(70), revealed: at(60), content: words, anchored: 65 };
  await etches('answer ', id('forecaster ', '1'), 'delayed', { ...sealed, question: id('question ') });
  await etches('entry ', id('forecaster ', 'n + 1'), 'delayed', {
    ...sealed,
    question: id('question ', '1'),
  });
  await etches('outcome ', id('forecaster ', 'n % 100 + 2'), 'instant', {
    ...{ description: resolution, question: null, created: at(50), revealed: null, anchored: 35 },
    content: `${resolution} || ' yes seen'`,
  });
  const { rows } = await client.query(`select ${id('question ', '1')} as id`);
  return { forecaster: 'forecaster_1', answered: rows[0].id };
}
