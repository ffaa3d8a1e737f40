import { describe, test } from 'vitest';
import { AT_A_SERVICE } from '../testing/sessions/at-a-service.ts';
import { IN_A_CLONE } from '../testing/sessions/in-a-clone.ts';
import { inClone, useSharedServices } from '../testing/sessions/paste.ts';

// What the documents tell a newcomer to paste is pasted here, as it stands. As it is for whoever has installed the packages, and on
// another Node.js: sessions.soak.test.ts.
useSharedServices();

describe.concurrent('what is pasted', () => {
  test.each(Object.entries({ ...AT_A_SERVICE, ...IN_A_CLONE }))('%s', (_, paste) => paste(inClone()));
});
