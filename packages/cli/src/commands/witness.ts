import { once } from 'node:events';
import { Command } from 'commander';
import { inertJson } from '../inert.ts';
import { type Context, lines } from '../context.ts';
import { EXIT, usageError } from '../exit.ts';
import { createWitnessServer } from '../witness/serve.ts';
import { lockFolder, readState, writeState } from '../witness/state-file.ts';
import { makeWitness, readLogs, readWitness } from '../witness/witness-folder.ts';

export function witnessCommand(context: Context): Command {
  const witness = new Command('witness').description(
    'cosign the logs of other services, so that none of them can show two histories',
  );
  witness.addHelpText(
    'after',
    '\nExamples:\n  $ svc witness init watch --name witness.example.org\n  $ svc witness run watch\n',
  );
  witness.addCommand(
    new Command('init')
      .description('make the folder of a new witness: its key, its list of logs, its state')
      .argument('<folder>')
      .requiredOption('--name <name>', 'the public name of the witness, such as witness.example.org')
      .option('--json', 'print the result as JSON', false)
      .addHelpText(
        'after',
        '\nExamples:\n  $ svc witness init watch --name witness.example.org\n  $ echo "log <key of the log>" >> watch/logs\n  $ svc witness run watch\n',
      )
      .action((folder: string, { name, json }: { name: string; json: boolean }) => {
        const key = makeWitness(folder, name);
        context.out(
          json
            ? `${inertJson({ folder, key })}\n`
            : lines(
                `key   ${key}`,
                `Add the logs to watch to ${folder}/logs, then run: svc witness run ${folder}`,
                'Back up the folder. A witness that lost its state must not run again under its key.',
              ),
        );
      }),
  );
  witness.addCommand(
    new Command('run')
      .description('cosign the checkpoints of the logs in <folder>/logs, until it is stopped')
      .argument('<folder>')
      .option('--listen <address>', 'host and port', '127.0.0.1:8090')
      .addHelpText('after', '\nExamples:\n  $ svc witness run watch --listen 0.0.0.0:8090\n')
      .action((folder: string, { listen }: { listen: string }) => run(folder, listen, context)),
  );
  return witness;
}

async function run(folder: string, listen: string, context: Context): Promise<void> {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(listen) ?? [];
  if (host === undefined || Number(port) > 65_535)
    throw usageError('--listen is not a host and a port, such as 127.0.0.1:8090');
  const witness = readWitness(folder);
  const logs = readLogs(folder);
  const release = lockFolder(folder);
  try {
    const server = createWitnessServer({
      ...{ witness, logs, state: readState(folder) },
      save: (state) => writeState(folder, state),
      now: () => Date.now() / 1000,
    });
    server.listen(Number(port), host.replace(/^\[(.*)\]$/, '$1'));
    await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
      throw usageError(`--listen ${listen} cannot be used (${error.code})`);
    });
    const address = server.address() as { port: number };
    if (logs.length === 0)
      context.note(
        lines(`${folder}/logs names no log: add a line \`log <key>\` for each, and start the witness again`),
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
    context.finish(EXIT.pass);
  } finally {
    release();
  }
}
