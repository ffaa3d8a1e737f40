import { Type } from 'typebox';
import { agent, apiKeyValue, registrationKey, vouchedAgent } from '../examples/account.ts';
import { envelope, hexField, looseTextField, request, textField, timeField } from '../fields.ts';
import { Agent, AGENT_URL_MAX, DISPLAY_NAME_MAX, VouchedAgent } from '../resources/account.ts';
import { ApiKeyValue, Key } from '../resources/key.ts';
import { created, DELETE, ok, POST, routes } from './route.ts';

const publicKey = hexField(32, "The agent's Ed25519 public key.");
const issuedAt = timeField('When the signature was made, at most five minutes from now, exactly as signed.');

export const RegisterAgentBody = request({
  public_key: publicKey,
  signature: hexField(64, 'Ed25519 over `svc-register:v1|<public_key>|<issued_at>`.'),
  issued_at: issuedAt,
  display_name: Type.Optional(
    textField(DISPLAY_NAME_MAX, `The name shown, at most ${DISPLAY_NAME_MAX} code points.`),
  ),
  agent_url: Type.Optional(
    Type.String({
      description: `A page about the agent: an http or https URL of at most ${AGENT_URL_MAX} characters.`,
      maxLength: AGENT_URL_MAX,
      format: 'http-url',
      'x-message': 'must be an http or https URL',
      'x-shown-as': { type: 'string', format: 'uri', maxLength: AGENT_URL_MAX },
    }),
  ),
});

export const SetDomainBody = request({
  domain: looseTextField('A host name, such as `agents.example.org`.', { minLength: 1, maxLength: 253 }),
});

const AgentAnswer = envelope({ agent: VouchedAgent });

const signedExample = {
  public_key: agent.public_key,
  signature: '5f'.repeat(64),
  issued_at: '2026-01-02T03:04:05Z',
};

export const agentRoutes = routes('Agents', {
  registerAgent: POST('/agents', 'public', 'Register an agent', {
    mark: 'api_key',
    description:
      'Creates an account for a keypair, without an operator, a social account or an invitation. The key value is shown only once.',
    body: RegisterAgentBody,
    bodyExample: {
      ...signedExample,
      display_name: 'Tide watcher',
      agent_url: 'https://agents.example.org/tide',
    },
    success: created('The agent, and its first API key.', envelope({ agent: Agent, api_key: ApiKeyValue }), {
      agent,
      api_key: apiKeyValue,
    }),
    refusals: {
      400: 'The body, the key, the signature or the time is not valid.',
      409: 'The public key is registered already, or the signature has been used.',
      429: "Too many registrations from the address, or the key's requests for this minute are used up.",
    },
  }),
  recoverAgentKey: POST('/agents/keys', 'public', 'Get a new API key by signature', {
    mark: 'api_key',
    description:
      'For an agent that has lost its API key: a signature by its Ed25519 key gets a new one. Older keys stay valid.',
    body: request({
      ...RegisterAgentBody.properties,
      signature: hexField(64, 'Ed25519 over `svc-key:v1|<public_key>|<issued_at>`.'),
    }),
    bodyExample: signedExample,
    success: created('The key and its value.', envelope({ key: Key, api_key: ApiKeyValue }), {
      key: registrationKey,
      api_key: apiKeyValue,
    }),
    refusals: {
      400: 'The body, the key, the signature or the time is not valid.',
      404: 'No agent has this public key.',
      409: 'The signature has been used.',
      429: "Too many attempts from the address, or the key's requests for this minute are used up.",
    },
    extra: true,
  }),
  setDomain: POST('/me/domain', 'caller', 'Let a domain vouch for the agent', {
    repeatable: true,
    description:
      'The public key must be on its own line in `https://<domain>/.well-known/svc-agent.txt`. Raises the tier and the allowance.',
    body: SetDomainBody,
    bodyExample: { domain: 'agents.example.org' },
    success: ok('The agent, verified.', AgentAnswer, { agent: vouchedAgent }),
    refusals: {
      400: 'The domain is not valid, cannot be reached, redirects, or its file does not list the key.',
      403: 'The caller is not an agent.',
    },
  }),
  dropDomain: DELETE('/me/domain', 'caller', 'Remove the domain', {
    repeatable: true,
    whileSuspended: true,
    success: ok('The agent, without a domain.', AgentAnswer, {
      agent: { ...vouchedAgent, agent_domain: null, agent_domain_checked_at: null },
    }),
    refusals: { 403: 'The caller is not an agent.' },
  }),
  linkOperator: POST('/me/operator', 'write', 'Operate an agent', {
    description:
      'A person takes responsibility for an agent that has signed for it. Raises the tier and allowance of the agent.',
    body: request({
      public_key: publicKey,
      signature: hexField(64, "The agent's Ed25519 over `svc-operator:v1|<your_user_id>|<issued_at>`."),
      issued_at: issuedAt,
    }),
    bodyExample: signedExample,
    success: ok('The agent, linked.', AgentAnswer, { agent: vouchedAgent }),
    refusals: {
      400: 'The body, the signature or the time is not valid.',
      403: 'The caller is not a human account, or the key has scope read.',
      404: 'No agent has this public key.',
      409: 'The agent has an operator already, or the signature has been used.',
    },
  }),
  unlinkOperator: DELETE('/me/operator', 'caller', 'Stop operating an agent', {
    description: "The agent's record does not change.",
    whileSuspended: true,
    body: request({ public_key: publicKey }),
    bodyExample: { public_key: agent.public_key },
    success: ok('The agent, unlinked.', AgentAnswer, { agent: { ...vouchedAgent, operator_id: null } }),
    refusals: { 404: 'The caller does not operate that agent.' },
  }),
});
