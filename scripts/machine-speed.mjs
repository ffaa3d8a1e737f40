import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Milliseconds on the idle core for which the limits were chosen. */
const REFERENCE_MS = 300;
const JOB = `
  const { createHash } = require('node:crypto');
  const text = JSON.stringify(Array.from({ length: 20000 }, (_, at) => ({ at, name: 'row ' + at })));
  for (let round = 0; round < 12; round++) createHash('sha256').update(JSON.stringify(JSON.parse(text))).digest();
`;

/** Returns 1 to 20: one job per core, median of three rounds. */
export async function measureSlowness() {
  const rounds = [];
  for (let round = 0; round < 3; round++) {
    const began = performance.now();
    await Promise.all(Array.from({ length: availableParallelism() }, runJob));
    rounds.push(performance.now() - began);
  }
  rounds.sort((a, b) => a - b);
  return Math.min(20, Math.max(1, rounds[1] / REFERENCE_MS));
}

const runJob = () =>
  new Promise((resolve) => {
    const job = spawn(process.execPath, ['-e', JOB], { stdio: 'ignore' });
    job.once('error', resolve);
    job.once('close', resolve);
  });
