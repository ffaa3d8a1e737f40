// Runs without a database.
import { describe, expect, it } from 'vitest';
import { ARCHIVE_FORMAT, parseManifest } from '../../src/admin/archive/tables.ts';
import { AdminError, adminOf, EXIT, explain } from '../../src/admin/context.ts';
import { ChainUnavailable } from '../../src/chain/port.ts';

/** Colors, reverses and hides text, and starts a line that looks like the program's own output. */
const HOSTILE = 'a\u001b[2J\u202eb\u{e0041}\u200b\nsvc-admin: all is well';
const SHOWN = 'a\\u001b[2J\\u202eb\\u{e0041}\\u200b\\u000asvc-admin: all is well';

describe('untrusted words in an operator’s terminal', () => {
  it.each([[[HOSTILE, 'etch']], [[{ toString: HOSTILE }]]])(
    'rejects them as table names of an archive: %j',
    (tables) => {
      const text = JSON.stringify({ format: ARCHIVE_FORMAT, schema_version: 1, tables });
      expect(() => parseManifest(text)).toThrow(`this is no archive of the format ${ARCHIVE_FORMAT}`);
    },
  );

  it('shows invisible characters by number and keeps the lines of a message', () => {
    const { text } = explain(new AdminError(EXIT.input, 'tables:\n\u001b[2J\u202e'));
    expect(text).toBe('tables:\n\\u001b[2J\\u202e');
  });

  it('shows invisible characters of a node’s or an error’s words by number', () => {
    expect(explain(new ChainUnavailable(HOSTILE)).text).toBe(
      `the chain (CHAIN_RPC_URL) does not answer: ${SHOWN}`,
    );
    expect(explain(new Error(HOSTILE))).toEqual({ text: SHOWN, code: EXIT.defect });
  });

  it('shows invisible characters by number in each line of a result', () => {
    let out = '';
    const context = { out: (text: string) => void (out += text) } as Parameters<typeof adminOf>[0];
    adminOf(context, () => false).print({}, ['first', HOSTILE]);
    expect(out).toBe(`first\n${SHOWN}\n`);
  });
});
