/** What the exit status of `svc-admin` says. */
export const EXIT = {
  /** done; of a check: nothing is wrong */
  fine: 0,
  /** a check found something, or what was asked for was refused */
  fault: 1,
  /** not everything could be looked at now: the chain cannot be reached */
  unknown: 2,
  usage: 64,
  /** no such account, file, archive or backup, or it cannot be read */
  input: 66,
  /** the database cannot be reached, or is in use by the service */
  unavailable: 69,
  /** a defect of this program */
  defect: 70,
  /** a setting is missing or bad */
  config: 78,
} as const;

/** Ends the command with a message and a status. */
export class AdminError extends Error {
  override name = 'AdminError';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
