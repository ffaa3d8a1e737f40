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
