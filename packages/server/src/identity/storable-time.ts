const FIRST = Date.parse('0001-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

export const storableTime = (milliseconds: number): string | undefined =>
  milliseconds >= FIRST && milliseconds <= LAST ? new Date(milliseconds).toISOString() : undefined;
