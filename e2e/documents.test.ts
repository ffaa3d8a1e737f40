import { describe, test } from 'vitest';
import { AT_FULL_COUNT } from '../testing/rounds.ts';
import { AT_A_SERVICE } from '../testing/sessions/at-a-service.ts';
import { IN_A_CLONE } from '../testing/sessions/in-a-clone.ts';
import { inClone, useSharedServices } from '../testing/sessions/paste.ts';

// What the documents tell a newcomer to paste is pasted here, as it stands. As it is for whoever has installed the packages, and on
// another Node.js: sessions.soak.test.ts.
useSharedServices();

/**
 * Where everybody begins: to try it, to use it over HTTP, to run it, to run it on a public chain. That the commands of every page are
 * commands: docs/test/commands.test.ts; that they do what is said of them: packages/cli/test.
 */
const FIRST = [
  "the README's whole session works as pasted, the end with the service stopped",
  'the walkthrough works as pasted',
  'the quickstart for operators works as pasted, on a PostgreSQL',
  'the steps to a public chain lead to an etch on it',
];
const PAGES = Object.entries({ ...AT_A_SERVICE, ...IN_A_CLONE });

describe.concurrent('what is pasted', () => {
  test.each(PAGES.filter(([name]) => AT_FULL_COUNT || FIRST.includes(name)))('%s', (_, paste) =>
    paste(inClone()),
  );
});
