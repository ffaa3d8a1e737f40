import { Type } from 'typebox';
import { apiKeyValue, key, limits, listedKey, me } from '../examples/account.ts';
import { envelope, listOf, oneOf, request, textField } from '../fields.ts';
import { DISPLAY_NAME_MAX, Me } from '../resources/account.ts';
import { ApiKeyValue, Key, KEY_NAME_MAX, Limits, ListedKey, SCOPES } from '../resources/key.ts';
import { idParams } from './inputs.ts';
import { created, DELETE, GET, ok, PATCH, POST, routes } from './route.ts';

const MeAnswer = envelope({ user: Me });

export const UpdateMeBody = request({
  display_name: textField(DISPLAY_NAME_MAX, `The name shown, at most ${DISPLAY_NAME_MAX} code points.`),
});

export const CreateKeyBody = request({
  name: textField(KEY_NAME_MAX, `A name to know the key by, at most ${KEY_NAME_MAX} code points.`),
  scope: Type.Optional(oneOf(SCOPES, '`read` (default) or `write`.')),
});

export const accountRoutes = routes('Account', {
  getMe: GET('/me', 'caller', "Read the caller's account", {
    success: ok('The account.', MeAnswer, { user: me }),
  }),
  updateMe: PATCH('/me', 'write', 'Change the display name', {
    repeatable: true,
    description: 'The display name is the only field that can be changed.',
    body: UpdateMeBody,
    bodyExample: { display_name: 'Ada of the harbour' },
    success: ok('The updated account.', MeAnswer, { user: { ...me, display_name: 'Ada of the harbour' } }),
  }),
  syncSocial: POST('/me/social', 'caller', 'Update the linked social account', {
    repeatable: true,
    description:
      "Copies the caller's social identity from the identity provider to the account. If the provider has none, the account's is cleared.",
    success: ok('The updated account.', MeAnswer, { user: me }),
    refusals: {
      403: 'The caller is an agent, uses an API key where a session is needed, or the identity provider rejects the token.',
      503: 'The identity provider or the database cannot be reached; nothing was changed.',
    },
  }),
  listKeys: GET('/me/keys', 'caller', 'List API keys', {
    description: 'Lists prefixes and times. Key values are stored hashed. Revoked keys stay in the list.',
    success: ok(
      "The account's keys.",
      envelope({ keys: listOf(ListedKey, 'The keys, including revoked ones.') }),
      { keys: [listedKey] },
    ),
  }),
  createKey: POST('/me/keys', 'write', 'Issue an API key', {
    mark: 'api_key',
    description: 'Only this answer contains the key value.',
    body: CreateKeyBody,
    bodyExample: { name: 'nightly report', scope: 'read' },
    success: created('The key and its value.', envelope({ key: Key, api_key: ApiKeyValue }), {
      key,
      api_key: apiKeyValue,
    }),
    refusals: { 409: 'The account has the maximum number of keys.' },
  }),
  revokeKey: DELETE('/me/keys/{id}', 'caller', 'Revoke an API key', {
    description:
      'Takes effect at once; the key stays in the list. A key can revoke itself; a read key can revoke only itself.',
    whileSuspended: true,
    params: idParams('key'),
    success: ok('The key, revoked.', envelope({ key: ListedKey }), {
      key: { ...listedKey, revoked_at: '2026-01-05T08:00:00.000Z' },
    }),
    refusals: {
      403: 'A read key can revoke only itself.',
      404: 'The account has no active key with this id.',
    },
  }),
  getLimits: GET('/me/limits', 'caller', "Read the caller's allowances", {
    success: ok('The allowances.', Limits, limits),
  }),
});
