import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createMcpServer } from './server.ts';
import { readSettings } from './settings.ts';

/** Serves the tools over standard input and output until the input ends. @returns the exit status of a failed start */
export async function main(env: NodeJS.ProcessEnv): Promise<number> {
  try {
    await createMcpServer(readSettings(env)).connect(new StdioServerTransport());
    return 0;
  } catch (error) {
    process.stderr.write(`svc-mcp: ${(error as Error).message}\n`);
    return 64;
  }
}
