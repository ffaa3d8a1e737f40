import { gunzipSync } from 'node:zlib';
import { readFile } from 'node:fs/promises';
import type { AdminContext } from '../../src/admin/context.ts';
import { makeProgram } from '../../src/admin/main.ts';
import type { Config } from '../../src/settings/config.ts';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import type { TestService } from '../../../../testing/service/service.ts';

export const CANARY = 'canary-5b9e';

export async function liveAWhile(service: TestService) {
  const [author, other] = [
    await service.registerAgent(),
    await service.registerAgent({ displayName: 'Someone else' }),
  ];
  const later = service.at(7_200_000);
  const signed = async (agent: TestAgent, content: string) => {
    const { createHash } = await import('node:crypto');
    const digest = createHash('sha256').update(content).digest('hex');
    return agent.sign(`svc-sig:v1|${agent.userId}|${digest}`);
  };
  const open = await service.etch(author, { content: 'public \ufeff words, "quoted" \\ and\nlines 🌊' });
  const withSignature = await service.etch(author, {
    content: 'signed words',
    signature: await signed(author, 'signed words'),
  });
  const sealed = await service.etch(author, {
    content: `${CANARY} sealed`,
    mode: 'delayed',
    reveal_at: later,
    signature: await signed(author, `${CANARY} sealed`),
  });
  const question = await service.post(
    '/api/v1/challenges',
    { question: 'Will it rain?', category_id: 'science', reveal_at: later },
    other.key,
  );
  const entry = await service.etch(author, {
    content: `${CANARY} entry`,
    mode: 'delayed',
    challenge_id: question.body.challenge.id,
  });
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
