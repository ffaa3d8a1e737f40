export const WEB_CLIENT = {
  id: 'web',
  callbackPath: '/sign-in/callback',
  scopes: 'openid profile social',
} as const;
export const NATIVE_CLIENT = { id: 'native', callbackPath: '/callback' } as const;
export const CLI_CLIENT = {
  id: 'svc-cli',
  callbackPath: '/callback',
  scopes: 'openid profile social',
} as const;
