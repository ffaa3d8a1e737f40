// Runs without a database.
import { createServer, type AddressInfo } from 'node:net';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { DatabaseUnavailable } from '../../src/db/db.ts';
import { openPostgres } from '../../src/db/postgres.ts';

function message(type: string, ...parts: (string | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}

const READY = message('Z', 'I');
const SIGNED_IN = message('R', Buffer.alloc(4));
const TEXT_COLUMN = Buffer.from('000000000000000000190001ffffffff0000', 'hex');
const WRITES_ARE_TAKEN = Buffer.concat([
  message('T', Buffer.from([0, 1]), 'transaction_read_only\0', TEXT_COLUMN),
  message('D', Buffer.from([0, 1, 0, 0, 0, 3]), 'off'),
  message('C', 'SHOW\0'),
  READY,
]);
const END = message('E', 'SFATAL\0', 'C57P01\0', 'Mterminating connection\0', '\0');

test('a server that closes a connection right after its check does not end the process', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(Buffer.concat([SIGNED_IN, READY]));
      // One packet contains the answer and the end, while no statement waits.
      socket.once('data', () => socket.end(Buffer.concat([WRITES_ARE_TAKEN, END])));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const db = openPostgres({ url: `postgres://one@127.0.0.1:${port}/any` });
  try {
    await expect(db.query(sql`select 1`)).rejects.toThrow(DatabaseUnavailable);
  } finally {
    await db.close();
    server.close();
  }
});
