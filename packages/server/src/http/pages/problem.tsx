import { withReadableTimes } from '@svc/web/format';
import { narrowPage } from '@svc/web/layout';
import { SearchForm } from '@svc/web/parts/filters';
import { safe } from '@svc/web/parts/values';
import type { Page, Site } from '@svc/web/site';

const TITLES: Readonly<Record<number, string>> = {
  400: 'This request is not valid',
  403: 'This is not allowed',
  404: 'There is nothing here',
  413: 'This form is too long',
  409: 'This was done already',
  422: 'This cannot be done now',
  429: 'Too many requests from your address',
  503: 'A part of the service cannot be reached',
};

/** Says what is still true when something is missing: a reader of a proof needs that first. */
const HOLDS: Readonly<Record<number, string>> = {
  404: 'This service deletes no etch: its address shows the etch or its tombstone. This address may be mistyped.',
  413: 'Nothing was written. Your browser’s Back button leads to the form, where what you typed should still be: shorten it there, and send it again.',
  429: 'Try again in a minute. Saved receipts can be checked without this service.',
  503: 'What was acknowledged is stored, and what is anchored is on the chain. Receipts can be checked without this service.',
  500: 'What was acknowledged is stored, and what is anchored is on the chain.',
};

const MISTYPED: ReadonlySet<number> = new Set([400, 404]);

export function problemPage(site: Site, { status, message }: { status: number; message: string }): Page {
  const title = TITLES[status] ?? (status < 500 ? 'This cannot be served' : 'Something failed on our side');
  const holds = HOLDS[status] ?? (status < 500 ? null : HOLDS[500]);
  return narrowPage(
    site,
    {
      title,
      top: status,
      lead: safe(`${message.charAt(0).toUpperCase()}${withReadableTimes(message.slice(1))}.`),
      more: holds && <p>{holds}</p>,
      unlisted: true,
    },
    MISTYPED.has(status) && <SearchForm />,
    <p class="actions">
      <a href="/">Home</a>
      {status >= 500 && <a href="/status">Status of the service</a>}
    </p>,
  );
}
