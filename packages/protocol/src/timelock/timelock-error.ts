/** Malformed input, or a content that does not decrypt. */
export class TimelockError extends Error {
  override name = 'TimelockError';
}
