import { COMMON } from './common.ts';
import { HOOKS } from './hooks.ts';
import { IN_PRODUCTION } from './in-production.ts';
import { RARE } from './rare.ts';
import type { Setting } from './setting.ts';

/** Groups of settings with their headings in docs/operating/settings.md and `.env.example`. */
export const GROUPS = [
  ['Required in production', IN_PRODUCTION],
  ['Common', COMMON],
  ['Rare', RARE],
] as const;

/** The tables also generate `.env.example` and docs/operating/settings.md (scripts/settings-docs.mjs). */
export const SETTINGS = { ...IN_PRODUCTION, ...COMMON, ...RARE };

/** Everything that is read from the environment. */
export const READ = { ...SETTINGS, ...HOOKS };

export type SettingName = keyof typeof SETTINGS;
export type Settings = {
  [Name in keyof typeof READ]: (typeof READ)[Name] extends Setting<infer T> ? T : never;
};
