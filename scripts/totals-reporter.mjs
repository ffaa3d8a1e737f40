import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/**
 * Counts what ran, names what failed, and writes both to the file named by TEST_TOTALS. What broke outside of a test counts
 * as a failed one.
 */
export default class TotalsReporter {
  onInit() {
    // The process that wants the totals is gone, and nobody is left to end this one.
    process.stdin.once('end', () => process.kill(process.pid, 'SIGTERM')).resume();
    process.stdin.unref?.();
  }

  /** In a run of an hour nobody waits for its end to learn what is wrong; and why a first try failed is said nowhere else. */
  onTestModuleEnd(module) {
    for (const test of module.children.allTests()) {
      const [error] = test.result().errors ?? [];
      if (!error) continue;
      // A message of two lists says how many there are; what they hold is in the difference.
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
      /** passed at the second try alone (`--retry`) */
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
        // `pending`: its turn never came, for the process that ran it is gone.
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

/** One line for each failure: what vitest prints in full stands among thousands of lines by then. */
function line(where, errors) {
  const message = String(errors[0]?.message ?? 'no reason given').split('\n', 1)[0];
  return `${where}: ${message.slice(0, 300)}`;
}
