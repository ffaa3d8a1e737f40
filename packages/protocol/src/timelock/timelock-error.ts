/** What cannot be read, or is not what it is said to be. */
export class TimelockError extends Error {
  override name = 'TimelockError';
}
