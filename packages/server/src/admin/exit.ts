/** The exit statuses of `svc-admin`. */
export const EXIT = {
  /** done; a check found no fault */
  fine: 0,
  /** a check found a fault, or the request was rejected */
  fault: 1,
  /** a check is incomplete: the chain does not answer */
  unknown: 2,
  usage: 64,
  /** no such account, file, archive or backup, or it cannot be read */
  input: 66,
  /** the database does not answer, or the service uses it */
  unavailable: 69,
  /** a defect of this program */
  defect: 70,
  /** a setting is missing or invalid */
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
