import { ConventionError } from '@svc/protocol/conventions';

export const EXIT = {
  /** done; every check is `pass` or `info` */
  pass: 0,
  /** rejected, declined, or a failed check */
  fail: 1,
  /** not known yet, or not within the time limit */
  wait: 2,
  usage: 64,
  /** unreadable input: no such file or etch, no JSON */
  input: 66,
  unavailable: 69,
  defect: 70,
  /** no valid API key, or a missing permission */
  permission: 77,
} as const;

export class CommandError extends Error {
  override name = 'CommandError';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const failError = (message: string): CommandError => new CommandError(EXIT.fail, message);
export const waitError = (message: string): CommandError => new CommandError(EXIT.wait, message);
export const usageError = (message: string): CommandError => new CommandError(EXIT.usage, message);
export const inputError = (message: string): CommandError => new CommandError(EXIT.input, message);
export const awayError = (message: string): CommandError => new CommandError(EXIT.unavailable, message);

type Kind = abstract new (...given: never[]) => Error;

/** An error of this kind becomes the error that `reword` makes of its message. */
export function reworded<Value>(
  work: () => Value,
  kind: Kind | Kind[],
  reword: (message: string) => Error,
): Value {
  const refuse = (error: unknown): never => {
    throw [kind].flat().some((one) => error instanceof one) ? reword((error as Error).message) : error;
  };
  try {
    const value = work();
    return value instanceof Promise ? (value.catch(refuse) as Value) : value;
  } catch (error) {
    return refuse(error);
  }
}

/** A malformed value fails the command: the parser's message follows `words`. */
export const parsed = <Value>(work: () => Value, kind: Kind | Kind[], words: string, status: number): Value =>
  reworded(work, kind, (message) => new CommandError(status, `${words}: ${message}`));

/** For work before the request. */
export async function beforeEtch<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(error.status, `${error.message}; nothing was etched`);
  }
}

export const asRefusal = <Value>(work: () => Value, status: number = EXIT.input): Value =>
  reworded(work, ConventionError, (message) => new CommandError(status, message));
