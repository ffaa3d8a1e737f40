import { userInfo } from 'node:os';
import type { Command } from 'commander';
import type { ByOperator } from '../acts/moderate.ts';
import { readDatabaseTime } from '../db/clock.ts';
import type { Db } from '../db/db.ts';
import { Failure } from '../platform/failure.ts';
import { AdminError, EXIT } from './exit.ts';

export const signedBy = (command: Command): Command =>
  command.option('--by <name>', 'name of the operator, for the log', nameHere());

/** Containers may have no user name. */
function nameHere(): string {
  try {
    return userInfo().username;
  } catch {
    return 'operator';
  }
}

export async function doing(db: Db, by: string): Promise<ByOperator> {
  if (!/^[\p{L}\p{N}@._ -]{1,64}$/u.test(by))
    throw new AdminError(EXIT.usage, '--by takes a name of at most 64 letters, digits and @ . _ -');
  return { by, now: await readDatabaseTime(db) };
}

export async function refusedAs<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new AdminError(error.code === 'not_found' ? EXIT.input : EXIT.fault, error.message);
  }
}
