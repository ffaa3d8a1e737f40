import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestAgent } from '../clients/agents.ts';
import type { Client, Reply } from '../clients/client.ts';
import { CANARY, keepSalt } from './secrets.ts';

export interface Wanted {
  agent: TestAgent;
  idempotencyKey: string;
  body: Record<string, unknown>;
  id?: string;
  hash?: string;
  /** requests without an answer or with 503 */
  unknown: number;
  retracted: boolean;
}

export interface LoadOptions {
  client: Client;
  agents: readonly TestAgent[];
  workers?: number;
  /** ms between two etches (default 60) */
  restMs?: number;
  /** percent of sealed etches (default 20) */
  delayed?: number;
  /** percent of retracted etches (default 5) */
  retracted?: number;
  /** milliseconds (default 30,000) */
  timeoutMs?: number;
}

const RETRY_MS = 150;
/** A longer pause makes fewer etches, because the test checks each one at the end. */
const RESTS_LONGER = process.env['TEST_SOAK'] === '1' ? 1 : 4;

export class Load {
  readonly wanted: Wanted[] = [];
  readonly faults: string[] = [];
  /** retried etches that already existed */
  replays = 0;
  readonly #options: Required<LoadOptions>;
  #stopping = false;
  #workers: Promise<void>[] = [];

  constructor(options: LoadOptions) {
    this.#options = { workers: 8, restMs: 60, delayed: 20, retracted: 5, timeoutMs: 30_000, ...options };
  }

  get acknowledged(): number {
    return this.wanted.filter((wanted) => wanted.id !== undefined).length;
  }

  get unknown(): number {
    return this.wanted.reduce((sum, wanted) => sum + wanted.unknown, 0);
  }

  start(): void {
    this.#stopping = false;
    this.#workers = Array.from({ length: this.#options.workers }, (_, at) => this.#work(at));
  }

  async finish(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#workers);
  }

  async etch(fields: Record<string, unknown> = {}, agent = this.#agent()): Promise<Wanted> {
    const wanted: Wanted = {
      agent,
      idempotencyKey: randomUUID(),
      body: { ...this.#body(), ...fields },
      unknown: 0,
      retracted: false,
    };
    this.wanted.push(wanted);
    await this.#create(wanted);
    return wanted;
  }

  async retract(wanted: Wanted): Promise<void> {
    await this.#until(wanted, `/api/v1/etches/${wanted.id}/retract`, (reply, again) => {
      // The first attempt may have retracted the etch.
      if (reply.status === 200 || (reply.status === 422 && again)) {
        wanted.retracted = true;
        return true;
      }
      return false;
    });
  }

  async #work(at: number): Promise<void> {
    while (!this.#stopping) {
      const wanted = await this.etch({}, this.#options.agents[at % this.#options.agents.length]);
      if (wanted.id !== undefined && randomInt(100) < this.#options.retracted) await this.retract(wanted);
      await sleep(randomInt(this.#options.restMs * RESTS_LONGER * 2 + 1));
    }
  }

  #agent(): TestAgent {
    const { agents } = this.#options;
    return agents[randomInt(agents.length)]!;
  }

  #body(): Record<string, unknown> {
    const isDelayed = randomInt(100) < this.#options.delayed;
    return {
      content: `${CANARY} ${randomUUID()}`,
      description: 'Sent under load',
      category_id: 'tech',
      mode: isDelayed ? 'delayed' : 'instant',
      ...(isDelayed && { reveal_at: new Date(Date.now() + 7 * 24 * 3_600_000).toISOString() }),
    };
  }

  async #create(wanted: Wanted): Promise<void> {
    await this.#until(wanted, '/api/v1/etches', (reply, again) => {
      if (reply.status !== 201) return false;
      const { id, salt, hash } = reply.body.etch as { id: string; salt: string | null; hash: string };
      if (reply.headers.has('idempotent-replay') && !again) this.faults.push(`${id}: a replay of nothing`);
      wanted.id = id;
      wanted.hash = hash;
      if (again && reply.headers.has('idempotent-replay')) this.replays++;
      if (salt !== null) keepSalt(salt);
      return true;
    });
  }

  async #until(
    wanted: Wanted,
    path: string,
    isDone: (reply: Reply, again: boolean) => boolean,
  ): Promise<void> {
    const creates = path.endsWith('/etches');
    for (let tries = 0; ; tries++) {
      const reply = await this.#options.client
        .call('POST', path, {
          key: wanted.agent.key,
          timeoutMs: this.#options.timeoutMs,
          ...(creates && { body: wanted.body, headers: { 'idempotency-key': wanted.idempotencyKey } }),
        })
        .catch(() => undefined);
      if (reply && isDone(reply, tries > 0)) return;
      if (reply && reply.status !== 503) {
        this.faults.push(`POST ${path} answered ${reply.status}: ${reply.text}`);
        return;
      }
      if (reply && reply.body?.error?.code !== 'service_unavailable')
        this.faults.push(`a 503 says ${reply.text}`);
      wanted.unknown++;
      await sleep(RETRY_MS);
    }
  }
}
