import { readArguments } from './arguments.mjs';

/** @param {string} program the command that the usage shows */
export function readServeArguments(program) {
  const usage = `usage: ${program}

Starts the service. Its settings are environment variables, or lines of a .env file in the working directory: see .env.example.

  --version   print the version
  --help      print this`;
  return readArguments(usage, { options: { version: { type: 'boolean' } } }).values;
}
