import { INDEX_WITNESS } from '../audit/index-command.ts';
import { choice, type InputOf, otherwise, read, word } from '../command.ts';
import { TRUST } from '../find-trust.ts';
import { count, SERVICE } from '../options.ts';
import { ots } from '../proofs/ots.ts';
import { tsa } from '../proofs/tsa.ts';
import { FORMATS } from './print-rows.ts';

export const CHECKED = {
  ...SERVICE,
  ...TRUST,
  '[folder]': word('a checkout of the hub', '.'),
  '--round <id>': 'only this round',
  '--model <team-model>': 'only this model',
  '--format <name>': otherwise('table', choice(FORMATS, 'of the output')),
  ...tsa.options,
  ...ots.options,
  '--policy <file>':
    'the log and the witnesses that you trust (C2SP tlog-policy), for proofs of the log and for --record index',
  '--parallel <number>': otherwise(4, read(count, 'concurrent requests')),
};

export const RECORD = {
  '--record <how>': otherwise(
    'audit',
    choice(['audit', 'index', 'none'], 'how to prove that the record of each account is whole'),
  ),
  ...INDEX_WITNESS,
  '--changed-since <revision>':
    'only the files that changed since this commit, branch or tag of Git, or whose records did',
};

export type CheckOptions = Omit<InputOf<typeof CHECKED & typeof RECORD>, 'folder' | 'format'>;
