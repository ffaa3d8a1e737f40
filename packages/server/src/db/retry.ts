import { UniqueViolation } from './db.ts';

const TRIES = 5;

export async function retryOnUniqueViolation<T>(work: () => Promise<T>): Promise<T> {
  for (let left = TRIES; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof UniqueViolation) || left === 1) throw error;
    }
  }
}
