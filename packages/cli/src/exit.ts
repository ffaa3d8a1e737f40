/** The exit statuses of `svc`. */
export const EXIT = {
  /** done; for a verification: every check is `pass` or `info` */
  pass: 0,
  /** rejected by the service, or declined by the user; for a verification: a check failed, or the receipt is malformed */
  fail: 1,
  /** something is not known yet, or did not happen within the time limit */
  wait: 2,
  /** the command was called wrongly */
  usage: 64,
  /** the input cannot be read: no such file or etch, or the file is not JSON */
  input: 66,
  /** the service cannot be reached, or answers that it is overloaded */
  unavailable: 69,
  /** a defect of this program, which says nothing about the receipt */
  defect: 70,
  /** no valid API key, or the key lacks the permission */
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
