import { readClockMark, readDatabaseTime } from '../../db/clock.ts';
import { type Db, DatabaseUnavailable } from '../../db/db.ts';
import { fail, type Finding, ok, warn } from './finding.ts';

const SYNCHRONIZE = 'synchronize the clocks of both machines (NTP): timedatectl set-ntp true';
const NOTICED_MS = 2_000;
const FAULT_MS = 10_000;

export async function checkClock(db: Db | undefined, own = Date.now): Promise<Finding> {
  if (db === undefined) return ok("the embedded database uses this machine's clock");
  try {
    const before = own();
    const there = await readDatabaseTime(db);
    const ahead = there - (before + own()) / 2;
    const apart = `the database's clock is ${(Math.abs(ahead) / 1000).toFixed(1)} s ${ahead > 0 ? 'ahead of' : 'behind'} this machine's`;
    if (Math.abs(ahead) > FAULT_MS) return fail(apart, SYNCHRONIZE);
    const mark = await readClockMark(db).catch(() => undefined);
    if (mark !== undefined && mark - there > NOTICED_MS)
      return fail(
        `the database's clock is ${Math.round((mark - there) / 1000)} s behind the time that the service used last`,
        `${SYNCHRONIZE}; the service's time waits until then`,
      );
    return Math.abs(ahead) > NOTICED_MS ? warn(apart, SYNCHRONIZE) : ok(apart);
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error;
    return warn('not compared: the database does not answer', 'see the check of the database');
  }
}
