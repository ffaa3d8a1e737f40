// /.well-known/svc.json and the log of trees under /log.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { isUuid, LEAVES_TYPE, moveText } from '@svc/protocol';
import { parseTilePath, type Tile, TILE_WIDTH } from '@svc/protocol/tlog';
import { VERSION } from '../settings/version.ts';
import type { HttpDependencies } from './dependencies.ts';
import type { Db } from '../db/db.ts';
import { badField, Failure } from '../platform/failure.ts';
import { createSlots } from '../platform/flow/slots.ts';
import { answerIndex } from '../proofs/account-index/index-answer.ts';
import { leavesAt, signedSize } from '../proofs/account-index/index-store.ts';
import { proveLogged, servedCheckpoint } from '../proofs/log/checkpoints.ts';
import { readEntries, readHashes } from '../proofs/log/entries.ts';
import type { TreeLog } from '../proofs/log/tree-log.ts';
import { addressKey, whoOf } from './rate-limits.ts';
import { addEtag } from './representation.ts';

export async function serviceInfo({ chain: { facts }, etches, identity }: HttpDependencies): Promise<object> {
  const { contract, schemaUid } = facts;
  const [chainId, relayers, former] = await Promise.all([facts.chainId(), facts.relayers(), facts.former()]);
  const to = { chainId, contract, schemaUid, relayers };
  const moves = former.map(({ leftAt, ...from }) =>
    etches.promises.signWithEach(moveText({ leftAt, from, to })),
  );
  return {
    version: VERSION,
    chain: {
      name: facts.name,
      chain_id: chainId,
      attestation_contract: contract,
      schema_uid: schemaUid,
      relayers,
      rpc_url: facts.publicRpcUrl,
    },
    promise: { keys: etches.promises.keys },
    ...(moves.length > 0 && { moves }),
    log: { origin: etches.treeLog.origin, keys: etches.treeLog.keys },
    identity: identity.program,
  };
}

export function mountWellKnown(app: FastifyInstance, deps: HttpDependencies): void {
  app.get('/.well-known/svc.json', async (_request, reply) => {
    void reply.header('Access-Control-Allow-Origin', '*').header('Cache-Control', 'no-cache');
    return serviceInfo(deps);
  });
}

const TEXT = 'text/plain; charset=utf-8';
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Follows C2SP tlog-tiles, and C2SP tlog-proof for the proof of an etch. */
export function mountTreeLog(
  app: FastifyInstance,
  { db, standby, etches: { treeLog, indexMaps: maps }, meters }: HttpDependencies,
): void {
  const open = (reply: FastifyReply) => reply.header('Access-Control-Allow-Origin', '*');
  const trees = createSlots({
    slots: 2,
    queue: 256,
    patience: 20_000,
    what: 'trees of the log that are read',
  });
  app.get('/log/checkpoint', async (_request, reply) => {
    const latest = await servedCheckpoint(db, treeLog.origin);
    if (latest === null) throw new Failure('not_found', 'the log has no checkpoint yet');
    return open(reply).header('Cache-Control', 'no-cache').type(TEXT).send(latest.note);
  });
  app.get('/log/tile/*', async (request, reply) => {
    const tile = parseTilePath((request.params as { '*': string })['*']);
    const found = tile && (await readTile(db, treeLog, tile));
    if (found === null) throw new Failure('not_found', 'no checkpoint of the log has this tile');
    const { bytes, isServed } = found;
    return open(reply).header('Cache-Control', cached(isServed)).type('application/octet-stream').send(bytes);
  });
  app.get('/log/leaves/:index', async (request, reply) => {
    const { index } = request.params as { index: string };
    const at = /^(?:0|[1-9]\d{0,14})$/.test(index) ? Number(index) : Infinity;
    const isSigned = at < (await signedSize(db));
    const leaves = isSigned ? await trees.run(() => leavesAt(db, at), whoOf(request)) : null;
    if (leaves === null)
      throw new Failure('not_found', 'no checkpoint has a tree of version 2 with known leaves at this index');
    const isServed = at < ((await servedCheckpoint(db, treeLog.origin))?.size ?? 0);
    return open(reply).header('Cache-Control', cached(isServed)).type(LEAVES_TYPE).send(leaves);
  });
  app.get('/log/proof/:id', async (request, reply) => {
    await meters.anonymous.take(addressKey(request.ip));
    const { id } = request.params as { id: string };
    const proofs = isUuid(id) ? await proveLogged(db, treeLog.origin, id) : [];
    const proof = proofs.find(({ kind }) => kind === 0);
    if (proof === undefined)
      throw new Failure('not_found', 'no checkpoint of the log has the tree of this etch yet');
    return open(reply).header('Cache-Control', 'no-cache').type(TEXT).send(proof.proof);
  });
  app.get('/log/index/:id', { onSend: addEtag }, async (request, reply) => {
    await meters.anonymous.take(addressKey(request.ip));
    const { id } = request.params as { id: string };
    if (!isUuid(id)) throw new Failure('not_found', 'the id of an account is a uuid in lower case');
    const { from = '0' } = request.query as { from?: string };
    if (!/^(?:0|[1-9]\d{0,14})$/.test(from)) throw badField('from', 'must be a number of entries');
    const answer = await answerIndex({ db, standby, origin: treeLog.origin, maps }, id, Number(from));
    return open(reply).header('Cache-Control', 'no-cache').send(answer);
  });
}

/** A checkpoint that readers do not get yet may differ after a restore. */
const cached = (isServed: boolean): string => (isServed ? FOR_EVER : 'no-store');

/**
 * Null when no checkpoint covers the whole tile. Only entries are read before readers get their checkpoint, because a
 * witness checks the index before it cosigns.
 */
async function readTile(
  db: Db,
  { origin }: TreeLog,
  { level, index, width }: Tile,
): Promise<{ bytes: Buffer; isServed: boolean } | null> {
  const height = level === 'entries' ? 0 : level;
  const from = index * TILE_WIDTH;
  const end = (from + width) * TILE_WIDTH ** height;
  const isServed = end <= ((await servedCheckpoint(db, origin))?.size ?? 0);
  if (height > 7 || (!isServed && (level !== 'entries' || end > (await signedSize(db))))) return null;
  if (level !== 'entries')
    return { bytes: Buffer.concat(await readHashes(db, level, from, width)), isServed };
  const entries = await readEntries(db, from, width);
  const bytes = entries.flatMap((data) => [Buffer.of(data.length >> 8, data.length & 255), data]);
  return { bytes: Buffer.concat(bytes), isServed };
}
