// Finds the caller of each request and checks what the caller may do, before the body is read.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../platform/failure.ts';
import type { Caller } from '../identity/caller.ts';
import { addressKey } from './rate-limits.ts';
import type { HttpDependencies } from './dependencies.ts';

/** A repeated header would be ambiguous. */
const CREDENTIALS = new Set(['authorization']);
const SINGLE = new Set(['idempotency-key', 'content-type', 'content-length', 'host']);

/** Runs before the body is read (docs/specification.md#endpoints). */
export function checkCredentials(deps: HttpDependencies) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { rawHeaders } = request.raw;
    refuseRepeatedHeaders(rawHeaders, CREDENTIALS);
    const operation = request.routeOptions.config.operation;
    const header = request.headers.authorization;
    if (header !== undefined) {
      request.caller = await deps.identity.authenticator.authenticate(header);
      await meter(deps, request.caller, reply);
    } else if (operation && operation.auth !== 'public') {
      throw new Failure('unauthorized', 'this needs credentials: send `Authorization: Bearer <API key>`');
    }
    refuseRepeatedHeaders(rawHeaders, SINGLE);
    if (!operation) return;
    if (request.caller === null && operation.anonymousLimit) {
      await deps.meters.anonymous.take(addressKey(request.ip));
    }
    const isWrite = operation.auth === 'write' || operation.refusesReadKey;
    if (isWrite && request.caller) refuseReadKey(request.caller);
    const changes = operation.method !== 'GET' && (operation.auth !== 'public' || operation.refusesReadKey);
    if (changes && request.caller && !operation.whileSuspended) refuseSuspended(request.caller);
  };
}

async function meter(
  { meters, keyUses }: HttpDependencies,
  { credential }: Caller,
  reply: FastifyReply,
): Promise<void> {
  if (credential.type !== 'api_key') return;
  keyUses.note(credential.keyId);
  const { limit, remaining, reset } = await meters.key.take(credential.keyId);
  void reply.header('X-RateLimit-Limit', limit);
  void reply.header('X-RateLimit-Remaining', remaining);
  void reply.header('X-RateLimit-Reset', reset);
}

function refuseReadKey({ credential }: Caller): void {
  if (credential.type === 'api_key' && credential.scope === 'read') {
    throw new Failure(
      'forbidden',
      'this key has scope `read`: use a key with scope `write` (svc keys create <name> --write, or /account/keys)',
    );
  }
}

export function refuseSuspended({ suspendedFor }: Caller): void {
  if (suspendedFor === null) return;
  throw new Failure(
    'forbidden',
    `the operator suspended this account (${suspendedFor}): it still reads, exports, reveals and retracts; ask the operator to restore it`,
  );
}

export function refuseRepeatedHeaders(rawHeaders: readonly string[], single: ReadonlySet<string>): void {
  let seen: Set<string> | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase();
    if (!single.has(name)) continue;
    seen ??= new Set();
    if (seen.has(name)) throw new Failure('bad_request', `the header ${name} was sent more than once`);
    seen.add(name);
  }
}
