import { afterAll } from 'vitest';
import { removeFolders } from '../machine/folder.ts';
import { forgetPrinted } from './secrets.ts';

// A process runs many files.
afterAll(() => {
  removeFolders();
  forgetPrinted();
});
