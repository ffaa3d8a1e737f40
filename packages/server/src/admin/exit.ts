export const EXIT = {
  fine: 0,
  /** fault found, or request rejected */
  fault: 1,
  /** the chain did not answer, so the check is incomplete */
  unknown: 2,
  usage: 64,
  input: 66,
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
