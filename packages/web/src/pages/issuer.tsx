import type { ComponentChildren } from 'preact';
import { narrowPage } from '../layout.tsx';
import { LineEntry, PostForm, Submit } from '../parts/form.tsx';
import { prose, say } from '../parts/prose.tsx';
import { Sign, SIGNS } from '../parts/sign.tsx';
import { safe } from '../parts/values.tsx';
import type { Page, Site } from '../site.ts';

export interface IssuerForm {
  action: string;
  username?: string;
  socialHandle?: string;
  problem?: string;
  /** a program of a different vendor, which gets the access token */
  program?: { name: string; returnsTo: string };
}

export function issuerSignInPage(site: Site, form: IssuerForm): Page {
  const { action, username = '', socialHandle = '', problem, program } = form;
  return issuerPage(
    site,
    'Sign in with a name',
    <p class="lead">
      {say`
        For trials only: this sign-in asks for a name and does not check it. The operator sets
        ~IDENTITY_ISSUER~ to use a real identity provider.
      `}
    </p>,
    program &&
      prose`
        **${safe(program.name)}** will act as you here. It gets the access at ~${program.returnsTo}~. Sign in
        only if you started that program.
      `,
    problem !== undefined && (
      <div class="problem" role="alert">
        <p>
          <Sign d={SIGNS.warn} /> {safe(problem)}
        </p>
      </div>
    ),
    <PostForm class="entries" action={action}>
      <LineEntry
        name="username"
        label="Name"
        value={username}
        input={{ required: true, maxlength: 64, autocomplete: 'username', autofocus: true }}
      />
      <LineEntry
        name="social_handle"
        label="Social handle (optional)"
        hint="Leave it empty to keep your handle."
        value={socialHandle}
        input={{ maxlength: 64 }}
      />
      <p>
        <label class="box-label">
          <input type="checkbox" name="forget_social" value="1" /> I have no social handle any more
        </label>
      </p>
      <Submit>Sign in</Submit>
    </PostForm>,
  );
}

export const issuerProblemPage = (site: Site, title: string, message: string): Page =>
  issuerPage(site, title, <p>{safe(message)}</p>);

const issuerPage = (site: Site, title: string, ...content: ComponentChildren[]): Page =>
  narrowPage(
    site,
    { title, description: 'The built-in identity provider, for trials only.', unlisted: true },
    ...content,
  );
