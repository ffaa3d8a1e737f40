import { Type, type Static } from 'typebox';
import { nullable, shape } from '../fields.ts';

/** Etches, challenges or accounts on a numbered page. */
export const PAGE_SIZE = 30;
/** The default `limit` of cursor lists, and its bounds. */
export const LIMIT_DEFAULT = 30;
export const LIMIT_MAX = 100;

const number = Type.Integer({ minimum: 1, description: 'This page; the first is 1.' });
const pages = Type.Integer({ minimum: 1, description: 'How many there are; 1 for an empty list.' });
const total = Type.Integer({ minimum: 0, description: 'Items on all pages, exactly.' });

export const NumberedPage = shape('NumberedPage', { number, pages, total }, 'Where a numbered page stands.');
export type NumberedPage = Static<typeof NumberedPage>;

export const SearchPage = shape(
  'SearchPage',
  { number, pages, total, limit: Type.Integer({ minimum: 0, description: 'Items on a page.' }) },
  'Where a page of the search of etches stands.',
);
export type SearchPage = Static<typeof SearchPage>;

export const PageLimit = Type.Integer({
  minimum: 1,
  maximum: LIMIT_MAX,
  description: 'Items on a page, at most.',
});
export const HasMore = Type.Boolean({ description: 'Is there a page after this one?' });

export const CursorPage = shape(
  'CursorPage',
  {
    limit: PageLimit,
    has_more: HasMore,
    next_cursor: nullable(
      Type.String({ description: 'Opaque; pass it back as `cursor`. Null on the last page.' }),
    ),
  },
  'Where a page of a list stands that is read by cursor.',
);
export type CursorPage = Static<typeof CursorPage>;
