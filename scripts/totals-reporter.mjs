import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/**
 * Counts the tests, names the failures, and writes both to the file in TEST_TOTALS. An error outside a test counts as a failed
 * test.
 */
export default class TotalsReporter {
  onInit() {
    // The parent process has ended: end this one too.
    process.stdin.once('end', () => process.kill(process.pid, 'SIGTERM')).resume();
    process.stdin.unref?.();
  }

  /** Prints each failure when its file ends, and the reason of a first failure, which vitest prints nowhere else. */
  onTestModuleEnd(module) {
    for (const test of module.children.allTests()) {
      const [error] = test.result().errors ?? [];
      if (!error) continue;
      // For two lists the message gives only their lengths; the diff shows the contents.
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
      /** passed only at the second try (`--retry`) */
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
        // `pending`: the process ended before the test's turn.
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

/** One line for each failure, because vitest's full report is among thousands of lines. */
function line(where, errors) {
  const message = String(errors[0]?.message ?? 'no reason given').split('\n', 1)[0];
  return `${where}: ${message.slice(0, 300)}`;
}
