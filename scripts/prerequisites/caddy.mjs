import { ensureFromDebian } from './debian.mjs';

/** @throws SetupError */
export const ensureCaddy = () =>
  ensureFromDebian('caddy', {
    program: 'usr/bin/caddy',
    version: 'version',
    why: 'This run serves https by Caddy',
  });
