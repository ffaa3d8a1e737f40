import type { Result } from '../verdict-words.ts';
import type { JudgeOptions } from './judge-entry.ts';

export interface FileRow {
  round: string;
  model: string;
  file: string;
  state: string;
  result: Result;
  /** proven by the attestation of `etch`; null: no time is proven */
  time: string | null;
  proof: string | null;
  /** seconds after the window, or before it */
  seconds: number;
  account: string | null;
  etch: string | null;
  detail: string;
}

export interface CheckOptions extends JudgeOptions {
  round?: string;
  model?: string;
  record: 'audit' | 'index' | 'none';
  policy?: string;
  indexWitness: string[];
  parallel: number;
}
