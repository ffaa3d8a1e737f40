import { result, warning } from '../../outputs.ts';
import { type Fields, listOf, object, type Schema } from '../../schema.ts';
import { readingTool } from '../../tool.ts';
import { WARNING } from '../../untrusted.ts';
import { username } from '../inputs.ts';

const number: Schema = { type: 'integer' };
const numbers = (...names: string[]): Fields => Object.fromEntries(names.map((name) => [name, number]));
const finding = { type: 'object' };

/** Not over HTTP, where the service would audit itself. */
export const audit = readingTool({
  name: 'audit',
  title: 'Audit a record against the chain',
  description:
    'Checks that the record of an account leaves nothing out: rebuilds every tree on the chain and compares its leaves with the record. ' +
    'result is pass, fail (see faults) or wait (unproven: see unread, trees.unproven and trust.holds_only_if). It can take minutes.',
  input: { username },
  output: object({
    warning,
    result,
    up_to_block: number,
    trees: object({
      ...numbers('attested', 'rebuilt', 'leaves'),
      broken: listOf(finding),
      unproven: listOf(finding),
    }),
    counts: object(numbers('leaves', 'shown', 'sealed', 'retracted', 'taken_down', 'pending')),
    faults: listOf(finding),
    notices: listOf(finding),
    unread: listOf({ type: 'string' }),
    'log?': finding,
    trust: finding,
    untrusted: object({ username: { type: 'string' } }),
  }),
  async run({ username: named }, { settings }, signal) {
    if (settings.keeper === undefined) throw new TypeError('this connection cannot audit: run svc-mcp');
    const { accounts, notices, unread, ...report } = await settings.keeper.audit(named, signal);
    const [account] = accounts;
    return {
      warning: WARNING,
      result: report.result,
      up_to_block: report.up_to_block,
      trees: report.trees,
      counts: account?.counts ?? {},
      faults: account?.faults ?? [],
      notices: notices.map(({ username: _, ...notice }) => notice),
      unread: unread.map(({ detail }) => detail),
      ...(report.log === undefined ? {} : { log: report.log }),
      trust: report.trust,
      untrusted: { username: named },
    };
  },
});
