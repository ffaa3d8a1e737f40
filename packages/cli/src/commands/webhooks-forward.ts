import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Event } from '@svc/sdk';
import { chatRequest, type Product, PRODUCTS, type Target } from '../chat-message.ts';
import { choice, command, flag } from '../command.ts';
import { type Context, say } from '../context.ts';
import { deliveryLine, sendTo } from '../deliver.ts';
import { awayError, failError, usageError } from '../exit.ts';
import { readTextFile } from '../input-file.ts';
import { isLoopback } from '../loopback.ts';
import { EVENT_TYPES_LISTED, SERVICE } from '../options.ts';
import { refuseUnwritable, writeOutBytes } from '../out-file.ts';
import { clientOf } from '../session.ts';
import { followEvents } from './events.ts';

/** Needs no public address, as `listen`. */
export const forward = command('forward', 'send events as messages to Slack, Discord or Matrix', {
  input: {
    ...SERVICE,
    '--to <product>': { ...choice(PRODUCTS, 'where the messages go'), mandatory: true, always: true },
    '--room <id>': 'the Matrix room, as !id:server',
    '--cursor-file <file>': 'continue after the event of this file, and write the last sent event there',
    '--once': flag('send the new events and end, for cron; needs --cursor-file'),
    ...EVENT_TYPES_LISTED,
  },
  examples: [
    'SVC_FORWARD_URL_FILE=~/.config/slack-url svc webhooks forward --to slack --types etch.revealed',
    "svc webhooks forward --to matrix --room '!abc:example.org' --cursor-file ~/.cache/svc-matrix --once",
  ],
  below: `
The address is SVC_FORWARD_URL, or the file SVC_FORWARD_URL_FILE: the secret address of a Slack or Discord webhook, or the address of a
Matrix server, which also needs SVC_FORWARD_TOKEN (or SVC_FORWARD_TOKEN_FILE), an access token.
Without a cursor, only later events are sent. A message that is not accepted is retried, with --once by the next run; after a
crash, Slack and Discord may get one message twice.`,
  async run({ to, once, cursorFile, ...options }, context) {
    if (once && cursorFile === undefined)
      throw usageError('--once needs --cursor-file: the next run continues there');
    refuseUnwritable(cursorFile);
    const target = await readTarget(to, options.room, context.env);
    const client = clientOf(options, context);
    const stored =
      cursorFile !== undefined && existsSync(cursorFile) ? (await readTextFile(cursorFile)).trim() : '';
    await followEvents(client, { ...options, once, cursor: stored || undefined }, context, {
      begin: () => {
        if (!once)
          say(context, `sending events of your etches at ${client.origin} to ${to}; stop with Ctrl-C`);
      },
      each: async (event) => {
        const reply = await deliver(to, target, event, once, context);
        context.out(deliveryLine(event, reply, options.json));
      },
      ...(cursorFile !== undefined && { keep: (cursor) => writeOutBytes(cursorFile, `${cursor}\n`) }),
    });
  },
});

async function readTarget(to: Product, room: string | undefined, env: NodeJS.ProcessEnv): Promise<Target> {
  const text = await readSecret('SVC_FORWARD_URL', env);
  if (!text)
    throw usageError(
      `set SVC_FORWARD_URL, or SVC_FORWARD_URL_FILE: the address that ${to} messages are sent to`,
    );
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && isLoopback(url.origin)))
    throw usageError('SVC_FORWARD_URL is no https url (http is accepted on this machine only)');
  if (to !== 'matrix') return { url };
  const token = await readSecret('SVC_FORWARD_TOKEN', env);
  if (!token)
    throw usageError(
      'set SVC_FORWARD_TOKEN, or SVC_FORWARD_TOKEN_FILE: an access token of the Matrix server',
    );
  if (!room)
    throw usageError('matrix needs --room, the id of a room that the account has joined: !id:server');
  return { url, token, room };
}

/** Not an option: other users of the machine can read the arguments of a program. */
async function readSecret(name: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const [value, file] = [env[name], env[`${name}_FILE`]];
  if (value && file) throw usageError(`set ${name} or ${name}_FILE, not both`);
  return file ? (await readTextFile(file)).trim() : value;
}

const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [5_000, 300_000];

async function deliver(to: Product, target: Target, event: Event, once: boolean, context: Context) {
  const { url, ...request } = chatRequest(to, target, event);
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    const reply = await sendTo(url, request);
    const { status, retryAfter } = reply;
    if (status !== null && status >= 200 && status < 300) return reply;
    const problem = `${to} did not accept event ${event.id} (${status ?? reply.problem})`;
    if (status !== null && status < 500 && status !== 408 && status !== 429)
      throw failError(
        `${problem}: check ${to === 'matrix' ? 'SVC_FORWARD_TOKEN, --room and ' : ''}SVC_FORWARD_URL`,
      );
    if (once) throw awayError(`${problem}; the next run sends it again`);
    say(context, `${problem}; retrying`);
    await sleep(
      retryAfter !== null && /^\d{1,4}(?:\.\d+)?$/.test(retryAfter) ? Number(retryAfter) * 1000 : pause,
    );
  }
}
