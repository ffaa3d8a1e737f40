import type { ComponentChildren } from 'preact';
import { narrowPage } from '@svc/web/layout';
import { LineEntry, PostForm, Submit } from '@svc/web/parts/form';
import { prose, say } from '@svc/web/parts/prose';
import { Sign, SIGNS } from '@svc/web/parts/sign';
import { safe } from '@svc/web/parts/values';
import type { Page, Site } from '@svc/web/site';

export interface IssuerForm {
  action: string;
  username?: string;
  socialHandle?: string;
  problem?: string;
  /** a program of a different vendor, which gets the access token */
  program?: { name: string; returnsTo: string; days: number };
}

export function issuerSignInPage(site: Site, form: IssuerForm): Page {
  const { action, username = '', socialHandle = '', problem, program } = form;
  return issuerPage(
    site,
    'Sign in with a name',
    <p class="lead">
      {say`
        For trials only: this sign-in asks for a name and does not check it.
      `}
    </p>,
    program &&
      prose`
        **${safe(program.name)}** will act as you here for at most ${program.days} days. It gets the access at
        ~${program.returnsTo}~. Sign in only if you started that program.

        - It can do everything that you can do: read, etch, retract, and change your account.
        - It can create API keys, which stay valid until you revoke them at [your keys](/account/keys), also after
          those days.
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
      <details open={socialHandle !== ''}>
        <summary>Social handle (optional)</summary>
        <LineEntry
          name="social_handle"
          label="Social handle"
          hint="Leave it empty to keep the handle that you entered before."
          value={socialHandle}
          input={{ maxlength: 64 }}
        />
        <p>
          <label class="box-label">
            <input type="checkbox" name="forget_social" value="1" /> I have no social handle any more
          </label>
        </p>
      </details>
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
