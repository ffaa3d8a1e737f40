import { Type } from 'typebox';
import { apiKeyValue, key, limits, listedKey, me } from '../examples/account.ts';
import { envelope, oneOf, request, textField } from '../fields.ts';
import { DISPLAY_NAME_MAX, Me } from '../resources/account.ts';
import { ApiKeyValue, KEY_NAME_MAX, Key, ListedKey, SCOPES } from '../resources/key.ts';
import { Limits } from '../resources/limits.ts';
import { idParams } from './inputs.ts';
import { route } from './route.ts';

const MeAnswer = envelope({ user: Me });

export const UpdateMeBody = request({
  display_name: textField(DISPLAY_NAME_MAX, `The name shown, at most ${DISPLAY_NAME_MAX} code points.`),
});

export const CreateKeyBody = request({
  name: textField(KEY_NAME_MAX, `A name to know the key by, at most ${KEY_NAME_MAX} code points.`),
  scope: Type.Optional(oneOf(SCOPES, '`read` (default) or `write`.')),
});

export const accountRoutes = {
  getMe: route({
    operationId: 'getMe',
    method: 'GET',
    path: '/api/v1/me',
    summary: "Read the caller's account",
    tag: 'Account',
    auth: 'caller',
    success: { status: 200, description: 'The account.', schema: MeAnswer, example: { user: me } },
  }),
  updateMe: route({
    operationId: 'updateMe',
    method: 'PATCH',
    path: '/api/v1/me',
    summary: 'Change the display name',
    description: 'The display name is the only field that can be changed.',
    tag: 'Account',
    auth: 'write',
    body: UpdateMeBody,
    bodyExample: { display_name: 'Ada of the harbour' },
    success: {
      status: 200,
      description: 'The updated account.',
      schema: MeAnswer,
      example: { user: { ...me, display_name: 'Ada of the harbour' } },
    },
  }),
  syncSocial: route({
    operationId: 'syncSocial',
    method: 'POST',
    path: '/api/v1/me/social',
    summary: 'Update the linked social account',
    description:
      "Copies the caller's social identity from the identity provider to the account. If the provider has none, the account's is cleared.",
    tag: 'Account',
    auth: 'caller',
    success: {
      status: 200,
      description: 'The updated account.',
      schema: MeAnswer,
      example: { user: me },
    },
    refusals: {
      403: 'The caller is an agent, uses an API key where a session is needed, or the identity provider rejects the token.',
      503: 'The identity provider or the database cannot be reached; nothing was changed.',
    },
  }),
  listKeys: route({
    operationId: 'listKeys',
    method: 'GET',
    path: '/api/v1/me/keys',
    summary: 'List API keys',
    description: 'Lists prefixes and times. Key values are stored hashed. Revoked keys stay in the list.',
    tag: 'Account',
    auth: 'caller',
    success: {
      status: 200,
      description: "The account's keys.",
      schema: envelope({ keys: Type.Array(ListedKey, { description: 'The keys, including revoked ones.' }) }),
      example: { keys: [listedKey] },
    },
  }),
  createKey: route({
    operationId: 'createKey',
    method: 'POST',
    path: '/api/v1/me/keys',
    summary: 'Issue an API key',
    description: 'Only this answer contains the key value.',
    tag: 'Account',
    auth: 'write',
    body: CreateKeyBody,
    bodyExample: { name: 'nightly report', scope: 'read' },
    success: {
      status: 201,
      description: 'The key and its value.',
      schema: envelope({ key: Key, api_key: ApiKeyValue }),
      example: { key, api_key: apiKeyValue },
    },
    refusals: { 409: 'The account has the maximum number of keys.' },
  }),
  revokeKey: route({
    operationId: 'revokeKey',
    method: 'DELETE',
    path: '/api/v1/me/keys/{id}',
    summary: 'Revoke an API key',
    description:
      'Takes effect at once; the key stays in the list. A key can revoke itself; a read key can revoke only itself.',
    tag: 'Account',
    auth: 'caller',
    whileSuspended: true,
    params: idParams('key'),
    success: {
      status: 200,
      description: 'The key, revoked.',
      schema: envelope({ key: ListedKey }),
      example: { key: { ...listedKey, revoked_at: '2026-01-05T08:00:00.000Z' } },
    },
    refusals: {
      403: 'A read key can revoke only itself.',
      404: 'The account has no active key with this id.',
    },
  }),
  getLimits: route({
    operationId: 'getLimits',
    method: 'GET',
    path: '/api/v1/me/limits',
    summary: "Read the caller's allowances",
    tag: 'Account',
    auth: 'caller',
    success: { status: 200, description: 'The allowances.', schema: Limits, example: limits },
  }),
};
