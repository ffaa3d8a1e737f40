import { ApiError } from './errors.ts';
import type { CallOptions } from './operations.ts';

/** How to come from one page to the next: a cursor, or a number. */
type Next = string | number | undefined;

/** A list that is fetched as it is read, page by page. */
export interface Paged<Item, Page> extends AsyncIterable<Item> {
  /** The pages as the service answers them. */
  pages(): AsyncIterable<Page>;
  /** The first page alone. */
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
        throw new ApiError('the service leads from a page to the same page', {
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

/** Where a list is read: cursor lists begin at `cursor`, numbered ones at `page`. */
export interface CursorStart extends CallOptions {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}
export interface NumberStart extends CallOptions {
  readonly page?: number | undefined;
}
