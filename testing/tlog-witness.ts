import { randomBytes } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import {
  cosignedText,
  parseCheckpoint,
  signatureLine,
  verifierKey,
  withTime,
  WITNESS_KEY,
  writeVerifierKey,
} from '@svc/protocol/tlog';
import { type LocalServer, startServer } from './machine/server.ts';

export interface FakeWitness {
  readonly server: LocalServer;
  /** of a policy file */
  readonly line: string;
  /** `away`: it closes each connection; `deaf`: it reads a checkpoint, stores nothing and fails; `silent`: and waits */
  mood: 'well' | 'away' | 'deaf' | 'silent';
  kept: string | undefined;
  /** every checkpoint that it received */
  readonly received: string[];
}

/** Stores the newest checkpoint. It checks no proof. */
export async function startFakeWitness(name: string, now: () => number): Promise<FakeWitness> {
  const secret = randomBytes(32);
  const publicKey = ed25519.getPublicKey(secret);
  const server = await startServer((request, response) => {
    if (witness.mood === 'away') return void request.socket.destroy();
    if (request.method === 'GET')
      return void response.writeHead(witness.kept === undefined ? 404 : 200).end(witness.kept);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const note = body.slice(body.indexOf('\n\n') + 2);
      witness.received.push(note);
      if (witness.mood === 'silent') return;
      if (witness.mood === 'deaf') return response.writeHead(500).end();
      const { text } = parseCheckpoint(note);
      const size = witness.kept === undefined ? 0 : parseCheckpoint(witness.kept).size;
      if (body.split('\n')[0] !== `old ${size}`) return response.writeHead(409).end(`${size}\n`);
      witness.kept = note;
      const time = Math.floor(now() / 1000);
      const signature = ed25519.sign(Buffer.from(cosignedText(text, time)), secret);
      const key = verifierKey(name, WITNESS_KEY, publicKey);
      response.end(`${signatureLine(key, withTime(time, signature))}\n`);
    });
  });
  const line = `witness ${name} ${writeVerifierKey(name, WITNESS_KEY, publicKey)} ${server.url}`;
  const witness: FakeWitness = { server, line, mood: 'well', kept: undefined, received: [] };
  return witness;
}
