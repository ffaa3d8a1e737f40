// Forecasts with known results. Everything is derived from names.
import { seeded, seededUuid } from './rules.mjs';

const DAY = 86_400_000;
const BEGIN = Date.parse('2026-01-01T00:00:00.000Z');
const CREATORS = ['asker_one', 'asker_two', 'asker_three'];
const time = (ms) => new Date(ms).toISOString();

const chance = (name) => seeded(`planted ${name}`).readUInt32BE(0) / 2 ** 32;
const pick = (list, name) => list[Math.floor(chance(name) * list.length)];
const millionths = (value) => (value / 1e6).toFixed(6).replace(/\.?0+$/, '');

const KINDS = [
  { suffix: '[yes|no]', outcomes: ['yes', 'no'] },
  { suffix: '[red|green|blue]', outcomes: ['red', 'green', 'blue'] },
  { suffix: '[number: mm]', outcomes: null },
];
const FATES = [
  'resolved',
  'resolved',
  'corrected',
  'resolved',
  'void',
  'resolved',
  'unresolved',
  'tied',
  'resolved',
  'taken back',
];

/** @returns the records, the challenges, and for each account the known counts by state */
export function planted(accounts, each) {
  const names = Array.from({ length: accounts }, (_, at) => `account_${at}`);
  const records = new Map([...names, ...CREATORS].map((name) => [name, []]));
  const expected = new Map(names.map((name) => [name, {}]));
  const count = (name, what) => {
    const counts = expected.get(name);
    counts[what] = (counts[what] ?? 0) + 1;
  };
  const add = (username, name, parts) => {
    const etch = {
      id: seededUuid(name),
      status: 'revealed',
      mode: 'instant',
      description: 'Planted',
      content: null,
      created_at: null,
      author: { user_id: seededUuid(`user ${username}`), username },
      challenge: null,
      chain: { anchored_at: null },
      ...parts,
    };
    records.get(username).push(etch);
    return etch;
  };
  const at = (created, seconds = 4) => ({
    created_at: time(created),
    chain: { anchored_at: time(Math.ceil(created / 1000) * 1000 + seconds * 1000) },
  });

  const inChallenges = Math.floor((each * 4) / 5);
  const challenges = Array.from({ length: inChallenges }, (_, number) => {
    const creator = CREATORS[number % CREATORS.length];
    const kind = KINDS[number % 4 > 1 ? (number % 4) - 1 : 0];
    const closes = BEGIN + (number + 1) * DAY + 123;
    const id = seededUuid(`challenge ${number}`);
    const challenge = {
      id,
      question: `Planted ${number}? ${kind.suffix}`,
      creator_id: seededUuid(`user ${creator}`),
      reveal_at: time(closes),
    };
    const fate = FATES[number % FATES.length];
    const value = (name) =>
      kind.outcomes === null ? (chance(name) * 40 - 10).toFixed(1) : pick(kind.outcomes, name);
    const truth = value(`truth ${number}`);
    const words = (outcome) => `svc-resolution:v1 ${id} ${outcome} https://example.org/${number}`;
    const description = `svc-resolution:v1 ${id}`;
    const resolve = (name, outcome, after, more = {}) =>
      add(creator, `resolution ${number} ${name}`, {
        content: words(outcome),
        description,
        ...at(closes + after),
        ...more,
      });
    const gone = (name, after, more = {}) =>
      resolve(name, '', after, { content: null, created_at: null, status: 'retracted', ...more });
    // None of these counts: by another account, without the description, too early, or for a different
    // question.
    add(CREATORS[(number + 1) % 3], `foreign ${number}`, {
      content: words(truth),
      description,
      ...at(closes + 1000),
    });
    resolve('undescribed', value(`undescribed ${number}`), 2_000, { description: 'Planted' });
    resolve('early', value(`early ${number}`), -3_600_000);
    resolve('odd', 'never', 5_000);
    // None of these removes a resolution.
    gone('other', 7_000, { description: 'Planted' });
    gone('other taken down', 8_000, { description: 'Planted', retracted_by: 'operator' });
    if (number % 3 === 0) gone('taken down', 9_000, { retracted_by: 'operator' });
    if (fate === 'taken back') gone('gone', 10_000);
    const ids = ['a', 'b'].map((one) => seededUuid(`resolution ${number} tie ${one}`));
    if (fate === 'tied') {
      // In one block and one millisecond the lower id counts.
      for (const [index, one] of ['a', 'b'].entries())
        resolve(`tie ${one}`, ids[index] < ids[1 - index] ? truth : value(`other ${number}`), 60_000);
    } else if (fate === 'void') resolve('void', 'void', 60_000);
    else if (fate !== 'unresolved') resolve('first', truth, 60_000);
    if (fate === 'corrected') resolve('second', value(`later ${number}`), 120_000);
    return { challenge, kind, fate, truth, closes };
  });

  for (const [index, name] of names.entries()) {
    for (const [number, { challenge, kind, fate, closes }] of challenges.entries()) {
      const label = `${name} ${number}`;
      const dice = chance(`dice ${label}`);
      const answer = (parts) =>
        add(name, `answer ${label}`, { mode: 'delayed', challenge: { id: challenge.id }, ...parts });
      const good = { content: forecastOf(kind, label), ...at(closes - 3_600_000 - (index + 1) * 1000) };
      if (dice < 0.02) {
        answer({ status: 'retracted', chain: good.chain });
        count(name, 'retracted');
        count(name, 'retractions');
      } else if (dice < 0.04) {
        answer({ ...good, ...at(closes - 1000, 602) });
        count(name, 'late');
      } else if (dice < 0.06) {
        answer({ ...good, content: pick(MALFORMED, label) });
        count(name, 'malformed');
      } else if (dice < 0.07) {
        answer({ ...good, chain: { anchored_at: null } });
        count(name, 'pending');
      } else if (dice < 0.09) {
        answer({ status: 'retracted', retracted_by: 'operator', chain: good.chain });
        count(name, 'taken_down');
        count(name, 'takedowns');
      } else {
        answer(good);
        const blocked = fate === 'unresolved' || fate === 'taken back';
        count(name, blocked ? 'unresolved' : fate === 'void' ? 'void' : 'scored');
      }
    }
    plantAlone(name, each - inChallenges);
  }

  function plantAlone(name, many) {
    for (let number = 0; number < many; number++) {
      const label = `${name} alone ${number}`;
      const made = BEGIN + number * DAY;
      const kind = pick(KINDS, `kind ${label}`);
      const etch = add(name, label, { content: forecastOf(kind, label), ...at(made) });
      const outcome = kind.outcomes === null ? '12.5' : pick(kind.outcomes, label);
      const fits =
        kind.outcomes === null || kind.outcomes[0] === 'yes' || named(etch.content).includes(outcome);
      const dice = chance(`dice ${label}`);
      const resolve = (what, after, more = {}) =>
        add(name, `resolution ${label} ${what}`, {
          content: `svc-resolution:v1 ${etch.id} ${outcome} my own eyes`,
          description: `svc-resolution:v1 ${etch.id}`,
          ...at(made + after),
          ...more,
        });
      if (dice < 0.2) count(name, 'unresolved');
      else if (dice < 0.3) {
        // The description of a resolution stays public when its words are erased.
        resolve('gone', DAY / 2, { content: null, created_at: null, status: 'retracted' });
        count(name, 'retractions');
        resolve('again', DAY);
        count(name, 'unresolved');
      } else if (dice < 0.4) {
        Object.assign(etch, { status: 'sealed', mode: 'delayed', content: null, created_at: null });
        count(name, 'sealed_etches');
      } else {
        resolve('first', DAY);
        count(name, fits ? 'scored' : 'unresolved');
        if (fits) count(name, 'self_resolved');
      }
    }
  }

  return { records, challenges: challenges.map(({ challenge }) => challenge), expected };
}

