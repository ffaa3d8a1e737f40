export type TimestampFault =
  | 'unreachable'
  | 'refused'
  | 'malformed'
  | 'imprint'
  | 'nonce'
  | 'time'
  | 'signature'
  | 'unknown'
  | 'expired'
  | 'limit';

export class TimestampError extends Error {
  override name = 'TimestampError';
  readonly fault: TimestampFault;
  constructor(fault: TimestampFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** Far above the usual milliseconds, for slow machines. */
const LONGEST_JUDGEMENT_MS = 10_000;

/**
 * An error of the ASN.1 reader is `malformed`. `limit` proves nothing against the token.
 * @throws {TimestampError}
 */
export async function judging<T>(judge: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    const error = new TimestampError(
      'limit',
      `it could not be judged within ${LONGEST_JUDGEMENT_MS / 1000} s`,
    );
    timer = setTimeout(() => reject(error), LONGEST_JUDGEMENT_MS);
  });
  try {
    return await Promise.race([judge(), tooLate]);
  } catch (error) {
    throw error instanceof TimestampError ? error : malformed('it cannot be read');
  } finally {
    clearTimeout(timer);
  }
}

export const malformed = (what: string): TimestampError => new TimestampError('malformed', what);
