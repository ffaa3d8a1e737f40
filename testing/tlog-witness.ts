import { text } from 'node:stream/consumers';
import { parsePolicy } from '@svc/protocol/tlog';
import { addCheckpoint, type WitnessState } from '../packages/cli/src/witness/add-checkpoint.ts';
import { makeWitness, originHash, readWitness } from '../packages/cli/src/witness/witness-folder.ts';
import { newFolder } from './machine/folder.ts';
import { type LocalServer, startServer } from './machine/server.ts';

export interface LocalWitness {
  readonly server: LocalServer;
  readonly key: string;
  /** of a policy file */
  readonly line: string;
  /** `away`: it closes each connection; `deaf`: it reads a checkpoint, stores nothing and fails; `silent`: and waits */
  mood: 'well' | 'away' | 'deaf' | 'silent';
  /** the newest checkpoint that it cosigned */
  readonly kept: string | undefined;
  /** every checkpoint that it received */
  readonly received: string[];
  /** Forgets everything, is well, and watches the log of these keys. */
  watch(keys: readonly string[]): void;
}

/** `svc witness run` in this process. @param now seconds */
export async function startLocalWitness(name: string, now: () => number): Promise<LocalWitness> {
  const folder = newFolder('witness');
  const key = makeWitness(folder, name);
  let state: WitnessState = {};
  const options = {
    witness: readWitness(folder),
    logs: parsePolicy('quorum none').logs,
    save: () => {},
    now,
  };
  const server = await startServer((request, response) => {
    if (witness.mood === 'away') return void request.socket.destroy();
    if (request.method === 'GET') {
      const found = Object.keys(state).find((origin) => request.url === `/${originHash(origin)}/checkpoint`);
      return void response.writeHead(found === undefined ? 404 : 200).end(found && state[found]!.note);
    }
    void text(request).then(async (body) => {
      witness.received.push(body.slice(body.indexOf('\n\n') + 2));
      if (witness.mood === 'silent') return;
      const isDeaf = witness.mood === 'deaf';
      const answer = isDeaf ? { status: 500, body: '' } : await addCheckpoint(body, { ...options, state });
      response.writeHead(answer.status).end(answer.body);
    });
  });
  const witness: LocalWitness = {
    server,
    key,
    line: `witness ${name} ${key} ${server.url}`,
    mood: 'well',
    received: [],
    get kept() {
      return Object.values(state).at(-1)?.note;
    },
    watch(keys) {
      [state, witness.mood] = [{}, 'well'];
      witness.received.length = 0;
      options.logs = parsePolicy([...keys.map((one) => `log ${one}`), 'quorum none\n'].join('\n')).logs;
    },
  };
  return witness;
}
