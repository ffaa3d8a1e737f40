import { ensureFromDebian } from './debian.mjs';

export const ensureNginx = () =>
  ensureFromDebian('nginx', {
    program: 'usr/sbin/nginx',
    version: '-v',
    why: 'This run puts processes behind nginx',
  });
