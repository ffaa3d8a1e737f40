import { dirname } from 'node:path';
import type { Config } from './config.ts';
import type { Environment } from './environment.ts';
import { type SettingName, SETTINGS } from './settings.ts';

export interface SettingInForce {
  name: string;
  /** null if unset. A secret shows only whether it is set, a URL no credentials. */
  value: string | null;
  from: 'environment' | 'file' | 'default';
}

const MASK = '***';

export function settingsInForce(environment: Environment, config: Config): SettingInForce[] {
  const derived = whatFollows(config);
  return Object.entries(SETTINGS).map(([name, setting]): SettingInForce => {
    if (environment[name])
      return { name, value: shown(environment[name], setting.secret), from: 'environment' };
    if (setting.secret && environment[`${name}_FILE`]) return { name, value: MASK, from: 'file' };
    const value = setting.default ?? derived[name as SettingName];
    return { name, value: value === undefined ? null : String(value), from: 'default' };
  });
}

function whatFollows(config: Config): Partial<Record<SettingName, string | number | boolean | undefined>> {
  return {
    BASE_URL: config.baseUrl,
    LEDGER_DIR: dirname(config.erasureLedger),
    ANCHOR_INTERVAL_SECONDS: config.chain.intervalSeconds,
    ANCHOR_CONFIRMATIONS: config.chain.confirmations,
    IDENTITY_EMBEDDED: config.identity.embedded,
  };
}

function shown(text: string, secret: true | undefined): string {
  return secret ? MASK : text.trim().replace(/(\/\/)[^/@\s]*@/g, `$1${MASK}@`);
}
