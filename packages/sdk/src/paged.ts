import { ApiError } from './errors.ts';
import type { CallOptions } from './operations.ts';

/** The cursor or number of the next page. */
type Next = string | number | undefined;

/** A list that fetches its pages on demand. */
export interface Paged<Item, Page> extends AsyncIterable<Item> {
  /** The pages as returned by the service. */
  pages(): AsyncIterable<Page>;
  /** Only the first page. */
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

/** A list of cursor or numbered pages (docs/specification.md#page-objects). */
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

/** Where a list starts: cursor lists at `cursor`, numbered lists at `page`. */
export interface CursorStart extends CallOptions {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}
export interface NumberStart extends CallOptions {
  readonly page?: number | undefined;
}
