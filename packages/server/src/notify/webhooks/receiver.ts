import { domainToASCII } from 'node:url';
import { badField, Failure } from '../../platform/failure.ts';
import { readDomain } from '../../platform/outgoing/domain-name.ts';

/** Accepts https, a public host name, the default port, no user. Each connection checks the address too. */
export function readReceiver(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:') throw badField('url', 'must be an https URL');
  if (url.username || url.password) throw badField('url', 'must not contain a user name or password');
  if (url.port !== '') throw badField('url', 'must not name a port: webhooks go to 443');
  if (url.hash !== '') throw badField('url', 'must not contain a fragment, which is never sent');
  try {
    readDomain(domainToASCII(url.hostname));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw badField('url', 'must have a public host name such as hooks.example.org');
  }
  return url;
}
