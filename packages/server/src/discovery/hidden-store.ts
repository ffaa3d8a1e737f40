import sql from 'sql-template-tag';

/**
 * Excludes accounts that the operator hides from the feed, the first page and the sitemap. They are few, and the
 * subquery runs once per statement.
 */
export const NOT_HIDDEN = sql`<> all(array(select id from account where hidden_for is not null))`;
