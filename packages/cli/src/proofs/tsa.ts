import { TSA } from '@svc/verifier/evidence';
import { EXIT, parsed } from '../exit.ts';
import { readInput } from '../input-file.ts';
import { OF_EVIDENCE } from '../verdict-words.ts';
import { isOfHash, type Proof } from './proof.ts';

const options = {
  '--tsa-certificates <file>': 'for time stamps: the certificates that you trust, in PEM',
};

export const tsa: Proof<typeof options> = {
  ...TSA,
  options,
  async check({ evidence }, { tsaCertificates: path }) {
    // Half a megabyte: loaded only when needed.
    const { checkTimestamps, readCertificates, TimestampError } = await import('@svc/timestamp');
    if (path === undefined) return checkTimestamps(evidence!, [], Date.now());
    const pem = (await readInput(path)).toString('utf8');
    const checked = () => checkTimestamps(evidence!, readCertificates(pem), Date.now());
    return parsed(checked, TimestampError, path, EXIT.input);
  },
  words: ({ verification }) => ({
    pass: isOfHash(verification)
      ? 'PASS: the hash existed by the time of its time stamp; its words were not checked, and the chain was not required.'
      : 'PASS: the words existed by the time of their time stamp; the chain was not required.',
    ...OF_EVIDENCE,
  }),
};
