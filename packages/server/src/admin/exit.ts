export const EXIT = {
  /** done, no fault */
  fine: 0,
  /** fault found, or rejected */
  fault: 1,
  /** incomplete check: no answer from the chain */
  unknown: 2,
  usage: 64,
  /** unknown or unreadable account, file, archive or backup */
  input: 66,
  /** database away, or used by the service */
  unavailable: 69,
  /** defect of this program */
  defect: 70,
  /** setting missing or invalid */
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
