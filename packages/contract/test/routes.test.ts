import { codeOf, ErrorEnvelope, ROUTES, ROUTE_LIST } from '@svc/contract';
import { describe, expect, it } from 'vitest';
import { issuesOf, serverAjv } from './support/validator.ts';

// docs/specification.md#endpoints
const SPECIFIED = `
POST   /etches                    write  201 400 403 409 429
GET    /etches/{id}               public 200 404
POST   /etches/{id}/reveal        write  200 403 422
POST   /etches/{id}/retract       write  200 403 422
GET    /etches/{id}/receipt       public 200
GET    /verify/{id}               public 200 404
GET    /challenges                public 200 429
POST   /challenges                write  201 400 409 429
GET    /challenges/{id}           public 200 404
GET    /search                    public 200 400 401 404 429
GET    /search/accounts           public 200 400
GET    /search/challenges         public 200
GET    /feed                      caller 200
GET    /users/{username}/etches   public 200 404
GET    /users/{username}/record   public 200 404
POST   /follows                   caller 201 400
DELETE /follows                   caller 200
GET    /follows/me                caller 200
GET    /follows/watching          caller 200
GET    /me                        caller 200
PATCH  /me                        write  200 403
POST   /me/social                 caller 200
GET    /me/keys                   caller 200
POST   /me/keys                   write  201 403
DELETE /me/keys/{id}              caller 200 404
GET    /me/limits                 caller 200
GET    /me/guide                  caller 200 404
GET    /guide/answers             caller 200 404
POST   /guide/answers             public 201 400 403 404 429
POST   /agents                    public 201 400 409 429
POST   /me/domain                 caller 200 400
DELETE /me/domain                 caller 200
POST   /me/operator               write  200 403 409
DELETE /me/operator               caller 200 404
`;

// Not in the specification, or only in docs/specification.md#further-endpoints.
const EXTRAS = `
POST   /agents/keys               public 201 400 409
GET    /etches                    public 200 404
GET    /etches/{id}/evidence      public 200 404 429
GET    /etches/{id}/opening       write  200 403 404 422 429
GET    /beacons/{chain}/{round}   public 200 404 422 429
GET    /users/{username}/score    public 200 400 404 422
GET    /challenges/{id}/score     public 200 400 404 422
GET    /batches                   public 200 400
GET    /batches/{root}            public 200 404
GET    /me/events                 caller 200 400
GET    /me/webhooks               caller 200 404
POST   /me/webhooks               write  201 400 404 409
DELETE /me/webhooks/{id}          write  200 404
GET    /me/webhooks/{id}/deliveries caller 200 400 404
POST   /me/webhooks/{id}/ping       write  200 404
POST   /me/webhooks/{id}/pause      write  200 404
POST   /me/webhooks/{id}/resume     write  200 404
POST   /me/webhooks/{id}/deliveries/{event_id}/redeliver write 200 404 409
POST   /me/webhooks/{id}/rotate-secret write 200 400 404 409
GET    /openapi.json              public 200
`;
const DECIDED = `
POST   /etches                    404
POST   /etches/{id}/reveal        404
POST   /etches/{id}/retract       404
GET    /etches/{id}/receipt       404
POST   /me/social                 403 503
DELETE /me/keys/{id}              403
POST   /me/domain                 403
DELETE /me/domain                 403
POST   /me/operator               404
DELETE /follows                   400
`;

interface Line {
  method: string;
  path: string;
  auth: string | undefined;
  statuses: string[];
}

function lines(table: string): Line[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [method = '', path = '', ...rest] = line.trim().split(/\s+/);
      const auth = rest.find((word) => !/^\d+$/.test(word));
      return { method, path: `/api/v1${path}`, auth, statuses: rest.filter((word) => /^\d+$/.test(word)) };
    });
}

const find = (line: { method: string; path: string }) =>
  ROUTE_LIST.find((route) => route.method === line.method && route.path === line.path);

describe('route table', () => {
  it('has exactly the specified endpoints, labels and statuses', () => {
    const specified = lines(SPECIFIED);
    const extras = lines(EXTRAS);
    expect(specified).toHaveLength(34);
    for (const line of [...specified, ...extras, ...lines(DECIDED)]) {
      const name = `${line.method} ${line.path}`;
      const route = find(line);
      expect(route, name).toBeDefined();
      if (line.auth !== undefined) expect(route?.auth, name).toBe(line.auth);
      expect(Object.keys(route?.responses ?? {}), name).toEqual(expect.arrayContaining(line.statuses));
    }
    expect(ROUTE_LIST).toHaveLength(specified.length + extras.length);
    for (const line of specified) expect(find(line)?.extra, line.path).toBeUndefined();
    for (const line of extras) expect(find(line)?.extra, line.path).toBe(true);
  });

  it('names each operation once, by its key', () => {
    for (const [key, route] of Object.entries(ROUTES)) expect(route.operationId).toBe(key);
    const paths = ROUTE_LIST.map((route) => `${route.method} ${route.path}`);
    expect(new Set(paths).size).toBe(paths.length);
  });

  it('declares exactly the parameters in its paths', () => {
    for (const { path, params, operationId } of ROUTE_LIST) {
      const held = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      expect(Object.keys(params?.properties ?? {}), operationId).toEqual(held);
    }
  });

  it('counts the four signed-out endpoints and scores toward the anonymous limit', () => {
    const counted = ROUTE_LIST.filter((route) => route.anonymousLimit === true).map((route) => route.path);
    expect(counted.sort()).toEqual([
      '/api/v1/challenges',
      '/api/v1/challenges/{id}/score',
      '/api/v1/search',
      '/api/v1/search/accounts',
      '/api/v1/search/challenges',
      '/api/v1/users/{username}/score',
    ]);
  });

  it('lists the statuses of every operation of its kind', () => {
    for (const route of ROUTE_LIST) {
      const statuses = Object.keys(route.responses).map(Number);
      expect(statuses, route.operationId).toEqual(expect.arrayContaining([401, 429, 503]));
      expect(statuses).not.toContain(500);
      expect(statuses.includes(403), route.operationId).toBe(
        route.auth === 'write' ||
          route.refusesReadKey === true ||
          // Fails for a suspended account.
          (route.auth === 'caller' && route.method !== 'GET' && route.whileSuspended !== true) ||
          ['syncSocial', 'revokeKey', 'setDomain', 'dropDomain'].includes(route.operationId),
      );
      for (const status of [413, 415]) {
        expect(statuses.includes(status), route.operationId).toBe(route.method !== 'GET');
      }
      const checked =
        route.params ?? route.query ?? route.headers ?? (route.method === 'GET' ? undefined : {});
      expect(statuses.includes(400), route.operationId).toBe(checked !== undefined);
      expect(statuses.filter((status) => status < 300)).toEqual([route.success.status]);
    }
  });

  it('has valid examples of every body and every answer', () => {
    const ajv = serverAjv();
    for (const route of ROUTE_LIST) {
      if (route.body !== undefined) {
        expect(issuesOf(ajv.compile(route.body), route.bodyExample), route.operationId).toEqual([]);
      }
      for (const [status, answer] of Object.entries(route.responses)) {
        const name = `${route.operationId} ${status}`;
        expect(issuesOf(ajv.compile(answer.schema), answer.example), name).toEqual([]);
        if (Number(status) < 400) continue;
        expect(answer.schema, name).toBe(ErrorEnvelope);
        const example = answer.example as { error: { code: string } };
        expect(example.error.code, name).toBe(codeOf(Number(status)));
      }
    }
  });
});