const MALFORMED = [
  'It will rain.',
  'svc-forecast:v1 yes=0.7 no=0.7',
  'svc-forecast:v1 yes=NaN',
  'svc-forecast:v1 pink=1',
  'svc-forecast:v2 yes=0.5',
];

const named = (content) =>
  content
    .split('\n')[0]
    .split(' ')
    .slice(1)
    .map((part) => part.split('=')[0]);

function forecastOf({ outcomes }, label) {
  // Few different probabilities make large groups of equal ones; some have six decimals.
  const coarse = chance(`coarse ${label}`) < 0.8;
  const draw = (name, most) =>
    coarse ? Math.floor(chance(name) * (most / 50_000 + 1)) * 50_000 : Math.floor(chance(name) * (most + 1));
  if (outcomes === null) {
    const low = Number((chance(`low ${label}`) * 20 - 10).toFixed(1));
    const [middle, high] = [low + chance(`m ${label}`) * 10, low + 10 + chance(`h ${label}`) * 10];
    return `svc-forecast:v1 q10=${low} q50=${middle.toFixed(3)} q90=${high.toFixed(6)}`;
  }
  if (outcomes.length === 2)
    return `svc-forecast:v1 yes=${millionths(draw(`yes ${label}`, 1_000_000))}\nBecause.`;
  const one = draw(`one ${label}`, 1_000_000);
  const two = draw(`two ${label}`, 1_000_000 - one);
  const parts = [one, two, 1_000_000 - one - two];
  return `svc-forecast:v1 ${outcomes.flatMap((name, at) => (parts[at] === 0 && at > 0 ? [] : [`${name}=${millionths(parts[at])}`])).join(' ')}`;
}
