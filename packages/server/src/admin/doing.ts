import { userInfo } from 'node:os';
import type { Command } from 'commander';
import type { ByOperator } from '../acts/moderate.ts';
import { readDatabaseTime } from '../db/clock-store.ts';
import type { Db } from '../db/db.ts';
import { Failure } from '../errors/failure.ts';
import { AdminError, EXIT } from './exit.ts';

/** Adds `--by`: the name for the log. */
export const signedBy = (command: Command): Command =>
  command.option('--by <name>', 'name of the operator, for the log', nameHere());

/** A container may have no user with this id. */
function nameHere(): string {
  try {
    return userInfo().username;
  } catch {
    return 'operator';
  }
}

/** Uses the database's clock, like every write of the service. */
export async function doing(db: Db, by: string): Promise<ByOperator> {
  if (!/^[\p{L}\p{N}@._ -]{1,64}$/u.test(by))
    throw new AdminError(EXIT.usage, '--by takes a name of at most 64 letters, digits and @ . _ -');
  return { by, now: await readDatabaseTime(db) };
}

/** Turns a failure of an act into this program's message and exit status. */
export async function refusedAs<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new AdminError(error.code === 'not_found' ? EXIT.input : EXIT.fault, error.message);
  }
}
