import type { Config } from '../../settings/config.ts';
import { OTS } from './ots.ts';
import { TIMESTAMPS } from './timestamps.ts';

export const witnessKinds = ({ tsaCertificates, otsCalendars }: Config): string[] => [
  ...(tsaCertificates === undefined ? [] : [TIMESTAMPS]),
  ...(otsCalendars === undefined ? [] : [OTS]),
];
