import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { escapeInvisibleInLine } from '@svc/protocol';
import { useProxies } from '@svc/cli/local-state';
import { withProfile } from './profile.ts';
import { createMcpServer, VERSION } from './server.ts';
import { readSettings, readToolsets, TOOLSETS } from './settings.ts';

const USAGE = `usage: svc-mcp [--toolsets <names>]

Serves the tools of a commitment service over standard input and output. Settings are environment variables: SVC_BASE_URL,
SVC_API_KEY, SVC_SECRET_KEY, SVC_RPC_URL and others.

  --toolsets <names>   serve only these tools: ${TOOLSETS.join(', ')}, comma-separated
  --version            print the version
  --help               print this`;

/** @returns the exit status of a failed start */
export async function main(env: NodeJS.ProcessEnv, args: readonly string[] = []): Promise<number> {
  const [argument] = args;
  if (argument === '--version') {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  if (argument === '--help' || argument === '-h') {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const [, inline] = /^--toolsets=(.*)$/s.exec(argument ?? '') ?? [];
  const isChosen = inline !== undefined || (argument === '--toolsets' && args.length === 2);
  if (argument !== undefined && !isChosen) {
    process.stderr.write(`svc-mcp: unknown argument '${escapeInvisibleInLine(argument)}'\n\n${USAGE}\n`);
    return 64;
  }
  try {
    await useProxies(env);
    const toolsets = readToolsets(isChosen ? (inline ?? args[1]) : undefined);
    const settings = withProfile({ ...readSettings(env), toolsets }, env);
    serveStdio(() => createMcpServer(settings));
    return 0;
  } catch (error) {
    process.stderr.write(`svc-mcp: ${escapeInvisibleInLine((error as Error).message)}\n`);
    return 64;
  }
}
