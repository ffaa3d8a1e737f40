import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Whole systems that take longest, by name: what begins last should end soon. */
const LONGEST = [
  'failpoints',
  'kill',
  'story',
  'audit-command',
  'own-pages',
  'pages',
  'admin',
  'replicas',
  'receipts',
  'documents',
];

/**
 * Files of a project follow one another, so that a process can take one after the other (`isolate: false`). Whole systems,
 * which mostly wait, are spread among files that mostly compute.
 */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const names = [...new Set(sorted.map(({ project }) => project.name))];
    const of = (name: string) => sorted.filter(({ project }) => project.name === name);
    const place = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return at < 0 ? LONGEST.length : at;
    };
    const systems = of('e2e').sort((a, b) => place(a) - place(b));
    const others = names.filter((name) => name !== 'e2e').flatMap(of);
    const every = Math.max(1, Math.floor(others.length / (systems.length + 1)));
    const order: TestSpecification[] = [];
    for (let at = 0; at < others.length; at += every)
      order.push(...systems.splice(0, 1), ...others.slice(at, at + every));
    return [...order, ...systems];
  }
}
