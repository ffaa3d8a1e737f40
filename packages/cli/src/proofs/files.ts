import { FILES, judgeFiles } from '../files/judge-files.ts';
import type { Proof } from './proof.ts';

export const files: Proof<typeof FILES> = {
  field: 'files',
  title: 'The files',
  options: FILES,
  check: async ({ receipt, verification }, given, context) =>
    given.files.length === 0 ? null : judgeFiles(receipt, verification, given, context),
};
