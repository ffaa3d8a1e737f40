import type { Context } from './context.ts';
export interface Progress {
  show(label: string, done: number, total: number | null): void;
  clear(): void;
}

const WIDTH = 24;
const TERMINAL_EVERY_MS = 100;
const ELSEWHERE_EVERY_MS = 10_000;

export function makeProgress({ note, terminal = false }: Pick<Context, 'note' | 'terminal'>): Progress {
  let last = -Infinity;
  let drawn = 0;
  return {
    show(label, done, total) {
      const isEnd = done === total;
      const now = performance.now();
      if (now - last < (terminal ? TERMINAL_EVERY_MS : ELSEWHERE_EVERY_MS) && !(terminal && isEnd)) return;
      last = now;
      const line = `${bar(done, total)}${label} ${count(done)}${total === null ? '' : ` of ${count(total)}`}`;
      if (!terminal) return note(`${line}\n`);
      note(`\r${line.padEnd(drawn)}`);
      drawn = line.length;
    },
    clear() {
      if (terminal && drawn > 0) note(`\r${' '.repeat(drawn)}\r`);
      drawn = 0;
    },
  };
}

function bar(done: number, total: number | null): string {
  if (total === null) return '';
  const full = total === 0 ? WIDTH : Math.floor((Math.min(done, total) / total) * WIDTH);
  return `[${'#'.repeat(full)}${'-'.repeat(WIDTH - full)}] `;
}

const count = (value: number) => value.toLocaleString('en-US');
