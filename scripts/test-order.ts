import { BaseSequencer, type TestSpecification } from 'vitest/node';

const LONGEST = [
  'witnesses',
  'forecast-story',
  'story',
  'kill',
  'failpoints',
  'fuzz',
  'sessions.soak',
  'image.soak',
  'first-session',
  'pages',
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
  'processes',
  'failover',
  'audit-resumed',
  'timestamps',
];

const PROJECTS = ['e2e', 'server', 'server-pglite', 'server-postgres', 'unit'];

/** A process runs the files of a project one after another (`isolate: false`). */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project, moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return PROJECTS.indexOf(project.name) * (LONGEST.length + 1) + (at < 0 ? LONGEST.length : at);
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}
