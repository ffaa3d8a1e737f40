import { parseArgs } from 'node:util';

/** The exit status of a wrong call (sysexits.h). */
const USAGE = 64;

/**
 * `--help` prints the usage and exits with 0; an unknown argument exits with 64. Call this before anything is
 * installed, built or written.
 * @param {string} usage
 * @param {import('node:util').ParseArgsConfig} [config]
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
 * @param {string} usage
 * @param {string} reason
 * @returns {never}
 */
export function wrongCall(usage, reason) {
  console.error(`${reason}\n\n${usage}`);
  process.exit(USAGE);
}
