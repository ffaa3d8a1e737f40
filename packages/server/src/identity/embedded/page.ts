import { createHash } from 'node:crypto';

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { margin: 0; display: grid; place-items: center; min-height: 100vh }
main { width: min(24rem, 100% - 2rem) }
label { display: block; margin-top: 1rem; font-weight: 600 }
input:not([type=checkbox]) { width: 100%; box-sizing: border-box; font: inherit; padding: .5rem }
label.line { font-weight: normal }
button { margin-top: 1.5rem; font: inherit; padding: .5rem 1.25rem }
.note { font-size: .875rem }
.problem { border-left: .25rem solid currentColor; padding-left: .75rem }
`;

const STYLE_HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

export interface Page {
  html: string;
  headers: Readonly<Record<string, string>>;
}

export interface SignInForm {
  /** where the form goes */
  action: string;
  /** origin of the client that is returned to, which the browser must let the form lead to */
  returnsTo: string | undefined;
  username?: string;
  socialHandle?: string;
  problem?: string;
}

/** The sign-in page: a name, and a social handle for who wants one. No script, nothing from elsewhere. */
export function signInPage(form: SignInForm): Page {
  const { username = '', socialHandle = '', problem } = form;
  const body = `<h1>Sign in</h1>
<p class="note">This is the service's own identity provider for trying things: it asks for a name alone and believes it.
Set <code>IDENTITY_ISSUER</code> for a real one.</p>
${problem === undefined ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`}
<form method="post" action="${escapeHtml(form.action)}">
<label for="username">Name</label>
<input id="username" name="username" value="${escapeHtml(username)}" required maxlength="64" autocomplete="username" autofocus>
<label for="social_handle">Social handle (optional)</label>
<input id="social_handle" name="social_handle" value="${escapeHtml(socialHandle)}" maxlength="64" autocomplete="off" aria-describedby="handle-note">
<p class="note" id="handle-note">Left empty, the handle you gave before stays.</p>
<label class="line"><input type="checkbox" name="forget_social" value="1"> I have no social handle any more</label>
<button type="submit">Sign in</button>
</form>`;
  return page('Sign in', body, form.returnsTo);
}

/** What went wrong, in words. */
export function errorPage(title: string, message: string): Page {
  return page(title, `<h1>${escapeHtml(title)}</h1>\n<p>${escapeHtml(message)}</p>`);
}

function page(title: string, body: string, formTarget?: string): Page {
  const formAction = formTarget === undefined ? "'self'" : `'self' ${formTarget}`;
  return {
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; style-src ${STYLE_HASH}; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`,
      'Cache-Control': 'no-store',
      // Not stricter: without a referrer a browser sends the form with the origin `null`.
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
    },
  };
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
