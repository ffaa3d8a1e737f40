import { Type, type Static } from 'typebox';
import { Count, nullable, shape } from '../fields.ts';

/** Etches, challenges or accounts on a numbered page. */
export const PAGE_SIZE = 30;
/** Default and bounds of `limit` on cursor lists. */
export const LIMIT_DEFAULT = 30;
export const LIMIT_MAX = 100;

const number = Type.Integer({ minimum: 1, description: 'This page; the first is 1.' });
const pages = Type.Integer({ minimum: 1, description: 'How many there are; 1 for an empty list.' });
const total = Type.Integer({ minimum: 0, description: 'Items on all pages, exactly.' });

export const NumberedPage = shape('NumberedPage', { number, pages, total });
export type NumberedPage = Static<typeof NumberedPage>;

/** The numbered page of etch search, which also takes a `limit`. */
export const SearchPage = shape('SearchPage', { number, pages, total, limit: Count });
export type SearchPage = Static<typeof SearchPage>;

export const CursorPage = shape('CursorPage', {
  limit: Type.Integer({ minimum: 1, maximum: LIMIT_MAX }),
  has_more: Type.Boolean(),
  next_cursor: nullable(
    Type.String({ description: 'Opaque; pass it back as `cursor`. Null on the last page.' }),
  ),
});
export type CursorPage = Static<typeof CursorPage>;
