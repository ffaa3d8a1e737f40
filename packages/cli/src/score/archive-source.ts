import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { packLeaves } from '@svc/protocol';
import type { PublicChallenge } from '@svc/protocol/conventions';
import { ApiError, type BatchDetail, type Etch } from '@svc/sdk';
import { extract } from 'tar-stream';
import type { Account } from '../audit/audit-accounts.ts';
import { inputError } from '../exit.ts';
import type { Published } from '../find-trust.ts';
import type { ScoreSource } from './audited-data.ts';

interface RecordPage {
  user: Account;
  counts: object;
  etches: Etch[];
}

interface Archive {
  source: ScoreSource;
  facts: Published;
  madeAt: string;
  accounts: Account[];
  challenges: PublicChallenge[];
}

const WANTED = /^(?:manifest\.json|(?:records\/[^/]+|challenges)\/\d+\.json|trees\/[0-9a-f]{64}-[01]\.json)$/;

export async function readArchive(path: string): Promise<Archive> {
  const records = new Map<string, RecordPage[]>();
  const challenges: PublicChallenge[] = [];
  const trees = new Map<string, string>();
  let manifest: Manifest | undefined;
  try {
    for await (const { name, text } of filesOf(path)) {
      const [folder, second] = name.split('/');
      if (name === 'manifest.json') manifest = JSON.parse(text) as Manifest;
      else if (folder === 'trees') trees.set(second!.replace('.json', ''), text);
      else if (folder === 'challenges')
        challenges.push(...(JSON.parse(text) as { challenges: PublicChallenge[] }).challenges);
      else records.set(second!, [...(records.get(second!) ?? []), JSON.parse(text) as RecordPage]);
    }
  } catch (error) {
    throw inputError(`${path} cannot be read as an archive: ${(error as Error).message}`);
  }
  if (manifest?.format !== 'svc-archive:v1')
    throw inputError(
      `${path} is not an archive of svc-admin export: its manifest.json is missing or has the wrong format`,
    );
  const accounts = [...records].map(([username, [first]]) => ({ username, user_id: first!.user.user_id }));
  const { chain_id, attestation_contract, schema_uid, relayers } = manifest.chain;
  return {
    source: sourceOf(manifest.base_url, { records, challenges, trees, accounts }),
    facts: {
      trust: { chainId: chain_id, contract: attestation_contract, schemaUid: schema_uid, relayers },
      rpcUrl: null,
      promiseKeys: [],
      logKeys: [],
      moves: [],
    },
    madeAt: manifest.made_at,
    accounts,
    challenges,
  };
}

interface Manifest {
  format: string;
  made_at: string;
  base_url: string;
  chain: { chain_id: number; attestation_contract: string; schema_uid: string; relayers: string[] };
}

interface Held {
  records: ReadonlyMap<string, RecordPage[]>;
  challenges: readonly PublicChallenge[];
  trees: ReadonlyMap<string, string>;
  accounts: readonly Account[];
}

function sourceOf(origin: string, { records, challenges, trees, accounts }: Held): ScoreSource {
  const all = [...records.values()].flat().flatMap(({ etches }) => etches);
  const missing = (what: string) =>
    new ApiError(`the archive has no ${what}`, { code: 'not_found', status: 404 });
  const record = (username: string) => {
    async function* pages() {
      const found = records.get(username);
      if (found === undefined) throw missing(`account ${username}`);
      yield* found;
    }
    return {
      pages,
      first: async () => (await pages().next()).value,
      async *[Symbol.asyncIterator]() {
        for await (const { etches } of pages()) yield* etches;
      },
    };
  };
  async function getChallenge(id: string) {
    const challenge = challenges.find((one) => one.id === id);
    const creator = accounts.find(({ user_id }) => user_id === challenge?.creator_id);
    if (challenge === undefined || creator === undefined) throw missing(`challenge ${id}`);
    return { challenge: { ...challenge, creator } };
  }
  async function* challengeEtches(id: string) {
    yield* all.filter(({ challenge }) => challenge?.id === id);
  }
  return {
    origin,
    record: record as unknown as ScoreSource['record'],
    async treeLeaves(root, kind, treeVersion) {
      const text = trees.get(`${root}-${kind}`);
      if (text === undefined) throw missing(`tree ${root}`);
      return packLeaves(treeVersion, (JSON.parse(text) as { batch: BatchDetail }).batch.leaves);
    },
    async findEtch(hash) {
      const etch = all.find((one) => one.hash === hash);
      if (etch === undefined) throw missing(`etch with the hash ${hash}`);
      return etch;
    },
    getChallenge: getChallenge as unknown as ScoreSource['getChallenge'],
    challengeEtches: challengeEtches as unknown as ScoreSource['challengeEtches'],
  };
}

async function* filesOf(path: string): AsyncGenerator<{ name: string; text: string }> {
  if ((await stat(path)).isDirectory()) {
    const names = await readdir(path, { recursive: true });
    for (const name of names.map((one) => one.replaceAll('\\', '/')).sort())
      if (WANTED.test(name)) yield { name, text: await readFile(join(path, name), 'utf8') };
    return;
  }
  const entries = extract();
  const read = pipeline(createReadStream(path), createGunzip(), entries);
  read.catch(() => undefined);
  for await (const entry of entries) {
    const { name, type } = entry.header;
    if (type !== 'file' || !WANTED.test(name)) {
      entry.resume();
      continue;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    yield { name, text: Buffer.concat(chunks).toString('utf8') };
  }
  await read;
}
