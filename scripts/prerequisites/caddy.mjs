import { ensureFromDebian } from './debian.mjs';

export const ensureCaddy = () =>
  ensureFromDebian('caddy', {
    program: 'usr/bin/caddy',
    version: 'version',
    why: 'This run serves https by Caddy',
  });
