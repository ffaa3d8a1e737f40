import { afterAll } from 'vitest';
import { removeFolders } from '../machine/folder.ts';
import { forgetPrinted } from './secrets.ts';

// One process runs many files.
afterAll(() => {
  removeFolders();
  forgetPrinted();
});
