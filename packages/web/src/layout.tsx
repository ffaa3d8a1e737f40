import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { CARD_HEIGHT, CARD_WIDTH } from './cards/size.ts';
import { cut, safeLine } from './safe-text.ts';
import { Problem, ProblemSummary, type ToldProblem } from './parts/form.tsx';
import { ThemeChoice, type Typed } from './parts/theme-choice.tsx';
import {
  isDevnet,
  NEWS_COUNTED,
  type Page,
  type Site,
  SITE_NAME,
  SITE_NOTICES,
  type SiteFile,
  type Viewer,
} from './site.ts';
import { Seal } from './parts/seal.tsx';
import { Glyph } from './parts/tag.tsx';
import type { Alternate, Picture } from './sharing/oembed.ts';

interface Frame {
  title: string;
  /** one sentence for previews, the title by default; must contain nothing sealed */
  description?: string;
  canonical?: string;
  alternates?: readonly Alternate[];
  picture?: Picture;
  islands?: readonly (SiteFile | false | undefined)[];
  unlisted?: boolean;
  section?: Section;
  readsChain?: boolean;
  /** The theme form sends the typed text too, so that nothing is lost. */
  typed?: Typed;
}

const FONTS = ['besley.woff2', 'figtree.woff2'] as const;

const NAVIGATION = [
  { href: '/search', label: 'Etches' },
  { href: '/challenges', label: 'Challenges' },
  { href: '/verify', label: 'Verify' },
  { href: '/docs/README', label: 'Docs' },
] as const;

const YOURS = [
  { href: '/write', label: 'Write' },
  { href: '/feed', label: 'Feed' },
  { href: '/watching', label: 'Watching' },
  { href: '/inbox', label: 'Inbox' },
  { href: '/account', label: 'Account' },
] as const;

type Section = (typeof NAVIGATION)[number]['href'] | (typeof YOURS)[number]['href'];

/** The renderer escapes every text of a stranger. */
export function renderPage(site: Site, frame: Frame, content: ComponentChildren): Page {
  const html = renderToString(
    <Document site={site} frame={frame}>
      {content}
    </Document>,
  );
  return { html: `<!doctype html>\n${html}\n`, readsChain: frame.readsChain ?? false };
}

interface Heading {
  top?: ComponentChildren;
  /** the title by default */
  heading?: ComponentChildren;
  lead?: ComponentChildren;
  quiet?: ComponentChildren;
  /** more of the head */
  more?: ComponentChildren;
  tabs?: ComponentChildren;
  kind?: 'prose';
  /** of the form, which is shown again */
  problem?: ToldProblem | undefined;
}

/** A page of one column that begins with its heading. */
export function narrowPage(site: Site, frame: Frame & Heading, ...content: ComponentChildren[]): Page {
  const { top, title, heading = title, lead, quiet, more, tabs, kind, problem } = frame;
  return renderPage(
    site,
    problem ? { description: title, ...frame, title: `Not done yet: ${title}` } : frame,
    <div class={kind ? `narrow ${kind}` : 'narrow'}>
      <header class="page-head">
        {top && <p class="card-top quiet">{top}</p>}
        <h1>{heading}</h1>
        {lead && <p class="lead">{lead}</p>}
        {quiet && <p class="quiet">{quiet}</p>}
        {more}
      </header>
      {tabs}
      <Problem.Provider value={problem}>
        <ProblemSummary problem={problem} />
        {content}
      </Problem.Provider>
    </div>,
  );
}

type DocumentProps = { site: Site; frame: Frame; children: ComponentChildren };

function Document({ site, frame, children }: DocumentProps) {
  return (
    <html lang="en" data-theme={site.theme}>
      <Head site={site} frame={frame} />
      <body data-etched={site.viewer?.etched}>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        {/* Shown first on every page (docs/decisions/0014-embedded-parts.md). */}
        {isDevnet(site) && (
          <Banner label="Development chain" warns>
            <strong>For testing only:</strong> whoever runs this chain can rewrite it.
          </Banner>
        )}
        {site.operatorNotice && (
          <Banner label="Notice by the operator">{withLinks(site.operatorNotice)}</Banner>
        )}
        <header class="site-header">
          <div class="wide">
            <a class="wordmark" href="/">
              <Seal state="sealed" /> {SITE_NAME}
            </a>
            <nav aria-label="Site">
              {NAVIGATION.map((entry) => navigationLink(entry, frame))}
              {!site.viewer && <SignInLink site={site} frame={frame} />}
            </nav>
          </div>
          {site.viewer && <Yours viewer={site.viewer} frame={frame} />}
        </header>
        <main id="main" tabindex={-1}>
          {site.notice && (
            <div class="narrow">
              <p class="note" role="status">
                {SITE_NOTICES[site.notice]}
              </p>
            </div>
          )}
          {children}
        </main>
        <Footer site={site} typed={frame.typed} />
      </body>
    </html>
  );
}

