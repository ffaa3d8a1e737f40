import { wholeNumber } from './values.ts';

export interface Setting<T> {
  default: string | undefined;
  meaning: string;
  example?: string;
  /** accepts `<NAME>_FILE` and is never shown */
  secret?: true;
  /** @throws Error that says what is accepted */
  read: (text: string) => T;
}

export const setting = <T>(
  defaultText: string,
  meaning: string,
  read: (value: string) => T,
  example?: string,
): Setting<T> => ({ default: defaultText, meaning, read, ...(example && { example }) });

export const optional = <T>(
  meaning: string,
  read: (value: string) => T,
  example?: string,
): Setting<T | undefined> => ({ default: undefined, meaning, read, ...(example && { example }) });

export const secret = <T>(
  meaning: string,
  read: (value: string) => T,
  example?: string,
): Setting<T | undefined> => ({ ...optional(meaning, read, example), secret: true });

export const limit = (value: number, meaning: string): Setting<number> =>
  setting(String(value), meaning, wholeNumber(0, 1_000_000_000));
