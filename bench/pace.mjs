// Creates while a tree is anchored every second.
import { EACH_SECOND, startGround } from './support/processes.mjs';
import { milliseconds, rate, ratio } from './support/report.mjs';

export const aim = 'p99 at most 3 times p50 at 64 connections, and no stall over 20 ms.';

export async function measure(use) {
  const { create, stalled } = await startGround(use, { settings: EACH_SECOND, watched: true, agents: 32 });
  await create({ connections: 64, seconds: 10 });
  await stalled();
  const { perSecond, p50, p99 } = await create({ connections: 64, seconds: 20 });
  const row = [
    rate(perSecond),
    ...[p50, p99].map(milliseconds),
    ratio(p99 / p50),
    milliseconds(await stalled()),
  ];
  return {
    table: 'POST /etches on PostgreSQL at 64 connections, while a tree is anchored every second',
    head: ['service', 'p50', 'p99', 'p99 of p50', 'longest stall'],
    rows: [row],
  };
}