function navigationLink({ href, label }: { href: Section; label: string }, frame: Frame, news = 0) {
  return (
    <a href={href} {...(frame.section === href ? { 'aria-current': 'true' as const } : {})}>
      {label}
      {news > 0 && (
        <>
          {' '}
          <span class="news-count">
            {news < NEWS_COUNTED ? news : `${NEWS_COUNTED - 1}+`}
            <span class="visually-hidden"> new</span>
          </span>
        </>
      )}
    </a>
  );
}

function SignInLink({ site, frame }: { site: Site; frame: Frame }) {
  const path = frame.canonical?.slice(site.baseUrl.length) ?? frame.section ?? '/';
  return <a href={path === '/' ? '/sign-in' : `/sign-in?return=${encodeURIComponent(path)}`}>Sign in</a>;
}

function Yours({ viewer, frame }: { viewer: Viewer; frame: Frame }) {
  return (
    <div class="yours-bar">
      <div class="wide">
        <nav aria-label="Yours">
          {YOURS.map((entry) =>
            navigationLink(entry, frame, entry.href === '/inbox' ? viewer.news : undefined),
          )}
        </nav>
        <a class="quiet" href={`/u/${viewer.username}`}>
          @{viewer.username}
        </a>
      </div>
    </div>
  );
}

function Head({ site, frame }: { site: Site; frame: Frame }) {
  const title = cut(safeLine(frame.title), 120);
  const description = cut(safeLine(frame.description ?? frame.title), 280);
  return (
    <head>
      <meta charset="utf-8" />
      <title>{title === SITE_NAME ? title : `${title} · ${SITE_NAME}`}</title>
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content={site.theme ?? 'light dark'} />
      <meta name="description" content={description} />
      {(frame.unlisted || site.viewer) && <meta name="robots" content="noindex" />}
      {frame.canonical && <link rel="canonical" href={frame.canonical} />}
      {(frame.alternates ?? []).map(({ type, href, title }) => (
        <link rel="alternate" type={type} href={href} {...(title ? { title } : {})} />
      ))}
      <meta property="og:site_name" content={SITE_NAME} />
      <meta property="og:type" content="article" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      {frame.canonical && <meta property="og:url" content={frame.canonical} />}
      {frame.picture ? <Preview picture={frame.picture} /> : <meta name="twitter:card" content="summary" />}
      <link rel="icon" href={site.files['icon.svg']} type="image/svg+xml" />
      <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
      <link rel="manifest" href="/site.webmanifest" />
      {FONTS.map((font) => (
        <link rel="preload" href={site.files[font]} as="font" type="font/woff2" crossorigin="anonymous" />
      ))}
      <link rel="stylesheet" href={site.files['site.css']} />
      {islandsOf(site, frame).map((island) => (
        // The first paint waits for times.js, which makes lines longer (docs/style.md).
        <script
          type="module"
          src={site.files[island]}
          {...(island === 'times.js' && { blocking: 'render' })}
        ></script>
      ))}
    </head>
  );
}

function islandsOf({ viewer }: Site, { islands = [] }: Frame): SiteFile[] {
  const wanted = islands.filter((island) => island !== false && island !== undefined);
  return viewer?.etched === undefined || wanted.includes('drafts.js') ? wanted : [...wanted, 'drafts.js'];
}

function Preview({ picture: { url, text } }: { picture: Picture }) {
  return (
    <>
      <meta property="og:image" content={url} />
      <meta property="og:image:type" content="image/png" />
      <meta property="og:image:width" content={`${CARD_WIDTH}`} />
      <meta property="og:image:height" content={`${CARD_HEIGHT}`} />
      <meta property="og:image:alt" content={text} />
      <meta name="twitter:card" content="summary_large_image" />
      <meta name="twitter:image:alt" content={text} />
    </>
  );
}

type BannerProps = { label: string; warns?: boolean; children: ComponentChildren };

export const Banner = ({ label, warns, children }: BannerProps) => (
  <aside class="devnet" aria-label={label}>
    <div class="wide">
      {warns && <Glyph name="warn" />}
      <p>{children}</p>
    </div>
  </aside>
);

const withLinks = (text: string) =>
  text
    .split(/(https:\/\/\S*[^\s.,;:!?)])/)
    .map((part, at) => (at % 2 === 1 ? <a href={part}>{part}</a> : part));

function Footer({ site, typed }: { site: Site; typed: Typed | undefined }) {
  return (
    <footer class="site-footer">
      <div class="wide">
        <p>No etch here can be edited. A retraction leaves its hash.</p>
        <nav aria-label="More">
          <a href="/verify/how">How verification works</a>
          <a href="/docs/quickstart">Quickstart</a>
          <a href="/docs/agents">For agents</a>
          <a href="/docs/templates/README">Templates</a>
          <a href="/docs">API reference</a>
          <a href="/status">Status</a>
          <a href="/trees">All anchored trees</a>
          <a href="/about">About</a>
          <a href="/privacy">Privacy</a>
          <a href="/about#chain">Chain: {site.chain.name}</a>
        </nav>
        <ThemeChoice site={site} typed={typed} />
      </div>
    </footer>
  );
}
