/** What the exit status of `svc` says. */
export const EXIT = {
  /** done; of a verification: every check is `pass` or `info` */
  pass: 0,
  /** refused by the service or by you; of a verification: a check failed, or the receipt is malformed */
  fail: 1,
  /** something cannot be known yet, or did not come in the time given */
  wait: 2,
  /** the command was called wrongly */
  usage: 64,
  /** what was named cannot be read: no such file, no JSON, no such etch */
  input: 66,
  /** the service cannot be reached, or asks to be called later */
  unavailable: 69,
  /** a defect of this program: it says nothing about the receipt */
  defect: 70,
  /** there is no valid API key, or it may not do this */
  permission: 77,
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
