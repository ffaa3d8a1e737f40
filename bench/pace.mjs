// Creates while a tree is anchored every second.
import { creations } from './create.mjs';
import { allAnchored, backlog, startGround, within } from './support/processes.mjs';
import { milliseconds, note, rate, ratio, table } from './support/report.mjs';

export const run = ({ seconds = 20 } = {}) =>
  within(async (use) => {
    const settings = { ANCHOR_INTERVAL_SECONDS: '1' };
    const ground = await startGround(use, { settings, watched: true, agents: 32 });
    const waiting = async () => (await backlog(ground.client)).waiting;
    const results = await creations(ground, seconds, waiting, () => allAnchored(ground.client));
    table(
      'POST /etches on PostgreSQL while a tree is anchored every second',
      ['connections', 'service', 'p50', 'p99', 'p99 of p50', 'longest stall', 'not anchored at its end'],
      results.map(({ connections, perSecond, p50, p99, stall, after }) => [
        ...[connections, rate(perSecond), milliseconds(p50), milliseconds(p99), ratio(p99 / p50)],
        ...[milliseconds(stall), after],
      ]),
    );
    note('Aim: p99 at most 3 times p50 at 64 connections, and no stall over 20 ms.');
  });
