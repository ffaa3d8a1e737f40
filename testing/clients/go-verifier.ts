import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { newFolder } from '../machine/folder.ts';

export const GO_VERIFIER = join(import.meta.dirname, '../../verifiers/go');
export const HAS_GO = spawnSync('go', ['version']).status === 0;

/** Without a network, as on a machine that has Go alone. */
export const goEnvironment = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=vendor', GOPROXY: 'off' };

/** @returns the path of svc-verify */
export function buildGoVerifier(): string {
  const program = join(newFolder('svc-verify'), 'svc-verify');
  const options = { cwd: GO_VERIFIER, env: goEnvironment, encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync('go', ['build', '-o', program, './cmd/svc-verify'], options);
  if (status !== 0) throw new Error(stderr);
  return program;
}
