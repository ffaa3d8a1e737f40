import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { readFile } from 'node:fs/promises';
import type { AdminContext } from '../../src/admin/context.ts';
import { makeProgram } from '../../src/admin/main.ts';
import type { Config } from '../../src/settings/config.ts';
import type { TestService } from '../../../../testing/service/service.ts';

export const CANARY = 'canary-5b9e';

export async function liveAWhile(service: TestService) {
  const author = await service.registerAgent();
  const other = await service.registerAgent({ displayName: 'Someone else' });
  const later = service.at(7_200_000);
  const signed = (content: string) => {
    const digest = createHash('sha256').update(content).digest('hex');
    return { content, signature: author.sign(`svc-sig:v1|${author.userId}|${digest}`) };
  };
  const open = await service.etch(author, { content: 'public \ufeff words, "quoted" \\ and\nlines 🌊' });
  const withSignature = await service.etch(author, signed('signed words'));
  const sealed = await service.seal(author, { ...signed(`${CANARY} sealed`), reveal_at: later });
  const { id: challenge_id } = await service.ask(other, { reveal_at: later });
  const entry = await service.etch(author, { content: `${CANARY} entry`, mode: 'delayed', challenge_id });
  const retracted = await service.etch(other, { content: `${CANARY} retracted` });
  await service.anchor();
  await service.retract(other, retracted.id);
  await service.anchor();
  await service.post('/api/v1/follows', { target_type: 'user', target_id: other.userId }, author.key);
  const pending = await service.etch(other, { content: 'not anchored yet' });
  return { author, other, etches: { open, withSignature, sealed, entry, retracted, pending } };
}

export async function unzipped(file: string): Promise<string> {
  return gunzipSync(await readFile(file)).toString('latin1');
}

export async function svcAdmin(
  config: Config,
  ...args: string[]
): Promise<{ status: number; out: string; err: string; json: any }> {
  let out = '';
  let err = '';
  let status = 0;
  const context: AdminContext = {
    config: () => config,
    environment: () => ({}),
    path: process.env['PATH'] ?? '',
    out: (text) => void (out += text),
    note: (text) => void (err += text),
    finish: (code) => void (status = code),
  };
  await makeProgram(context).parseAsync(args, { from: 'user' });
  return { status, out, err, json: out.startsWith('{') ? JSON.parse(out) : undefined };
}
