import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/** Writes to TEST_TOTALS. An error outside a test counts as a failed test. */
export default class TotalsReporter {
  onInit() {
    process.stdin.once('end', () => process.kill(process.pid, 'SIGTERM')).resume();
    process.stdin.unref?.();
  }

  /** Prints the reason of a first failure, which vitest does not. */
  onTestModuleEnd(module) {
    for (const test of module.children.allTests()) {
      const [error] = test.result().errors ?? [];
      if (!error) continue;
      // The message contains only the lengths of lists.
      const why = [error.message, error.diff]
        .filter(Boolean)
        .map((text) => stripVTControlCharacters(String(text)).slice(-4_000));
      console.log(`\nfailed once: ${module.relativeModuleId} > ${test.fullName}\n${why.join('\n')}\n`);
    }
  }

  onTestRunEnd(modules, unhandledErrors, reason) {
    const totals = { passed: 0, skipped: 0, flaky: [], failures: [] };
    const { failures, flaky } = totals;
    const fail = (where, error) => failures.push(line(where, error));
    for (const error of unhandledErrors) fail('outside of a test', error);
    for (const module of modules) {
      const file = `${module.project.name} ${module.relativeModuleId}`;
      const before = failures.length;
      for (const error of module.errors()) fail(file, error);
      for (const suite of module.children.allSuites())
        for (const error of suite.errors()) fail(`${file} > ${suite.fullName}`, error);
      for (const test of module.children.allTests()) {
        const { state, errors: [error] = [] } = test.result();
        const where = `${file} > ${test.fullName}`;
        if (test.diagnostic()?.flaky) flaky.push(line(where, error));
        if (state === 'passed') totals.passed++;
        else if (state === 'skipped') totals.skipped++;
        // A `pending` test never started.
        else fail(where, error ?? { message: 'did not end' });
      }
      if (failures.length === before && !module.ok()) fail(file);
    }
    if (reason !== 'passed' && failures.length === 0) fail(`the run ended: ${reason}`);
    writeFileSync(process.env.TEST_TOTALS, JSON.stringify(totals));
  }
}

function line(where, error) {
  const message = String(error?.message ?? 'no reason given').split('\n', 1)[0];
  return `${where}: ${message.slice(0, 300)}`;
}
