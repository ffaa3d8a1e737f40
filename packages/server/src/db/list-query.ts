// A query whose rows arrive as lists, which is faster than objects for short reads.
import pg from 'pg';
import { type Row, toRows } from './parameters.ts';

interface Column {
  name: string;
  dataTypeID: number;
  format: 'text' | 'binary';
}

interface Answer {
  fields: Column[];
  rows: unknown[][];
  _parsers: ((text: string) => unknown)[];
  _types: pg.CustomTypesConfig;
}

/** Rows as lists: the driver's template object takes a tenth of the time of a short read. */
class ListQuery extends pg.Query<unknown[]> {
  declare _result: Answer;
  declare _accumulateRows: boolean;

  handleRowDescription({ fields }: { fields: Column[] }): void {
    this._result.fields = fields;
    this._result._parsers = fields.map(
      ({ dataTypeID, format }) =>
        this._result._types.getTypeParser(dataTypeID, format) as (text: string) => unknown,
    );
    this._accumulateRows = true;
  }
}

export function queryRows(
  client: pg.ClientBase,
  statement: { name?: string; text: string; values: (string | null)[] },
): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const answered = (error: Error | null, answer?: Answer): void => {
      if (error) return reject(error);
      if (!answer || Array.isArray(answer)) return reject(new TypeError('one statement at a time'));
      const { fields, rows } = answer;
      resolve(
        toRows(
          fields.map(({ name }) => name),
          rows,
        ),
      );
    };
    const asked: pg.QueryArrayConfig = { ...statement, rowMode: 'array' };
    client.query(new ListQuery(asked, answered as never));
  });
}
