import { command, flag, type InputOf } from '../command.ts';
import { type Context, present, say, type Shown } from '../context.ts';
import { NotPublic, readNamed } from '../public-fetch.ts';
import { parseJson, readInput } from '../input-file.ts';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { Client } from '@svc/sdk';
import { parseSettleRule, settle, settledBy, type SettleRule } from '@svc/protocol/conventions';
import { resolutionOf } from '../compose.ts';
import { asRefusal, CommandError, EXIT, failError, inputError, usageError, waitError } from '../exit.ts';
import { findChallengeId } from '../find-named.ts';
import { makeEtch, MAKE_OPTIONS } from '../make-etch.ts';
import { SERVICE } from '../options.ts';
import { clientOf } from '../session.ts';
import { textOfFile } from '@svc/verifier';
import { sha256 } from '../files/manifest-file.ts';

const INPUT = {
  ...SERVICE,
  ...MAKE_OPTIONS,
  '<challenge>': 'its id, its code or its url',
  '--out <file>': 'write the document to this new file (default: svc-settle-<hash>.json)',
  '--check': flag('etch nothing: evaluate the rule again and compare with the resolution'),
  '--document <file>': 'with --check: the kept document (default: fetch it again)',
};
type SettleOptions = InputOf<typeof INPUT>;

export const settleCommand = command(
  'settle',
  'resolve your challenge by the rule in its question (settles-by:), and keep the document',
  {
    input: INPUT,
    examples: [
      'svc settle <challenge> --wait',
      'svc settle --check <challenge> --document svc-settle-1f2e3d4c5b6a.json',
    ],
    async run(options, context) {
      if (options.document !== undefined && !options.check) throw usageError('--document requires --check');
      const client = clientOf(options, context);
      const id = await findChallengeId(options.challenge, client.origin);
      const { question, closed, reveal_at } = (await client.getChallenge(id)).challenge;
      const rule = asRefusal(() => parseSettleRule(question), EXIT.usage);
      if (rule === null) throw usageError('the question has no rule: it does not contain settles-by:');
      if (!closed) throw waitError(`WAIT: the challenge is open until ${reveal_at}; nothing was fetched`);
      const { out } = options;
      if (out !== undefined && existsSync(out))
        throw inputError(`${out} exists already; nothing was fetched. Name a new file with --out`);
      const asked = { client, id, rule, question };
      return options.check ? checkAgain(asked, options.document) : settleNow(asked, options, context);
    },
  },
);

interface Asked {
  client: Client;
  id: string;
  rule: SettleRule;
  question: string;
}

async function settleNow(
  { client: { origin }, id, rule, question }: Asked,
  options: SettleOptions,
  context: Context,
): Promise<void> {
  const { profile, baseUrl, json } = options;
  const document = await fetchDocument(rule.url, origin);
  const { outcome, reason } = settle(rule, question, document.text);
  const again = await fetchDocument(rule.url, origin);
  if (settle(rule, question, again.text).outcome !== outcome)
    throw failError(`${rule.url} answers differently twice; nothing was etched. Try again later`);
  const path = options.out ?? `svc-settle-${document.sha256.slice(0, 12)}.json`;
  const source = `sha256:${document.sha256} ${rule.url}`;
  const resolved = await resolutionOf(
    { json, ...present({ profile, baseUrl }), resolve: id, outcome, source },
    `Settled by the rule in the question: ${reason}.`,
    context,
  );
  await writeFile(path, document.bytes, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw inputError(
      `${path} cannot be written (${error.code}); nothing was etched. Name a new file with --out`,
    );
  });
  say(context, `Wrote ${path}. Publish it: it shows why the outcome is ${outcome} (${reason}).`);
  await makeEtch({ ...resolved!, mode: 'instant' }, options, context, {
    more: { settled: { outcome, reason, document: path, sha256: document.sha256 } },
  });
}

async function checkAgain({ client, id, rule, question }: Asked, path: string | undefined): Promise<Shown> {
  const { first } = (await client.challengeScore(id)).resolution;
  if (first === null) throw waitError('WAIT: the challenge has no resolution yet');
  const kept = settledBy(first.source);
  if (kept === null)
    throw failError(`FAIL: resolved by the creator’s word, not by the rule: ${first.source}`);
  if (first.source !== `sha256:${kept} ${rule.url}`)
    throw failError(
      `FAIL: the source of resolution ${first.etch_id} names a different document than the rule: ${first.source}`,
    );
  const document =
    path === undefined
      ? await fetchDocument(rule.url, client.origin)
      : readDocument(await readInput(path), path);
  const { outcome, reason } = settle(rule, question, document.text);
  const isKept = document.sha256 === kept;
  // A source may change its document later, so only the kept one can contradict the resolution.
  const result =
    !isKept && path === undefined ? 'wait' : isKept && outcome === first.outcome ? 'pass' : 'fail';
  const what = {
    pass: `PASS: the document with SHA-256 ${kept} gives ${outcome}, as the service states resolution ${first.etch_id}. Check that etch with svc verify.`,
    fail: isKept
      ? `FAIL: the document gives ${outcome}, and resolution ${first.etch_id} says ${first.outcome}.`
      : `FAIL: this is not the document of resolution ${first.etch_id}: its SHA-256 is different, and it gives ${outcome}.`,
    wait: `WAIT: the document changed since resolution ${first.etch_id}; it gives ${outcome} now. Name the kept document with --document.`,
  }[result];
  const value = { result, outcome, reason, resolution: first, sha256: document.sha256 };
  return { value, words: [reason, what], status: EXIT[result] };
}

interface Document {
  bytes: Buffer;
  text: string;
  sha256: string;
}

const LIMITS = { patienceMs: 30_000, most: 5 * 1024 * 1024, headers: { accept: 'application/json' } };

async function fetchDocument(url: string, service: string): Promise<Document> {
  const refuse = (status: number, why: string) =>
    new CommandError(status, `${url} ${why}; nothing was etched`);
  const { status, isOk, bytes } = await readNamed(url, service, LIMITS).catch((error: unknown) => {
    if (error instanceof NotPublic) throw refuse(EXIT.fail, error.message);
    throw refuse(EXIT.unavailable, 'cannot be reached');
  });
  if (status >= 300 && status < 400) throw refuse(EXIT.fail, 'redirects; the rule names the document itself');
  if (!isOk) throw refuse(EXIT.unavailable, `answers status ${status}`);
  if (bytes === null) throw refuse(EXIT.fail, `is larger than ${LIMITS.most} bytes`);
  return readDocument(bytes, url);
}

function readDocument(bytes: Buffer, name: string): Document {
  if (parseJson(bytes) === undefined) throw failError(`${name} is not JSON; nothing was etched`);
  return { bytes, text: textOfFile(bytes), sha256: Buffer.from(sha256(bytes)).toString('hex') };
}
