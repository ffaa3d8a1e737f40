import type { VNode } from 'preact';
import { Narrow, renderPage } from '../layout.tsx';
import { Sign, SIGNS } from '../parts/sign.tsx';
import { Text } from '../parts/values.tsx';
import type { Page, Site } from '../site.ts';
import { LineEntry, Submit } from '../parts/form.tsx';

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
    <>
      <p class="lead">
        For trials only: this sign-in asks for a name and does not check it. The operator sets{' '}
        <code>IDENTITY_ISSUER</code> to use a real identity provider.
      </p>
      {program && (
        <p>
          <strong>
            <Text>{program.name}</Text>
          </strong>{' '}
          will act as you here. It gets the access at <code>{program.returnsTo}</code>. Sign in only if you
          started that program.
        </p>
      )}
      {problem !== undefined && (
        <div class="problem" role="alert">
          <p>
            <Sign d={SIGNS.warn} /> <Text>{problem}</Text>
          </p>
        </div>
      )}
      <form class="entries" method="post" action={action}>
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
      </form>
    </>,
  );
}

export const issuerProblemPage = (site: Site, title: string, message: string): Page =>
  issuerPage(
    site,
    title,
    <p>
      <Text>{message}</Text>
    </p>,
  );

function issuerPage(site: Site, title: string, content: VNode): Page {
  return renderPage(
    site,
    { title, description: 'The built-in identity provider, for trials only.', unlisted: true },
    <Narrow heading={title}>{content}</Narrow>,
  );
}
