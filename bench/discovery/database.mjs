import { migrate } from '../../packages/server/dist/db/migrate.js';
import { openPostgres } from '../../packages/server/dist/db/postgres.js';
import { searchText } from '../../packages/server/dist/search-index/fold.js';
import { connect, within } from '../support/processes.mjs';
import { fill } from './rows.mjs';

export async function openFilled(serverUrl, size, options) {
  const name = `bench_${size}`;
  const onServer = (text) => within(async (use) => void (await (await use(connect(serverUrl))).query(text)));
  await onServer(`create database ${name} template template0 encoding 'UTF8' locale 'C'`);
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  await within(async (use) => {
    await migrate(await use(openPostgres({ url })));
    const client = await use(connect(url));
    const run = async (text) => (await client.query(text)).rows;
    await fill(run, size, options);
    // rows.mjs must fold texts like the service.
    const rows = await run(`
      select e.description, e.content, s.text from etch e join etch_search s on s.etch_id = e.id order by e.id limit 500`);
    for (const { description, content, text } of rows)
      if (searchText(description, content) !== text) throw new Error(`folded differently: ${description}`);
  });
  return { url, stop: () => onServer(`drop database ${name} with (force)`) };
}
