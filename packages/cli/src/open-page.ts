import { answer, type Context, say, type ServiceOptions } from './context.ts';
import { spawn } from 'node:child_process';

export async function showPage(
  url: URL,
  options: ServiceOptions,
  context: Context,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  const opener = openerOf(platform, context.env);
  const opened = opener !== undefined && (await starts(opener, url.href));
  if (opened) say(context, `opened ${url.href}`);
  if (!opened || options.json) answer(context, options, { url: url.href, opened }, [url.href]);
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
