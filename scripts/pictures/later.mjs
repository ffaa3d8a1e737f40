// Loaded before the service: what JavaScript sees of the clock is `DAYS_LATER` days later, also in the thread of the embedded database,
// whose clock is the service's.
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
