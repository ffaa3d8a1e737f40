/** The clients of the embedded issuer: the service's own pages, and programs on the same machine. */
export const WEB_CLIENT = {
  id: 'web',
  callbackPath: '/sign-in/callback',
  scopes: 'openid profile social',
} as const;
export const NATIVE_CLIENT = { id: 'native', callbackPath: '/callback' } as const;
/** `svc login`. */
export const CLI_CLIENT = {
  id: 'svc-cli',
  callbackPath: '/callback',
  scopes: 'openid profile social',
} as const;
