export class TimelockError extends Error {
  override name = 'TimelockError';
}
