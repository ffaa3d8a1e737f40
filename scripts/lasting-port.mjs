import { randomInt } from 'node:crypto';

/** Below the range from which the system gives ports to outgoing connections, so that it is still free after a kill. */
const FIRST = 20_000;
const LAST = 32_000;

/** A port on which a process can listen again and again, unless somebody else does. */
export const lastingPort = () => randomInt(FIRST, LAST);
