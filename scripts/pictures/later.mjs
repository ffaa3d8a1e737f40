// Shifts JavaScript's clock, also in the database's thread.
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';
import { LATER_MS } from './pages.mjs';

const True = Date;
globalThis.Date = class Date extends True {
  constructor(...given) {
    if (given.length === 0) super(Date.now());
    else super(...given);
  }
  static now() {
    return True.now() + LATER_MS;
  }
};

const { Worker } = threads;
threads.Worker = class extends Worker {
  constructor(program, options) {
    super(program, { ...options, execArgv: ['--import', import.meta.url] });
  }
};
syncBuiltinESMExports();
