// A Fastify with one route that answers bytes it was given: what `GET /etches/{id}` is measured beside.
import { fastify } from 'fastify';

process.once('message', async ({ body, path }) => {
  const app = fastify();
  app.get(path, (_request, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(body),
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  process.send({ port: app.server.address().port });
});
