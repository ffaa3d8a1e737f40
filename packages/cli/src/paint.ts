const COLORS = { PASS: 32, AGREES: 32, FAIL: 31, WAIT: 33 } as const;
/** These commands' lines begin with a verdict, never with an author's text. */
const JUDGING: ReadonlySet<string | undefined> = new Set(['verify', 'audit']);

/** https://no-color.org */
export const wantsColors = (
  { NO_COLOR, TERM }: NodeJS.ProcessEnv,
  isTerminal: boolean | undefined,
): boolean => isTerminal === true && !NO_COLOR && TERM !== 'dumb';

export const painter =
  (command: string | undefined) =>
  (text: string): string =>
    JUDGING.has(command)
      ? text.replaceAll(
          /^(PASS|AGREES|FAIL|WAIT)(?=:| {2})/gm,
          (word) => `\u001b[${COLORS[word as keyof typeof COLORS]}m${word}\u001b[39m`,
        )
      : text;
