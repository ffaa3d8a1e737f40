/** What is wrong with a time stamp, or with an authority's answer. */
export type TimestampFault =
  | 'unreachable'
  | 'refused'
  | 'malformed'
  | 'imprint'
  | 'nonce'
  | 'time'
  | 'signature'
  | 'unknown'
  | 'expired';

/** A time stamp that does not hold; `fault` says of what kind. */
export class TimestampError extends Error {
  override name = 'TimestampError';
  readonly fault: TimestampFault;
  constructor(fault: TimestampFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** What a part of it makes a reader of ASN.1 stumble over is malformed. @throws {TimestampError} */
export async function orMalformed<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof TimestampError ? error : malformed('it cannot be read');
  }
}

export const malformed = (what: string): TimestampError => new TimestampError('malformed', what);
