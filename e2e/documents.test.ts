import { describe, test } from 'vitest';
import { AT_FULL_COUNT } from '../testing/rounds.ts';
import { AT_A_SERVICE } from '../testing/sessions/at-a-service.ts';
import { IN_A_CLONE } from '../testing/sessions/in-a-clone.ts';
import { inClone, useSharedServices } from '../testing/sessions/paste.ts';

// sessions.soak.test.ts uses installed packages and a second Node.js.
useSharedServices();

/** The other pages' commands: docs/test/commands.test.ts and packages/cli/test. */
const FIRST = "the README's whole session works as pasted, the end with the service stopped";
const PAGES = Object.entries({ ...AT_A_SERVICE, ...IN_A_CLONE });

describe.concurrent('the sessions of the docs', () => {
  test.each(PAGES.filter(([name]) => AT_FULL_COUNT || name === FIRST))('%s', (_, paste) => paste(inClone()));
});
