import { LOG_KEY, parseVerifierKey, TlogError, type VerifierKey } from './note.ts';

export interface NamedKey {
  key: VerifierKey;
  url: string | null;
}

export interface PolicyWitness extends NamedKey {
  name: string;
}

interface Group {
  needs: number;
  members: string[];
}

/** C2SP tlog-policy. */
export interface Policy {
  logs: NamedKey[];
  witnesses: PolicyWitness[];
  groups: ReadonlyMap<string, Group>;
  /** a witness, a group or `none` */
  quorum: string;
}

const MOST_LINES = 1_000;

/**
 * @throws {TlogError} naming the line
 * @example
 * parsePolicy('quorum none\n').quorum; // 'none'
 */
export function parsePolicy(text: string): Policy {
  const reader = new PolicyReader();
  const lines = text.split('\n');
  if (lines.length > MOST_LINES) throw new TlogError(`a policy has at most ${MOST_LINES} lines`);
  for (const [at, line] of lines.entries()) {
    // eslint-disable-next-line no-control-regex
    if (/[\0-\x08\x0b-\x1f\x7f]/.test(line))
      throw new TlogError(`line ${at + 1} of the policy has a control character`);
    const words = line.split(/[ \t]+/).filter((word) => word !== '');
    if (words.length === 0 || words[0]!.startsWith('#')) continue;
    try {
      reader.add(words);
    } catch (error) {
      if (!(error instanceof TlogError)) throw error;
      throw new TlogError(`line ${at + 1} of the policy: ${error.message}`);
    }
  }
  return reader.policy();
}

class PolicyReader {
  readonly #logs: NamedKey[] = [];
  readonly #witnesses: PolicyWitness[] = [];
  readonly #groups = new Map<string, Group>();
  readonly #members = new Set<string>();
  #quorum: string | undefined;

  add([kind, ...words]: string[]): void {
    if (kind === 'log' && (words.length === 1 || words.length === 2)) return this.#log(words[0]!, words[1]);
    if (kind === 'witness' && (words.length === 2 || words.length === 3))
      return this.#witness(words[0]!, words[1]!, words[2]);
    if (kind === 'group' && words.length >= 3) return this.#group(words[0]!, words[1]!, words.slice(2));
    if (kind === 'quorum' && words.length === 1) return this.#setQuorum(words[0]!);
    throw new TlogError('it is none of: log, witness, group, quorum');
  }

  policy(): Policy {
    if (this.#quorum === undefined) throw new TlogError('the policy has no quorum line');
    return { logs: this.#logs, witnesses: this.#witnesses, groups: this.#groups, quorum: this.#quorum };
  }

  #log(text: string, url: string | undefined): void {
    const key = parseVerifierKey(text);
    if (key.type !== LOG_KEY) throw new TlogError('the key is not that of a log (type 1)');
    if (this.#logs.some((one) => one.key.publicKey === key.publicKey))
      throw new TlogError('the log is named twice');
    this.#logs.push({ key, url: checkedUrl(url) });
  }

  #witness(name: string, text: string, url: string | undefined): void {
    const key = parseVerifierKey(text);
    if (key.type === LOG_KEY) throw new TlogError('the key must be the key of a witness (type 4 or 6)');
    if (this.#witnesses.some((one) => one.key.publicKey === key.publicKey))
      throw new TlogError('the witness is named twice');
    this.#define(name);
    this.#witnesses.push({ name, key, url: checkedUrl(url) });
  }

  #group(name: string, needs: string, members: string[]): void {
    const count = needs === 'all' ? members.length : needs === 'any' ? 1 : Number(needs);
    if (!/^(?:all|any|[1-9]\d*)$/.test(needs) || count > members.length)
      throw new TlogError('a group needs all, any, or a number of its members');
    for (const member of members) {
      if (!this.#isDefined(member)) throw new TlogError(`${member} is not defined above`);
      if (this.#members.has(member)) throw new TlogError(`${member} is a member twice`);
      this.#members.add(member);
    }
    this.#define(name);
    this.#groups.set(name, { needs: count, members });
  }

  #setQuorum(name: string): void {
    if (this.#quorum !== undefined) throw new TlogError('a policy has one quorum line');
    if (name !== 'none' && !this.#isDefined(name)) throw new TlogError(`${name} is not defined above`);
    this.#quorum = name;
  }

  #define(name: string): void {
    if (name === 'none' || this.#isDefined(name)) throw new TlogError(`the name ${name} is taken`);
  }

  #isDefined(name: string): boolean {
    return this.#groups.has(name) || this.#witnesses.some((one) => one.name === name);
  }
}

function checkedUrl(url: string | undefined): string | null {
  if (url === undefined) return null;
  if (!/^https?:\/\/[^\s?#]+$/.test(url)) throw new TlogError('the URL is not http or https');
  return url.replace(/\/+$/, '');
}

/**
 * When the quorum had cosigned, in seconds since 1970; 0 for `quorum none`.
 * @param times of valid cosignatures, by the policy's name of the witness
 * @example
 * quorumTime(parsePolicy('quorum none\n'), new Map()); // 0
 */
export function quorumTime({ quorum, groups }: Policy, times: ReadonlyMap<string, number>): number | null {
  const timeOf = (name: string): number => {
    const group = groups.get(name);
    if (group === undefined) return times.get(name) ?? Infinity;
    return group.members.map(timeOf).toSorted((a, b) => a - b)[group.needs - 1]!;
  };
  const time = quorum === 'none' ? 0 : timeOf(quorum);
  return time === Infinity ? null : time;
}
