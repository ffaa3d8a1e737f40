import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, by name: what begins last should end soon. */
const LONGEST = [
  'kill',
  'failpoints',
  'page-story.soak',
  'fuzz',
  'sessions.soak',
  'image.soak',
  'first-session',
  'pages',
  'audit-command',
  'story',
  'altered-receipts',
  'own-pages',
  'checks-in-browser',
  'blind-seals',
  'live',
  'admin',
  'start',
  'replicas',
  'documents',
  'clocks',
  'lying-rpc',
  'packages',
  'receipts',
  'verify-service',
  'verify-file',
  'stdio',
  'service',
  'files',
  'agents-alone',
  'templates',
  'restore',
  'normal',
  'forgotten-retractions',
  'older-database',
  'devnet-recovery',
  'embedded-thread',
  'forecasts',
  'forecast-story',
  'processes',
  'failover',
  'audit-resumed',
  'timestamps',
];

/** Files of a project follow one another, so that a process can take one after the other (`isolate: false`). */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return at < 0 ? LONGEST.length : at;
    };
    return [...new Set(sorted.map(({ project }) => project.name))].flatMap((name) =>
      sorted.filter(({ project }) => project.name === name).sort((a, b) => place(a) - place(b)),
    );
  }
}
