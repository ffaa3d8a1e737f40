import { beforeAll } from 'vitest';
import { ends, jsonOf } from '../../../../testing/clients/ends.ts';
import { freshHome } from '../../../../testing/clients/svc.ts';
import { useSharedService } from '../../../../testing/system/running-service.ts';
import { svcHere } from './svc-here.ts';

export interface More {
  env?: Record<string, string>;
  input?: string;
}

/** An account of the shared service, and the commands of its home folder. */
export function useAccount({
  pins = false,
  at = useSharedService(),
}: { pins?: boolean; at?: { url: string } } = {}) {
  const home = freshHome();
  const run = (args: string[], more: More = {}) =>
    svcHere(args, { home, ...more, env: { SVC_BASE_URL: at.url, ...more.env } });
  beforeAll(async () => {
    await ends(run(['register']), 0);
    if (pins) await ends(run(['trust', at.url]), 0);
  });
  return { service: at, home, run, json: (args: string[]) => jsonOf(run([...args, '--json'])) };
}
