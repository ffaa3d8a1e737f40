import { dayText, timeText } from '../time-text.ts';

export function Time({ at, precision }: { at: string; precision?: 'minutes' | 'seconds' | 'exact' }) {
  return <time datetime={at}>{timeText(at, precision)}</time>;
}

export function Day({ at }: { at: string }) {
  return <time datetime={at}>{dayText(at)}</time>;
}
