// Sends fixed bytes; `/asking` first reads the etch's row.
import { fastify } from 'fastify';
import pg from 'pg';

process.once('message', async ({ body, path, url }) => {
  const app = fastify();
  const answer = (reply) => reply.header('content-type', 'application/json; charset=utf-8').send(body);
  app.get(path, (_request, reply) => answer(reply));
  if (url) {
    const pool = new pg.Pool({ connectionString: url, pipeline: true });
    const values = [path.split('/').at(-1)];
    app.get('/asking', async (_request, reply) => {
      await pool.query({ name: 'row', text: 'select * from etch where id = $1', values });
      return answer(reply);
    });
  }
  await app.listen({ host: '127.0.0.1', port: 0 });
  process.send({ port: app.server.address().port });
});
