import { COMMON } from './common.ts';
import { HOOKS } from './hooks.ts';
import { IN_PRODUCTION } from './in-production.ts';
import { RARE } from './rare.ts';
import type { Setting } from './setting.ts';

/** Headings in docs/operating/settings.md and `.env.example`. */
export const GROUPS = [
  ['Required in production', IN_PRODUCTION],
  ['Common', COMMON],
  ['Rare', RARE],
] as const;

/** scripts/settings-docs.mjs writes both documents from this list. */
export const SETTINGS = { ...IN_PRODUCTION, ...COMMON, ...RARE };

export const READ = { ...SETTINGS, ...HOOKS };

export type SettingName = keyof typeof SETTINGS;
export type Settings = {
  [Name in keyof typeof READ]: (typeof READ)[Name] extends Setting<infer T> ? T : never;
};
