import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ed25519 } from '@noble/curves/ed25519.js';
import { hexToBytes, bytesToHex } from '@svc/protocol';
import {
  accountKey,
  accountLeaf,
  decodeAccountEntry,
  encodeIndexData,
  mapLeaf,
  mapValue,
  resumeAccount,
} from '@svc/protocol/account-index';
import * as tlog from '@svc/protocol/tlog';
import { afterEach, beforeAll } from 'vitest';
import { ends } from '../../../../testing/clients/ends.ts';
import { freshHome } from '../../../../testing/clients/svc.ts';
import type { Json } from '../../../../testing/json.ts';
import { useServer } from '../../../../testing/machine/server.ts';
import { eventually } from '../../../../testing/wait.ts';
import { useAccount } from './account.ts';
import { svcHere } from './svc-here.ts';

const secret = new Uint8Array(32).fill(8);
/** With the signature of a log key that the test has. */
export const signed = (text: string): string => {
  const key = tlog.verifierKey(text.split('\n')[0]!, tlog.LOG_KEY, ed25519.getPublicKey(secret));
  return `${text}\n${tlog.signatureLine(key, ed25519.sign(Buffer.from(text), secret))}\n`;
};

/** The key of `signed`. */
export const forgedKey = (origin: string): string =>
  tlog.writeVerifierKey(origin, tlog.LOG_KEY, ed25519.getPublicKey(secret));

/** A dishonest operator's log: the real one with an invented index entry. */
interface ForgedIndex {
  log: Uint8Array[];
  answer: Json;
  tile(path: string): Buffer;
}

interface Forging {
  entries: string[];
  covered?: number;
  changed?: [at: number, data: Uint8Array];
  origin?: string;
  isLater?: boolean;
}

