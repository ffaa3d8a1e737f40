export const PICTURES = ['status', 'sealed', 'home', 'write', 'seal', 'etch', 'challenge', 'verify', 'try'];
