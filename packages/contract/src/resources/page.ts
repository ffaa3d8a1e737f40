import { Type, type Static } from 'typebox';
import { Count, flag, nullable, shape, text, doc } from '../fields.ts';

/** Items on a numbered page. */
export const PAGE_SIZE = 30;
export const LIMIT_DEFAULT = 30;
export const LIMIT_MAX = 100;

const number = Type.Integer({ minimum: 1, description: 'This page; the first is 1.' });
const pages = Type.Integer({ minimum: 1, description: 'The number of pages; 1 for an empty list.' });
const total = doc(Count, 'The exact number of items on all pages.');

export const NumberedPage = shape('NumberedPage', 'The position of a numbered page.', {
  number,
  pages,
  total,
});
export type NumberedPage = Static<typeof NumberedPage>;

export const SearchPage = shape('SearchPage', 'The position of a page of search results.', {
  number,
  pages,
  total,
  limit: doc(Count, 'Items on a page.'),
});
export type SearchPage = Static<typeof SearchPage>;

export const PageLimit = Type.Integer({
  minimum: 1,
  maximum: LIMIT_MAX,
  description: 'Items on a page, at most.',
});
export const HasMore = flag('Is there a page after this one?');

export const CursorPage = shape('CursorPage', 'The position of a page in a list that is read by cursor.', {
  limit: PageLimit,
  has_more: HasMore,
  next_cursor: nullable(text('Opaque; pass it back as `cursor`. Null on the last page.')),
});
export type CursorPage = Static<typeof CursorPage>;
