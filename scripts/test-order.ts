import { BaseSequencer, type TestSpecification } from 'vitest/node';

const PROJECTS = ['e2e', 'server', 'server-pglite', 'server-postgres', 'unit'];

/** A process runs the files of a project one after another (`isolate: false`), the longest or largest first. */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project }: TestSpecification): number => PROJECTS.indexOf(project.name);
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}
