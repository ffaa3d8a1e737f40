import { writeFileSync } from 'node:fs';

/** Counts what ran and writes it to the file named by TEST_TOTALS. What broke outside of a test counts as a failed one. */
export default class TotalsReporter {
  onInit() {
    // The process that wants the totals is gone, and nobody is left to end this one.
    process.stdin.once('end', () => process.kill(process.pid, 'SIGTERM')).resume();
    process.stdin.unref?.();
  }

  onTestRunEnd(modules, unhandledErrors, reason) {
    const totals = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      let failedHere = module.errors().length;
      for (const suite of module.children.allSuites()) failedHere += suite.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') totals.passed++;
        else if (state === 'skipped') totals.skipped++;
        // `pending`: its turn never came, for the process that ran it is gone.
        else failedHere++;
      }
      if (failedHere === 0 && !module.ok()) failedHere = 1;
      totals.failed += failedHere;
    }
    if (reason !== 'passed' && totals.failed === 0) totals.failed = 1;
    writeFileSync(process.env.TEST_TOTALS, JSON.stringify(totals));
  }
}
