import { isUuid } from '../hex.ts';
import { ConventionError, firstLine, partsBehind, refuseInvisible, withoutSpaces } from './plain-text.ts';

export const SCOPE_TAG = 'svc-scope:v1';

export interface ScopeAccount {
  id: string;
  /** the id counts */
  username: string;
}

/** `accounts` does not include the author's own. */
export interface ScopeWords {
  kind: 'scope';
  subject: string;
  accounts: ScopeAccount[];
  /** must list the same accounts */
  domain: string | null;
  note: string;
}

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const DOMAIN = new RegExp(`^(?=.{1,253}$)${LABEL}(?:\\.${LABEL})*(?::[1-9]\\d{0,4})?$`);
const USERNAME = /^[a-z0-9_]{3,70}$/;

/**
 * docs/conventions.md#declared-completeness
 * @throws {ConventionError} when the words do not follow the convention
 * @example
 * const { subject, accounts } = parseScope(
 *   'svc-scope:v1\nsubject Rain\naccount ba2700ee-b11f-45fe-a934-06098975d379 ada\ndomain example.org',
 * );
 * [subject, accounts.length]; // ['Rain', 1]
 */
export function parseScope(content: string): ScopeWords {
  const { line, end, rest } = firstLine(content);
  if (partsBehind(SCOPE_TAG, line).length > 0)
    throw new ConventionError(`the line of ${SCOPE_TAG} ends after the tag; the next line is subject <text>`);
  const { lines, note } = splitFields(rest, end || '\n');
  const [subject, ...others] = lines.map(readField);
  if (subject?.name !== 'subject') throw new ConventionError('the second line of a scope is subject <text>');
  const last = others.at(-1);
  const domain = last?.name === 'domain' ? last.value : null;
  const accounts = (domain === null ? others : others.slice(0, -1)).map(readAccount);
  if (domain !== null && !DOMAIN.test(domain))
    throw new ConventionError('domain takes a host in lower case, such as example.org');
  for (const key of ['id', 'username'] as const) {
    const twice = accounts.find((one, at) => accounts.findIndex((other) => other[key] === one[key]) !== at);
    if (twice !== undefined) throw new ConventionError(`the scope names the account ${twice[key]} twice`);
  }
  return { kind: 'scope', subject: subject.value, accounts, domain, note };
}

interface Field {
  name: string;
  value: string;
}

function readField(line: string): Field {
  refuseInvisible(line, 'a line of the scope');
  const at = line.indexOf(' ');
  const value = at === -1 ? '' : withoutSpaces(line.slice(at + 1));
  if (value === '')
    throw new ConventionError('a line of a scope is subject, account or domain, a space and a value');
  return { name: line.slice(0, at), value };
}

function readAccount({ name, value }: Field): ScopeAccount {
  const [id, username, ...more] = value.split(' ').filter((part) => part !== '');
  if (
    name !== 'account' ||
    !isUuid(id) ||
    username === undefined ||
    !USERNAME.test(username) ||
    more.length > 0
  )
    throw new ConventionError(
      'write lines account <account id> <username> after the subject, then optionally one line domain <host>',
    );
  return { id, username };
}

function splitFields(text: string, end: string): { lines: string[]; note: string } {
  const at = text.indexOf(end + end);
  const fields = at === -1 ? text : text.slice(0, at);
  const lines = fields.split(end);
  if (lines.at(-1) === '') lines.pop();
  return { lines, note: at === -1 ? '' : text.slice(at + 2 * end.length) };
}
