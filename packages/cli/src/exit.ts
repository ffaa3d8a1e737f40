/** What the exit status of `svc` says. */
export const EXIT = {
  /** every check is `pass` or `info` */
  pass: 0,
  /** a check failed, or the receipt is malformed */
  fail: 1,
  /** something cannot be known yet, or not now */
  wait: 2,
  /** the command was called wrongly */
  usage: 64,
  /** the receipt cannot be read: no such file, no JSON, no such etch, no answer */
  input: 66,
  /** a defect of this program: it says nothing about the receipt */
  defect: 70,
} as const;

/** Ends the command with a message and a status. */
export class CommandError extends Error {
  override name = 'CommandError';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
