// Serves drand's HTTP API: `node main.mjs <genesis> <period>`. A round number on its input releases that round
// and all before it.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { localChain } from './chain.mjs';

const [genesis, period] = process.argv.slice(2);
const { info, sign } = localChain({ genesis: Number(genesis), period: Number(period) });
let current = 0;

function answer(path) {
  if (path === `/${info.hash}/info`) return info;
  const [, named] = new RegExp(`^/${info.hash}/public/(latest|[1-9][0-9]{0,9})$`).exec(path) ?? [];
  if (named === undefined) return null;
  const round = named === 'latest' ? current : Number(named);
  if (round < 1 || round > current) return null;
  const signature = sign(round);
  return { round, randomness: createHash('sha256').update(signature, 'hex').digest('hex'), signature };
}

const server = createServer((request, response) => {
  const body = answer(new URL(request.url, 'http://beacon').pathname);
  // As real relays do, so that pages may read it.
  response.writeHead(body === null ? 404 : 200, {
    'content-type': 'application/json',
    'access-control-allow-origin': '*',
  });
  response.end(JSON.stringify(body ?? { error: 'no such round' }));
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
createInterface(process.stdin)
  .on('line', (line) => {
    current = Number(line);
    console.log(current);
  })
  .on('close', () => process.exit());
