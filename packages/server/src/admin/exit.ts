export const EXIT = {
  fine: 0,
  /** fault found, or request rejected */
  fault: 1,
  /** the chain did not answer, so the check is incomplete */
  unknown: 2,
  usage: 64,
  /** account, file, archive or backup is unknown or unreadable */
  input: 66,
  /** the database does not answer, or the service uses it */
  unavailable: 69,
  defect: 70,
  config: 78,
} as const;

export class AdminError extends Error {
  override name = 'AdminError';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
