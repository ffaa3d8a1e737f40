import { at, type Fields, type Misfits } from './misfit.ts';

type Asked = 'params' | 'query' | 'body';

/** Ignores case and the order of lists. A number in a path is a text. */
const plain = (value: unknown): string =>
  Array.isArray(value) ? [...new Set(value.map(String))].sort().join() : String(value).trim().toLowerCase();

/** WHATWG form. */
const urlForm = (value: unknown): string => {
  const text = String(value).trim();
  return URL.canParse(text) ? new URL(text).href : text;
};

/** ASCII form. */
const hostForm = (value: unknown): string => urlForm(`https://${String(value).trim()}`);

/** `<field of the answer> <place in the request>` */
type Echo = `${string} ${Asked}.${string}`;

const ECHOES: Readonly<Record<string, readonly Echo[]>> = {
  getEtch: ['etch.id params.id'],
  findEtchByHash: ['etch.hash query.hash'],
  findByCode: ['etch.code params.code'],
  findChallengeByCode: ['challenge.code params.code'],
  revealEtch: ['etch.id params.id'],
  retractEtch: ['etch.id params.id'],
  verifyEtch: ['id params.id', 'etch.id params.id'],
  getBeacon: ['chain params.chain', 'round params.round'],
  getBatch: ['batch.root params.root'],
  getChallenge: ['challenge.id params.id'],
  scoreChallenge: ['challenge.id params.id'],
  listUserEtches: ['user.username params.username'],
  scoreAccount: ['account.username params.username'],
  updateMe: ['user.display_name body.display_name'],
  createKey: ['key.name body.name', 'key.scope body.scope'],
  revokeKey: ['key.id params.id'],
  follow: ['follow.target_type body.target_type', 'follow.target_id body.target_id'],
  registerAgent: [
    'agent.public_key body.public_key',
    'agent.display_name body.display_name',
    'agent.agent_url body.agent_url',
  ],
  linkOperator: ['agent.public_key body.public_key'],
  unlinkOperator: ['agent.public_key body.public_key'],
  setDomain: ['agent.agent_domain body.domain'],
  createWebhook: ['webhook.url body.url', 'webhook.types body.types'],
  searchEtches: ['query.q query.q', 'page.number query.page'],
  deleteWebhook: ['webhook.id params.id'],
  pauseWebhook: ['webhook.id params.id'],
  resumeWebhook: ['webhook.id params.id'],
  redeliver: ['delivery.event_id params.event_id'],
};

/** How the service stores a field; the others are plain. */
const FORMS: Readonly<Record<string, (value: unknown) => string>> = {
  'agent.agent_domain': hostForm,
  'webhook.url': urlForm,
};

export function checkEchoes(
  misfits: Misfits,
  operation: string,
  answer: Fields,
  asked: Readonly<Record<Asked, Fields>>,
): void {
  for (const echo of ECHOES[operation] ?? []) {
    const [field = '', place = ''] = echo.split(' ');
    const sent = at(asked, place) ?? (field === 'page.number' ? 1 : undefined);
    if (sent == null) continue;
    const shown = at(answer, field);
    const form = FORMS[field] ?? plain;
    const isSame = Array.isArray(shown) === Array.isArray(sent) && form(shown) === form(sent);
    if (!isSame) misfits.add(field, shown, sent);
  }
}
