import type { OperationId, SuccessOf } from '@svc/contract/types';
import { ApiError } from './errors.ts';
import type { CallOptions, InputOf } from './operations.ts';
import type { Compared, Transport } from './transport.ts';

type Next = string | number | undefined;

/** Fetches its pages on demand. */
export interface Paged<Item, Page> extends AsyncIterable<Item> {
  pages(): AsyncIterable<Page>;
  first(): Promise<Page>;
}

interface CursorAnswer {
  page: { has_more: boolean; next_cursor: string | null };
}
interface NumberAnswer {
  page: { number: number; pages: number };
}

type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never;

/** The pages of an operation. @param name the field with the items */
export function list<Id extends OperationId, Name extends keyof SuccessOf<Id>, Start extends CallOptions>(
  transport: Transport,
  id: Id,
  name: Name,
  { signal, ...query }: Start,
  params?: Readonly<Record<string, string>>,
  more?: Compared,
): Paged<ItemOf<SuccessOf<Id>[Name]>, SuccessOf<Id>> {
  type Page = SuccessOf<Id> & (CursorAnswer | NumberAnswer);
  const fetch = (next: Next): Promise<Page> => {
    const place = typeof next === 'number' ? { page: next } : next !== undefined && { cursor: next };
    const input: unknown = { params, query: { ...query, ...place }, signal };
    return transport.value(id, input as InputOf<Id>, more) as Promise<Page>;
  };
  async function* pages(): AsyncGenerator<Page, void, undefined> {
    let next: Next;
    do {
      const page = await fetch(next);
      yield page;
      const last = next;
      next = after(page);
      if (next !== undefined && next === last)
        throw new ApiError('the service returned a next_cursor that leads to the same page', {
          code: 'unexpected',
          status: 200,
        });
    } while (next !== undefined);
  }
  return {
    pages,
    first: () => fetch(undefined),
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page[name] as ItemOf<SuccessOf<Id>[Name]>[];
    },
  };
}

function after({ page }: CursorAnswer | NumberAnswer): Next {
  if ('next_cursor' in page) return page.has_more ? (page.next_cursor ?? undefined) : undefined;
  return page.number < page.pages ? page.number + 1 : undefined;
}

export interface CursorStart extends CallOptions {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}
export interface NumberStart extends CallOptions {
  readonly page?: number | undefined;
}
