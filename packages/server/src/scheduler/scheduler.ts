import { setTimeout as sleep } from 'node:timers/promises';

export interface Task {
  name: string;
  everySeconds: number;
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
): Promise<void> {
  await Promise.all(tasks.map((task) => repeat(task, log, signal)));
}

async function repeat(task: Task, log: SchedulerLog, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await task.run();
    } catch (error) {
      log.warn({ err: error, task: task.name }, 'a scheduled task failed and will be tried again');
    }
    await sleep(task.everySeconds * 1000, undefined, { signal }).catch(() => undefined);
  }
}
