import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ed25519 } from '@noble/curves/ed25519.js';
import * as tlog from '@svc/protocol/tlog';
import { newFolder } from '../../../../testing/machine/folder.ts';

const secret = new Uint8Array(32).fill(9);
const publicKey = ed25519.getPublicKey(secret);
const witness = tlog.verifierKey('witness.example/w', tlog.WITNESS_KEY, publicKey);

/** With a cosignature of now. */
export const cosign = (note: string): string => {
  const time = Math.floor(Date.now() / 1000);
  const message = Buffer.from(tlog.cosignedText(tlog.parseCheckpoint(note).text, time));
  return `${note}${tlog.signatureLine(witness, tlog.withTime(time, ed25519.sign(message, secret)))}\n`;
};

/** A file that names the witness `checker`. */
export function policyOf(logKey: string, quorum = 'checker'): string {
  const path = join(newFolder('policy'), 'policy');
  const key = tlog.writeVerifierKey(witness.name, tlog.WITNESS_KEY, publicKey);
  writeFileSync(path, `log ${logKey}\nwitness checker ${key}\nquorum ${quorum}\n`);
  return path;
}
