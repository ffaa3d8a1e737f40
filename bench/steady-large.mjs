// `steady` with five million etches: takes a quarter of an hour and 10 GB of disk.
import { run as steady } from './steady.mjs';

export const run = () => steady({ sizes: [10_000, 5_000_000] });
