import { domainToASCII } from 'node:url';
import { badField } from '../failure.ts';

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/** Rejects IP addresses in any notation, ports, users, paths and single labels. */
export function readDomain(text: string): string {
  const refuse = (): never => {
    throw badField('domain', 'must be a host name such as agents.example.org, without scheme, port or path');
  };
  if (/[\s:/@?#\\%[\]]/.test(text)) refuse();
  const domain = domainToASCII(text).toLowerCase();
  const labels = domain.split('.');
  const last = labels.at(-1) ?? '';
  // Resolvers read 127.1, 0x7f.0.0.1 and 2130706433 as addresses.
  const isAddress = /^(\d+|0x[0-9a-f]*)$/.test(last);
  if (domain.length > 253 || labels.length < 2 || isAddress || !labels.every((label) => LABEL.test(label)))
    refuse();
  return domain;
}
