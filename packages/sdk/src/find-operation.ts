import { OPERATIONS } from '@svc/contract/tables';
import type { OperationId } from '@svc/contract/types';

export interface FoundOperation {
  readonly id: OperationId;
  readonly input: {
    readonly params?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string>>;
  };
}

const PREFIX = '/api/v1';

/**
 * For `client.call`.
 * @param path with parameters and query; `/api/v1` and the first slash may be omitted
 * @example
 * findOperation('get', '/users/ada/etches?limit=3')?.id; // 'listUserEtches'
 */
export function findOperation(method: string, path: string): FoundOperation | undefined {
  const [given = '', search] = path.split(/\?(.*)/s);
  const place = `/${given.replace(/^\/+/, '')}`;
  const segments = segmentsOf(place.startsWith(`${PREFIX}/`) ? place : PREFIX + place);
  const query = Object.fromEntries(new URLSearchParams(search ?? ''));
  const found = (Object.keys(OPERATIONS) as OperationId[])
    .filter((id) => OPERATIONS[id].method === method.toUpperCase())
    .map((id) => ({ id, params: match(segmentsOf(OPERATIONS[id].path), segments) }))
    .filter(({ params }) => params !== undefined)
    // A fixed segment wins over a parameter.
    .sort((a, b) => Object.keys(a.params!).length - Object.keys(b.params!).length)[0];
  if (found === undefined) return undefined;
  return {
    id: found.id,
    input: {
      ...(Object.keys(found.params!).length > 0 && { params: found.params! }),
      ...(Object.keys(query).length > 0 && { query }),
    },
  };
}

/**
 * @example
 * listOperations().find(({ id }) => id === 'getEtch')?.path; // '/api/v1/etches/{id}'
 */
export function listOperations(): { id: OperationId; method: string; path: string }[] {
  return (Object.keys(OPERATIONS) as OperationId[]).map((id) => {
    const { method, path } = OPERATIONS[id];
    return { id, method, path };
  });
}

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

function match(wanted: string[], given: string[]): Record<string, string> | undefined {
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, segment] of wanted.entries()) {
    const [, name] = /^\{(\w+)\}$/.exec(segment) ?? [];
    if (name !== undefined) params[name] = decode(given[at]!);
    else if (segment !== given[at]) return undefined;
  }
  return params;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
