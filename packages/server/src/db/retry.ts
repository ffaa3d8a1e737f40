import { UniqueViolation } from './db.ts';

const TRIES = 5;

/**
 * Runs a transaction again when it met a row that another one wrote at the same moment: the second run finds that row
 * by reading, or draws another random code.
 */
export async function retryOnUniqueViolation<T>(work: () => Promise<T>): Promise<T> {
  for (let left = TRIES; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof UniqueViolation) || left === 1) throw error;
    }
  }
}
