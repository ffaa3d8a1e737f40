import { build } from './prerequisites/prepare.mjs';
import { orExplain } from './prerequisites/run.mjs';

await orExplain(build);
