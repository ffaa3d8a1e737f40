import { OPERATIONS } from '@svc/contract/tables';
import type { BodyOf, OperationId, ParamsOf, QueryOf } from '@svc/contract/types';

/**
 * When to retry a request that may have been carried out. `always`: a second request changes nothing.
 * `with-key`: with an Idempotency-Key. `never`: only after a rejection.
 */
export type Repeat = (typeof OPERATIONS)[OperationId]['repeat'];

/** Lists are comma-separated. */
export type QueryValue = string | number | boolean | readonly string[] | undefined;

type Given<Name extends string, Value> = undefined extends Value ? unknown : { readonly [N in Name]: Value };

export type InputOf<Id extends OperationId> = Given<'params', ParamsOf<Id>> &
  Given<'body', BodyOf<Id>> &
  (QueryOf<Id> extends undefined
    ? unknown
    : { readonly query?: { readonly [K in keyof QueryOf<Id>]?: QueryValue } }) &
  CallOptions;

export interface CallOptions {
  /** ends the call and its retries; the call throws the signal's reason */
  readonly signal?: AbortSignal | undefined;
}

export interface CreateOptions extends CallOptions {
  /** at most 255 characters; default: random. Store it to retry later. */
  readonly idempotencyKey?: string | undefined;
}

export function pathOf(
  id: OperationId,
  params: Readonly<Record<string, string>> | undefined,
  query: Readonly<Record<string, QueryValue>> | undefined,
): string {
  const path = OPERATIONS[id].path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, params?.[name]));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined) search.set(name, Array.isArray(value) ? value.join(',') : String(value));
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Encodes a segment, so that an id cannot change the path. */
function segment(name: string, value: string | undefined): string {
  if (value === undefined || value === '' || value === '.' || value === '..')
    throw new TypeError(`${name} is missing or is not valid in a path`);
  return encodeURIComponent(value);
}
