import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { newFolder } from '../machine/folder.ts';
import { startServer } from '../machine/server.ts';
import type { ServiceProcess } from './service-process.ts';
import { startForTests } from './start-for-tests.ts';

declare module 'vitest' {
  interface ProvidedContext {
    sharedService: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let service: Promise<ServiceProcess> | undefined;
  const start = async () => {
    const dataDir = join(newFolder('shared'), 'data');
    const { embeddedDatabase } = project.getProvidedContext();
    await cp(embeddedDatabase, join(dataDir, 'database'), { recursive: true });
    // packages/mcp/test/endpoint.test.ts tests pages of this origin.
    return startForTests(dataDir, { MCP_ORIGINS: 'https://app.example' });
  };
  const door = await startServer((_, response) => {
    (service ??= start()).then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  project.provide('sharedService', door.url);
  return async () => {
    await door.stop();
    await (await service)?.stop();
  };
}
