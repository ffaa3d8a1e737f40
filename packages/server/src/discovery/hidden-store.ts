import sql from 'sql-template-tag';

/** The operator hid these accounts from feed, first page and sitemap. */
export const NOT_HIDDEN = sql`<> all(array(select id from account where hidden_for is not null))`;
