import { createHash } from 'node:crypto';
import type { Sql } from 'sql-template-tag';

const hot = new WeakSet<Sql>();
const names = new Map<string, string>();

/** Planned once per connection. Keep the number of texts small: pass an array as one parameter. */
export function prepared(statement: Sql): Sql {
  hot.add(statement);
  return statement;
}

export const isPrepared = (statement: Sql): boolean => hot.has(statement);

export function preparedName(statement: Sql): string | undefined {
  if (!hot.has(statement)) return undefined;
  const { text } = statement;
  let name = names.get(text);
  if (name === undefined) {
    name = `svc_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
    names.set(text, name);
  }
  return name;
}