/** An account in the index of the shared service, behind a proxy that changes answers. */
export function useIndexProxy(service: { readonly url: string }) {
  const account = useAccount({ at: service });
  const found = {
    account,
    username: '',
    userId: '',
    asked: [] as string[],
    change: undefined as ((path: string, body: Json) => Json) | undefined,
    refused: undefined as
      | { path: RegExp; status: number; body: string; headers?: Record<string, string> }
      | undefined,
    forged: undefined as ForgedIndex | undefined,
    get url() {
      return proxy.url;
    },
    etch: (text: string) => account.json(['etch', text, '--description', 'Text', '--wait']),
    /** The index has this number of entries. */
    logged: (count: number) =>
      eventually(`${count} entries`, async () => {
        const answer = await fetch(`${service.url}/log/index/${found.userId}`);
        return answer.ok && (await answer.json()).count >= count;
      }),
    answer: async (): Promise<Json> => (await fetch(`${service.url}/log/index/${found.userId}`)).json(),
    changeIndex(work: (body: Json, path: string) => Json) {
      found.change = (path, body) => (path.startsWith('/log/index/') ? work(body, path) : body);
    },
    /**
     * @param covered default: all of the log
     * @param changed replaces an entry of the log
     * @param origin default: the origin of the real log
     * @param isLater after the forged entries before it, not after the real ones
     */
    async forge({ entries, covered, changed, origin: other, isLater = false }: Forging) {
      const { checkpoint } = await found.answer();
      const { origin: own, size: real } = tlog.parseCheckpoint(checkpoint);
      const origin = other ?? own;
      const log = isLater ? [...found.forged!.log] : await readLog(service.url, real);
      const size = log.length;
      if (changed !== undefined) log[changed[0]] = changed[1];
      const list = entries.map((entry) => decodeAccountEntry(hexToBytes(entry)));
      const tree = resumeAccount(0, []);
      for (const entry of list) tree.add(accountLeaf(entry));
      const root = mapLeaf(accountKey(found.userId), mapValue(list.length, tree.root()));
      const data = encodeIndexData({ root, covered: covered ?? size });
      log.push(data);
      const hashes = log.map((one) => tlog.entryHash(one));
      const read: tlog.ReadSubtree = async (height, index) =>
        tlog.foldHashes(hashes.slice(index * 2 ** height, (index + 1) * 2 ** height));
      const text = tlog.checkpointText({ origin, size: size + 1, root: await tlog.rootAt(size + 1, read) });
      const proof = (await tlog.proveInclusion(size, size + 1, read)).map(bytesToHex);
      found.forged = {
        log,
        answer: {
          user_id: found.userId,
          checkpoint: signed(text),
          index: { log_index: size, data: bytesToHex(data), proof },
          count: list.length,
          account_root: bytesToHex(tree.root()),
          path: [],
          other: null,
          from: 0,
          before: [],
          entries,
          more: false,
        },
        tile(path) {
          const { level, index, width } = tlog.parseTilePath(path)!;
          if (level === 'entries')
            return Buffer.concat(
              log.slice(index * 256, index * 256 + width).flatMap((one) => [Buffer.of(0, one.length), one]),
            );
          const span = 256 ** level;
          const at = (place: number) => (index * 256 + place) * span;
          return Buffer.concat(
            Array.from({ length: width }, (_, place) =>
              tlog.foldHashes(hashes.slice(at(place), at(place) + span)),
            ),
          );
        },
      };
    },
    /** A reader who pinned the service behind the proxy. `isForger`: the test has the key of the log. */
    async reader({ isForger = false } = {}) {
      const home = freshHome();
      const run = (...args: string[]) => svcHere(args, { home, env: { SVC_BASE_URL: proxy.url } });
      await ends(run('trust', proxy.url), 0);
      const pins = join(home, 'svc/trust.json');
      const pinned = () => JSON.parse(readFileSync(pins, 'utf8'))[proxy.url];
      if (isForger) {
        const { origin } = tlog.parseCheckpoint((await found.answer()).checkpoint);
        writeFileSync(pins, JSON.stringify({ [proxy.url]: { ...pinned(), log_keys: [forgedKey(origin)] } }));
      }
      const folder = join(home, 'svc');
      const state = () =>
        join(
          folder,
          readdirSync(folder).find((name) => name.includes('.index-'))!,
        );
      const audit = (...more: string[]) => run('audit', found.username, '--index', ...more);
      return { run, audit, state, logKey: (): string => pinned().log_keys[0] };
    },
  };
  const proxy = useServer((request, response) => {
    void (async () => {
      const path = request.url!;
      found.asked.push(path);
      const { refused, forged } = found;
      if (refused?.path.test(path))
        return response.writeHead(refused.status, refused.headers).end(refused.body);
      if (forged !== undefined && path.startsWith('/log/index/')) {
        const from = Number(/from=(\d+)/.exec(path)?.[1] ?? 0);
        const { entries } = forged.answer;
        if (from > entries.length) return response.writeHead(400).end('{}');
        const tree = resumeAccount(0, []);
        for (const entry of entries.slice(0, from))
          tree.add(accountLeaf(decodeAccountEntry(hexToBytes(entry))));
        const before = tree.edge.map(bytesToHex);
        return response.end(JSON.stringify({ ...forged.answer, from, before, entries: entries.slice(from) }));
      }
      if (forged !== undefined && path === '/log/checkpoint') return response.end(forged.answer.checkpoint);
      if (forged !== undefined && path.startsWith('/log/tile/'))
        return response.end(forged.tile(path.slice('/log/tile/'.length)));
      const answer = await fetch(service.url + path, {
        method: request.method!,
        headers: {
          'content-type': 'application/json',
          ...(request.headers.authorization !== undefined && {
            authorization: request.headers.authorization,
          }),
        },
        ...(request.method === 'POST' && { body: request as unknown as ReadableStream, duplex: 'half' }),
      });
      const type = answer.headers.get('content-type') ?? '';
      const bytes = Buffer.from(await answer.arrayBuffer());
      response.writeHead(answer.status, { 'content-type': type });
      if (forged !== undefined && answer.ok && path.startsWith('/log/proof/')) {
        const [head, ...note] = bytes.toString().split('\n\n');
        return response.end(`${head}\n\n${signed(tlog.parseCheckpoint(note.join('\n\n')).text)}`);
      }
      const isJson = answer.ok && type.startsWith('application/json') && found.change !== undefined;
      response.end(isJson ? JSON.stringify(found.change!(path, JSON.parse(bytes.toString()))) : bytes);
    })().catch(() => response.destroy());
  });
  beforeAll(async () => {
    const { user } = await account.json(['whoami']);
    [found.username, found.userId] = [user.username, user.id ?? user.user_id];
    await Promise.all([found.etch('In the index.'), found.etch('In the index too.')]);
    await found.logged(2);
  });
  afterEach(() => {
    [found.change, found.refused, found.forged] = [undefined, undefined, undefined];
  });
  return found;
}

async function readLog(url: string, size: number): Promise<Uint8Array[]> {
  const log: Uint8Array[] = [];
  while (log.length < size) {
    const width = Math.min(tlog.TILE_WIDTH, size - log.length);
    const path = tlog.tilePath({ level: 'entries', index: log.length / tlog.TILE_WIDTH, width });
    const bytes = Buffer.from(await (await fetch(`${url}/log/tile/${path}`)).arrayBuffer());
    for (let at = 0; at < bytes.length; at += 130) log.push(bytes.subarray(at + 2, at + 130));
  }
  return log;
}
