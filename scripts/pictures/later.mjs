// Shifts JavaScript's clock by `DAYS_LATER` days, also in the database's thread.
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

const { DAYS_LATER } = process.env;
const MS = Number(DAYS_LATER) * 86_400_000;
const True = Date;
globalThis.Date = class Date extends True {
  constructor(...given) {
    if (given.length === 0) super(True.now() + MS);
    else super(...given);
  }
  static now() {
    return True.now() + MS;
  }
};

const { Worker } = threads;
threads.Worker = class extends Worker {
  constructor(program, options) {
    super(program, {
      ...options,
      env: { ...options.env, DAYS_LATER },
      execArgv: ['--import', import.meta.url],
    });
  }
};
syncBuiltinESMExports();
