import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/**
 * `lie`: a block without the commitment; `future`: an unknown attestation; `wide`: more than half of the operations
 * that a file may have.
 */
export type CalendarFault =
  | ('none' | 'dead' | 'slow' | 'error' | 'huge' | 'malformed' | 'endless' | 'deep' | 'lie' | 'future')
  | ('wide' | 'nothing but blocks' | 'another digest' | 'another calendar');

type Block = { height: number; header: string };

export interface Calendar {
  url: string;
  bitcoinRpc: string;
  fail: (fault: CalendarFault) => Promise<void>;
  mine: (time: number) => Promise<Block[]>;
  seen: () => Promise<number>;
  stop: () => Promise<void>;
}

export async function startCalendar(): Promise<Calendar> {
  const child = fork(join(import.meta.dirname, 'calendar.mjs'), { stdio: 'inherit', execArgv: [] });
  const [url] = (await once(child, 'message')) as [string];
  const control = async (wanted: object): Promise<{ mined: Block[]; seen: number }> =>
    (await fetch(`${url}/control`, { method: 'POST', body: JSON.stringify(wanted) })).json() as never;
  return {
    url,
    bitcoinRpc: `${url}/bitcoin`,
    fail: async (fault) => void (await control({ fault })),
    mine: async (time) => (await control({ mine: time })).mined,
    seen: async () => (await control({})).seen,
    stop: async () => {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}
