import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { withProfile } from './profile.ts';
import { createMcpServer, VERSION } from './server.ts';
import { readSettings } from './settings.ts';

/** Serves the tools over standard input and output until the input ends. @returns the exit status of a failed start */
export async function main(env: NodeJS.ProcessEnv, args: readonly string[] = []): Promise<number> {
  if (args.includes('--version')) {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  try {
    await createMcpServer(withProfile(readSettings(env), env)).connect(new StdioServerTransport());
    return 0;
  } catch (error) {
    process.stderr.write(`svc-mcp: ${(error as Error).message}\n`);
    return 64;
  }
}
