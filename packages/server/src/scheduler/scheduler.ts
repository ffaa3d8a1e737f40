import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TaskTimes } from './task-times.ts';

export interface Task {
  name: string;
  everySeconds: number;
  /** whether it is about this process's own memory: then each of several runs it */
  everywhere?: true;
  run: () => Promise<void>;
}

export interface SchedulerLog {
  warn(fields: object, message: string): void;
}

/**
 * Runs each task again and again until the signal; a task that fails is logged and comes again. Every process
 * runs them: what they do is safe to do twice, by row locks and constraints.
 */
export async function runScheduler(
  tasks: readonly Task[],
  log: SchedulerLog,
  signal: AbortSignal,
  times?: TaskTimes,
): Promise<void> {
  // Every task listens while it rests.
  setMaxListeners(0, signal);
  await Promise.all(tasks.map((task) => repeat(task, log, signal, times)));
}

async function repeat(
  task: Task,
  log: SchedulerLog,
  signal: AbortSignal,
  times: TaskTimes | undefined,
): Promise<void> {
  times?.begun(task);
  while (!signal.aborted) {
    try {
      await task.run();
      times?.succeeded(task.name);
    } catch (error) {
      times?.failed(task.name);
      log.warn({ err: error, task: task.name }, 'a scheduled task failed and will be tried again');
    }
    await sleep(task.everySeconds * 1000, undefined, { signal }).catch(() => undefined);
  }
}
