import { fastify } from 'fastify';

process.once('message', async ({ body, path }) => {
  const app = fastify();
  app.get(path, (_request, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(body),
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  process.send(app.server.address().port);
});
