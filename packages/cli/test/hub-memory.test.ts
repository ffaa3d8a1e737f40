import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import { runProgram } from '../../../testing/machine/program.ts';
import { useAccount } from './support/account.ts';
import { fileOf, hubOf, ROUND, tasks } from './support/hub.ts';

const { service, home } = useAccount();
const SOAK = process.env['TEST_SOAK'] === '1';
/** With TEST_SOAK=1 the files have 300 MB. The heap has less room than the text of the file needs. */
const [LOCATIONS, HEAP_MB] = SOAK ? [4000, 200] : [160, 64];
const HORIZONS = Array.from({ length: 60 }, (_, at) => at + 1);
const LEVELS = Array.from({ length: 23 }, (_, at) => (at + 1) / 24);
const locations = Array.from({ length: LOCATIONS }, (_, at) => `L${at}`);
const COLUMNS = ['reference_date', 'horizon', 'location', 'output_type', 'output_type_id', 'value'];

/** One level after the other, so that no group of rows is complete before the end. */
const rowsOf = (level: number) =>
  locations.flatMap((location) =>
    HORIZONS.map((one) => [ROUND, one, location, 'quantile', level, level * 1000 + one]),
  );

async function writeCsv(path: string): Promise<void> {
  const file = createWriteStream(path);
  file.write(`${COLUMNS.join()}\n`);
  for (const level of LEVELS) {
    const text = rowsOf(level).map((row) => `${row.join()}\n`);
    if (!file.write(text.join(''))) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}

function writeParquet(path: string): void {
  const columnsOf = (level: number) => {
    const rows = rowsOf(level);
    const types = ['STRING', 'INT32', 'STRING', 'STRING', 'DOUBLE', 'DOUBLE'] as const;
    return COLUMNS.map((name, at) => ({
      name,
      data: rows.map((row) => row[at]),
      type: types[at]!,
      // Plain encoding stores the text of each cell.
      encoding: 'PLAIN' as const,
    }));
  };
  const schema = schemaFromColumnData({ columnData: columnsOf(0) });
  const writer = new ParquetWriter({ writer: fileWriter(path), schema, codec: 'UNCOMPRESSED' });
  for (const level of LEVELS)
    void writer.write({ columnData: columnsOf(level), rowGroupSize: LOCATIONS * HORIZONS.length });
  void writer.finish();
}

test.each([
  ['csv', writeCsv],
  ['parquet', writeParquet],
] as const)('checks a large %s file within a small heap, and shows the progress', async (format, write) => {
  const [round] = tasks().rounds;
  const task = {
    task_ids: {
      reference_date: { required: null, optional: [ROUND] },
      horizon: { required: null, optional: HORIZONS },
      location: { required: null, optional: locations },
    },
    output_type: {
      quantile: { output_type_id: { required: LEVELS }, is_required: true, value: { type: 'double' } },
    },
  };
  const hub = hubOf({}, { tasks: { rounds: [{ ...round, model_tasks: [task] }] } });
  const path = hub.put(fileOf('weir-large', ROUND, format), '');
  await write(path);
  const bin = join(import.meta.dirname, '../bin/svc.mjs');
  const args = [`--max-old-space-size=${HEAP_MB}`, bin, 'hub', 'submit', path];
  const env = { HOME: home, XDG_CONFIG_HOME: home, SVC_BASE_URL: service.url };
  const { status, out, err } = await runProgram(process.execPath, args, { env });
  expect(status, err).toBe(0);
  expect(out).toContain('is etched');
  expect(err).toMatch(/(?:hashed, bytes|rows checked|rows checked, bytes) [\d,]+ of [\d,]+/);
});
