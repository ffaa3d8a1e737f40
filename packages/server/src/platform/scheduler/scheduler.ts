import { setMaxListeners } from 'node:events';

export interface Task {
  name: string;
  everySeconds: number;
  /** concerns this process's memory: every process runs it */
  everywhere?: true;
  run: () => Promise<unknown>;
}

export interface SchedulerOptions {
  log: { warn(fields: object, message: string): void };
  times?: TaskTimes;
  rest: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/**
 * A failed task is retried after its pause. Every process runs tasks: row locks make a second run
 * harmless.
 */
export async function runScheduler(tasks: readonly Task[], options: SchedulerOptions, signal: AbortSignal) {
  // Every waiting task listens.
  setMaxListeners(0, signal);
  await Promise.all(tasks.map((task) => repeat(task, options, signal)));
}

async function repeat(task: Task, { log, times, rest }: SchedulerOptions, signal: AbortSignal) {
  times?.begun(task);
  let failures = 0;
  while (!signal.aborted) {
    try {
      await task.run();
      times?.succeeded(task.name);
      failures = 0;
    } catch (error) {
      times?.failed(task.name);
      failures++;
      // After 1, 2, 4, 8 … failures in a row: some tasks run each second.
      if (Number.isInteger(Math.log2(failures)))
        log.warn({ err: error, task: task.name, failures }, 'a scheduled task failed; it is retried');
    }
    await rest(task.everySeconds * 1000, signal);
  }
}

export interface TaskTimes {
  begun(task: { name: string; everySeconds: number }): void;
  succeeded(name: string): void;
  failed(name: string): void;
  read(): { name: string; lagSeconds: number; failures: number }[];
}

export function createTaskTimes(now: () => number = () => performance.now()): TaskTimes {
  const times = new Map<string, { everySeconds: number; succeededAt: number; failures: number }>();
  return {
    begun: ({ name, everySeconds }) =>
      void times.set(name, { everySeconds, succeededAt: now(), failures: 0 }),
    succeeded(name) {
      const found = times.get(name);
      if (found) found.succeededAt = now();
    },
    failed(name) {
      const found = times.get(name);
      if (found) found.failures++;
    },
    read: () =>
      [...times].map(([name, { everySeconds, succeededAt, failures }]) => ({
        name,
        lagSeconds: Math.max(0, (now() - succeededAt) / 1000 - everySeconds),
        failures,
      })),
  };
}
