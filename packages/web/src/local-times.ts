const MINUTE = 60_000;
/** More than the time between a wall clock and UTC. */
const AROUND = 36 * 60 * MINUTE;

/** Minutes that the wall clock of the reader is ahead of UTC. */
const minutesEast = (at: Date): number => -at.getTimezoneOffset();

/**
 * The moments at which the reader's wall clock shows this time: none if clocks skip it when they go forward, two if
 * they go back.
 * @param local as a field of the type `datetime-local` has it
 */
export function momentsAt(local: string): Date[] {
  const shown = Date.parse(`${local}Z`);
  return readings(shown).filter((at) => at.getTime() + minutesEast(at) * MINUTE === shown);
}

/** The wall clock's times at the two readings of a skipped time: 01:30 and 03:30 for 02:30. */
export const aroundSkipped = (local: string): string[] =>
  readings(Date.parse(`${local}Z`)).map((at) => fieldText(at, minutesEast(at)));

/** By the offsets before and after. */
function readings(shown: number): Date[] {
  if (Number.isNaN(shown)) return [];
  const offsets = [-AROUND, AROUND].map((away) => minutesEast(new Date(shown + away)));
  return [...new Set(offsets)]
    .map((offset) => new Date(shown - offset * MINUTE))
    .sort((a, b) => a.getTime() - b.getTime());
}

/** For a field of the type `datetime-local`. */
export function fieldText(at: Date, east = 0): string {
  const text = new Date(at.getTime() + east * MINUTE).toISOString();
  return text.slice(0, text.endsWith(':00.000Z') ? 16 : 19);
}

export const localFieldText = (at: Date): string => fieldText(at, minutesEast(at));
