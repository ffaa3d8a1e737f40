import { createHash } from 'node:crypto';
import type { Sql } from 'sql-template-tag';

const hot = new WeakSet<Sql>();
const names = new Map<string, string>();

/**
 * Marks a statement of a hot path: PostgreSQL, embedded or not, parses and plans it once a connection. Its text must be one of few, so
 * arrays go in as one parameter, never as a list of them.
 */
export function prepared(statement: Sql): Sql {
  hot.add(statement);
  return statement;
}

export function isPrepared(statement: Sql): boolean {
  return hot.has(statement);
}

/** The name of a marked statement, which its text alone decides; undefined of any other. */
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
