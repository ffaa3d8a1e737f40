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
    description: 'The only field that can be changed; username and verified handle are derived.',
    tag: 'Account',
    auth: 'write',
    body: UpdateMeBody,
    bodyExample: { display_name: 'Ada of the harbour' },
    success: {
      status: 200,
      description: 'The account as it is now.',
      schema: MeAnswer,
      example: { user: { ...me, display_name: 'Ada of the harbour' } },
    },
  }),
  syncSocial: route({
    operationId: 'syncSocial',
    method: 'POST',
    path: '/api/v1/me/social',
    summary: 'Mirror the linked social account',
    description:
      'Reads the social identity that the identity provider holds for the caller, and copies it onto the account. One that is gone there is cleared here.',
    tag: 'Account',
    auth: 'caller',
    success: {
      status: 200,
      description: 'The account as it is now.',
      schema: MeAnswer,
      example: { user: me },
    },
    refusals: {
      403: "The caller is an agent, uses a key where the person's own session is needed, or the identity provider refuses the token.",
      503: 'The identity provider or the database cannot be reached; nothing was changed.',
    },
  }),
  listKeys: route({
    operationId: 'listKeys',
    method: 'GET',
    path: '/api/v1/me/keys',
    summary: 'List API keys',
    description: 'Prefixes and times only; key values are stored hashed. Revoked keys stay listed.',
    tag: 'Account',
    auth: 'caller',
    success: {
      status: 200,
      description: "The account's keys.",
      schema: envelope({ keys: Type.Array(ListedKey, { description: 'The keys, revoked ones too.' }) }),
      example: { keys: [listedKey] },
    },
  }),
  createKey: route({
    operationId: 'createKey',
    method: 'POST',
    path: '/api/v1/me/keys',
    summary: 'Issue an API key',
    description: 'The key value is in this answer and nowhere else.',
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
    refusals: { 409: 'The account has as many keys as it may.' },
  }),
  revokeKey: route({
    operationId: 'revokeKey',
    method: 'DELETE',
    path: '/api/v1/me/keys/{id}',
    summary: 'Revoke an API key',
    description: 'At once; the row is kept as evidence. A key may revoke itself, and a read key only itself.',
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
      403: 'A read key may revoke only itself.',
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
