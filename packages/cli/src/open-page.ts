import { type Context, say, type Shown } from './context.ts';
import { spawn } from 'node:child_process';

export async function showPage(
  { href }: URL,
  { json }: { json: boolean },
  context: Context,
): Promise<Shown | void> {
  const opener = openerOf(process.platform, context.env);
  const opened = opener !== undefined && (await starts(opener, href));
  if (opened) say(context, `opened ${href}`);
  if (!opened || json) return { value: { url: href, opened }, words: [href] };
}

/** Runs without a shell. */
type Opener = readonly [program: string, ...args: string[]];

export function openerOf(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): Opener | undefined {
  if (env['BROWSER']) return [env['BROWSER']];
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open'] : undefined;
}

function starts([program, ...args]: Opener, url: string): Promise<boolean> {
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
