import { ApiError } from './errors.ts';
import type { CallOptions } from './operations.ts';

type Next = string | number | undefined;

/** Fetches its pages on demand. */
export interface Paged<Item, Page> extends AsyncIterable<Item> {
  pages(): AsyncIterable<Page>;
  first(): Promise<Page>;
}

export interface PagedSource<Item, Page> {
  fetch(next: Next): Promise<Page>;
  items(page: Page): readonly Item[];
}

interface CursorAnswer {
  page: { has_more: boolean; next_cursor: string | null };
}
interface NumberAnswer {
  page: { number: number; pages: number };
}

export function paged<Item, Page extends CursorAnswer | NumberAnswer>(
  source: PagedSource<Item, Page>,
): Paged<Item, Page> {
  async function* pages(): AsyncGenerator<Page, void, undefined> {
    let next: Next;
    do {
      const page = await source.fetch(next);
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
    first: () => source.fetch(undefined),
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* source.items(page);
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
