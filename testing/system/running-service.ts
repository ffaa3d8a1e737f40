import { afterAll, beforeAll, inject } from 'vitest';
import { newDataDir } from '../database/embedded.ts';
import type { ServiceProcess } from './service-process.ts';
import { startForTests } from './start-for-tests.ts';

export function useRunningService(settings: Record<string, string> = {}): { readonly url: string } {
  let service: ServiceProcess | undefined;
  beforeAll(async () => {
    service = await startForTests(await newDataDir(), settings);
  });
  afterAll(() => service?.stop());
  return {
    get url() {
      return service!.url;
    },
  };
}

/** Each file has its own accounts. */
export function useSharedService(): { readonly url: string } {
  let url = '';
  beforeAll(async () => {
    const answer = await fetch(inject('sharedService'));
    url = await answer.text();
    if (!answer.ok) throw new Error(url);
  });
  return {
    get url() {
      return url;
    },
  };
}
