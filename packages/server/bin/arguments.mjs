import { parseArgs } from 'node:util';

/** The exit status of a wrong call (sysexits.h). */
const USAGE = 64;

/**
 * The arguments of a program. `--help` prints the usage and ends the process with 0; an argument that the program does not take
 * ends the process with 64. Call this first: nothing may be installed, built or written before.
 * @param {string} usage what `--help` prints
 * @param {import('node:util').ParseArgsConfig} [config] what the program takes besides `--help`
 */
export function readArguments(usage, config = {}) {
  let read;
  try {
    read = parseArgs({ ...config, options: { ...config.options, help: { type: 'boolean', short: 'h' } } });
  } catch (error) {
    wrongCall(usage, error.message);
  }
  if (read.values.help) {
    console.log(usage);
    process.exit(0);
  }
  return read;
}

/**
 * Ends the process with 64, after the reason and the usage.
 * @param {string} usage
 * @param {string} reason
 * @returns {never}
 */
export function wrongCall(usage, reason) {
  console.error(`${reason}\n\n${usage}`);
  process.exit(USAGE);
}
