import sql from 'sql-template-tag';

/** Whom the operator keeps out of the feed, off the first page and off the sitemap: few, and asked for once in a statement. */
export const NOT_HIDDEN = sql`<> all(array(select id from account where hidden_for is not null))`;
