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
    const totals = {
      passed: 0,
      skipped: 0,
      flaky: [],
      failures: unhandledErrors.map((error) => line('outside of a test', [error])),
    };
    for (const module of modules) {
      const file = `${module.project.name} ${module.relativeModuleId}`;
      const here = module.errors().map((error) => line(file, [error]));
      for (const suite of module.children.allSuites())
        here.push(...suite.errors().map((error) => line(`${file} > ${suite.fullName}`, [error])));
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (test.diagnostic()?.flaky) totals.flaky.push(line(`${file} > ${test.fullName}`, errors ?? []));
        if (state === 'passed') totals.passed++;
        else if (state === 'skipped') totals.skipped++;
        // A `pending` test never started.
        else here.push(line(`${file} > ${test.fullName}`, errors ?? [{ message: 'did not end' }]));
      }
      if (here.length === 0 && !module.ok()) here.push(line(file, []));
      totals.failures.push(...here);
    }
    if (reason !== 'passed' && totals.failures.length === 0)
      totals.failures.push(line(`the run ended: ${reason}`, []));
    writeFileSync(process.env.TEST_TOTALS, JSON.stringify(totals));
  }
}

function line(where, errors) {
  const message = String(errors[0]?.message ?? 'no reason given').split('\n', 1)[0];
  return `${where}: ${message.slice(0, 300)}`;
}
