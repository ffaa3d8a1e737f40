import { ROUTES } from '@svc/contract';
import type { Json } from '../json.ts';
import { startServer } from '../machine/server.ts';
import type { Dice } from '../seeded.ts';

export interface ChangingService {
  readonly url: string;
  /** answers by operation, which replace the real ones */
  readonly given: Map<string, { status: number; body: unknown }>;
  /** the answers before any change; the test may empty the list */
  readonly answered: { operation: string; body: Json }[];
  change: ((operation: string, body: Json) => Json) | undefined;
  stop(): Promise<void>;
}

/** Requests with a time or a key, which cannot be repeated. */
const NEVER_AGAIN: ReadonlySet<string> = new Set(['registerAgent', 'recoverAgentKey', 'createWebhook']);

export async function startChangingService(real: string): Promise<ChangingService> {
  const kept = new Map<string, { status: number; headers: Headers; bytes: Buffer }>();
  const server = await startServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const sent = Buffer.concat(chunks).toString();
      const { method = 'GET', url = '/' } = request;
      const operation = operationOf(method, url.split('?', 1)[0]!) ?? url.split('?', 1)[0]!;
      const given = service.given.get(operation);
      const key = [method, url, sent].join('\n');
      const answer =
        given === undefined
          ? (kept.get(key) ?? (await forward(real + url, method, sent, request.headers)))
          : { status: given.status, headers: new Headers(), bytes: Buffer.from(JSON.stringify(given.body)) };
      if (answer.status < 300 && !NEVER_AGAIN.has(operation)) kept.set(key, answer);
      response.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? 'application/json',
        ...(answer.headers.get('idempotent-replay') === null ? {} : { 'idempotent-replay': 'true' }),
      });
      const body = parsed(answer.bytes.toString());
      if (body === undefined || answer.status >= 300) return response.end(answer.bytes);
      service.answered.push({ operation, body });
      response.end(JSON.stringify(service.change?.(operation, structuredClone(body)) ?? body));
    })().catch(() => response.destroy());
  });
  const service: ChangingService = {
    url: server.url,
    given: new Map(),
    answered: [],
    change: undefined,
    stop: () => server.stop(),
  };
  return service;
}

async function forward(url: string, method: string, sent: string, headers: NodeJS.Dict<string | string[]>) {
  const passed = ['authorization', 'content-type', 'idempotency-key', 'accept'].flatMap((name) =>
    typeof headers[name] === 'string' ? [[name, headers[name]] as const] : [],
  );
  const answer = await fetch(url, {
    method,
    headers: Object.fromEntries(passed),
    redirect: 'manual',
    ...(sent === '' ? {} : { body: sent }),
  });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

export function operationOf(method: string, path: string): string | undefined {
  const fits = (pattern: string): boolean =>
    new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
  return Object.values(ROUTES).find((route) => route.method === method && fits(route.path))?.operationId;
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export type Leaf = readonly (string | number)[];

export function leavesOf(value: Json, path: Leaf = []): Leaf[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries: [string | number, Json][] = Array.isArray(value)
    ? value.slice(0, 1).map((item, at) => [at, item])
    : Object.entries(value);
  return entries.flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}

export const nameOf = (leaf: Leaf): string =>
  leaf
    .map((part) => (typeof part === 'number' ? '[]' : `.${part}`))
    .join('')
    .replace(/^\./, '');

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  status: ['sealed', 'revealed', 'retracted', 'pending', 'anchored', 'failed'],
  mode: ['instant', 'delayed'],
  revocation_status: ['none', 'pending', 'revoked', 'failed'],
};

export function withChange(answer: Json, leaf: Leaf, dice: Dice): Json {
  const whole = structuredClone(answer);
  const last = leaf.at(-1)!;
  const holder = leaf.slice(0, -1).reduce((value: Json, name) => value[name], whole);
  holder[last] = another(holder[last], String(last), dice);
  return whole;
}

export const valueAt = (answer: Json, leaf: Leaf): Json =>
  leaf.reduce((value: Json, name) => value[name], answer);

export function withoutField(answer: Json, leaf: Leaf): Json {
  const whole = structuredClone(answer);
  const last = leaf.findLastIndex((name) => typeof name === 'string');
  const holder = leaf.slice(0, last).reduce((value: Json, name) => value[name], whole);
  delete holder[leaf[last]!];
  return whole;
}

const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d\.\d{3}Z)?$/;

function another(value: Json, name: string, dice: Dice): Json {
  const choices = CHOICES[name]?.filter((choice) => choice !== value);
  if (choices !== undefined) return dice.pick(choices);
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (value === null) return name.endsWith('_at') ? '2026-01-02T03:04:05.678Z' : 'ab'.repeat(32);
  if (TIME.test(value)) return new Date(Date.parse(value) + 86_400_000).toISOString().slice(0, value.length);
  // The service may choose the host of a link.
  const start = /^https?:/.test(value) ? value.lastIndexOf('/') : 0;
  const places = [...value].flatMap((character: string, at: number) =>
    at >= start && /[0-9a-z]/i.test(character) ? [at] : [],
  );
  if (places.length === 0) return `${value}x`;
  const at = dice.pick(places);
  const from = /^[0-9]$/.test(value[at]) ? '0123456789' : 'abcdef';
  const to = dice.pick([...from].filter((character) => character !== value[at]));
  return value.slice(0, at) + to + value.slice(at + 1);
}
