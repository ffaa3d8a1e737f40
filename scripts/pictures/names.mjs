/** The pictures that `npm run pictures` takes, by name. */
export const PICTURES = ['status', 'sealed', 'home', 'write', 'seal', 'etch', 'challenge', 'verify', 'try'];
