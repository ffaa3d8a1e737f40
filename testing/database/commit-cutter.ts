import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type CutPlace = 'before' | 'sent' | 'answered';

/** Cuts connections at a COMMIT that writes etches. */
export interface CommitCutter {
  url(databaseUrl: string): string;
  choose: () => CutPlace | undefined;
  readonly cuts: Record<CutPlace, number>;
  stop(): Promise<void>;
}

const WRITES_ETCHES = 'insert into etch (';
/** The driver sends a prepared statement once with its name, then by name only. */
const PREPARED = /(svc_[0-9a-f]+)\0[^\0]*insert into etch \(/;
const COMMIT = 'Q\0\0\0\x0bcommit\0';
const COMMITTED = 'COMMIT\0';
const BEGIN = /begin[\0;]/;

export async function startCommitCutter(databaseUrl: string): Promise<CommitCutter> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const cutter: CommitCutter = {
    url(wanted) {
      const through = new URL(wanted);
      through.port = String((server.address() as AddressInfo).port);
      return through.href;
    },
    choose: () => undefined,
    cuts: { before: 0, sent: 0, answered: 0 },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const names = new Set<string>();
    let writesEtches = false;
    let loseAnswer = false;
    const cut = (place: CutPlace): void => {
      cutter.cuts[place]++;
      client.destroy();
      upstream.end();
    };
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.end();
      });
    }
    client.on('data', (chunk) => {
      const text = chunk.toString('latin1');
      if (BEGIN.test(text)) writesEtches = false;
      const name = PREPARED.exec(text)?.[1];
      if (name !== undefined) names.add(name);
      if (text.includes(WRITES_ETCHES) || [...names].some((known) => text.includes(known)))
        writesEtches = true;
      const place = writesEtches && text.includes(COMMIT) ? cutter.choose() : undefined;
      if (place === 'before') {
        // The server receives the writing statement, but not COMMIT.
        upstream.write(chunk.subarray(0, text.lastIndexOf(COMMIT)));
        return cut(place);
      }
      upstream.write(chunk);
      if (place === 'sent') return cut(place);
      if (place === 'answered') loseAnswer = true;
    });
    upstream.on('data', (chunk) => {
      if (!loseAnswer) return client.write(chunk);
      if (chunk.includes(COMMITTED)) cut('answered');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return cutter;
}
