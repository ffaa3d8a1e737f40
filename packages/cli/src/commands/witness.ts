import { asIs, command, flag, group, needed, word } from '../command.ts';
import { type Context, lines, say } from '../context.ts';
import { once } from 'node:events';
import { CommandError, EXIT, usageError } from '../exit.ts';
import { JSON_OUTPUT } from '../options.ts';
import {
  lockFolder,
  makeWitness,
  originHash,
  readLogs,
  readState,
  readWitness,
  writeState,
} from '../witness/witness-folder.ts';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { addCheckpoint, type WitnessAnswer, type WitnessOptions } from '../witness/add-checkpoint.ts';
import { createIndexChecker } from '../witness/check-index.ts';

const init = command('init', 'make the folder of a new witness: its key, its list of logs, its state', {
  input: {
    '<folder>': '',
    '--name <name>': needed(asIs, 'the public name of the witness, such as witness.example.org'),
    ...JSON_OUTPUT,
  },
  examples: [
    'svc witness init watch --name witness.example.org',
    'echo "log <key of the log>" >> watch/logs',
    'svc witness run watch',
  ],
  run({ folder, name }) {
    const key = makeWitness(folder, name);
    const words = [
      `key   ${key}`,
      `Add the logs to watch to ${folder}/logs, then run: svc witness run ${folder}`,
      'Back up the folder. A witness that lost its state must not run again under its key.',
    ];
    return { value: { folder, key }, words };
  },
});

const start = command('run', 'cosign the checkpoints of the logs in <folder>/logs, until it is stopped', {
  input: {
    '<folder>': '',
    '--listen <address>': word('host and port', '127.0.0.1:8090'),
    '--check-index': flag(
      'cosign only after recomputing the index of accounts from all leaves; each log needs its URL in <folder>/logs',
    ),
  },
  examples: [
    'svc witness run watch --listen 0.0.0.0:8090',
    'echo "log <key of the log> https://svc.example.org/log" >> watch/logs',
    'svc witness run watch --check-index',
  ],
  run: (options, context) => run(options, context),
});

export const witnessCommand = group(
  'witness',
  'cosign the logs of other services, so that none of them can show two histories',
  [init, start],
  ['svc witness init watch --name witness.example.org', 'svc witness run watch'],
);

interface RunOptions {
  folder: string;
  listen: string;
  checkIndex: boolean;
}

async function run({ folder, listen, checkIndex }: RunOptions, context: Context): Promise<void> {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(listen) ?? [];
  if (host === undefined || Number(port) > 65_535)
    throw usageError('--listen is not a host and a port, such as 127.0.0.1:8090');
  const witness = readWitness(folder);
  const logs = readLogs(folder);
  const release = lockFolder(folder);
  const report = (text: string) => say(context, text);
  const checker = checkIndex ? createIndexChecker(folder, logs, report) : null;
  try {
    const options: WitnessOptions = {
      witness,
      logs,
      state: readState(folder),
      save: (state) => writeState(folder, state),
      now: () => Date.now() / 1000,
      ...(checker && { checkIndex: (checkpoint) => checker.check(checkpoint) }),
    };
    const server = createWitnessServer(options, report);
    server.listen(Number(port), host.replace(/^\[(.*)\]$/, '$1'));
    await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
      throw usageError(`--listen ${listen} cannot be used (${error.code})`);
    });
    const address = server.address() as { port: number };
    if (logs.length === 0)
      say(
        context,
        `${folder}/logs names no log: add a line \`log <key>\` for each, and start the witness again`,
      );
    context.out(
      lines(
        `witness ${witness.key.name} http://${host}:${address.port}`,
        ...logs.map(({ key }) => `watches ${key.name}`),
        `policy line: witness <name> ${witness.text} <url>`,
      ),
    );
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    server.close();
    server.closeAllConnections();
    checker?.save();
    context.finish(EXIT.pass);
  } finally {
    release();
  }
}

const MOST_BYTES = 200_000;
const NOT_FOUND: WitnessAnswer = { status: 404, body: 'there is nothing here\n' };

function createWitnessServer(options: WitnessOptions, report: (text: string) => void): Server {
  const server = createServer((request, response) => {
    void answerTo(request, options)
      // A state that cannot be stored gives no cosignature.
      .catch((error: Error): WitnessAnswer => {
        if (!(error instanceof CommandError)) return { status: 500, body: 'the request failed\n' };
        report(`not cosigned: ${error.message}`);
        return { status: 500, body: 'the witness cannot store its state\n' };
      })
      .then(({ status, type = 'text/plain; charset=utf-8', body }) => {
        response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
      });
  });
  server.requestTimeout = 30_000;
  return server;
}

async function answerTo(request: IncomingMessage, options: WitnessOptions): Promise<WitnessAnswer> {
  const path = request.url ?? '';
  if (path === '/add-checkpoint') {
    if (request.method !== 'POST') return { status: 405, body: 'use POST\n' };
    const body = await readBody(request);
    return body === null ? { status: 413, body: 'the request is too long\n' } : addCheckpoint(body, options);
  }
  const [, hash] = /^\/([0-9a-f]{64})\/checkpoint$/.exec(path) ?? [];
  const found = Object.entries(options.state).find(([origin]) => originHash(origin) === hash);
  return hash === undefined || found === undefined ? NOT_FOUND : { status: 200, body: found[1].note };
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    // Reads a request that is too long to its end, or its sender would not see the answer.
    if ((size += chunk.length) <= MOST_BYTES) chunks.push(chunk);
  }
  return size > MOST_BYTES ? null : Buffer.concat(chunks).toString('utf8');
}
