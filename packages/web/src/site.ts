import type { DrandChain } from '@svc/protocol/timelock';

/** Values of the service that every page needs. */
export interface Site {
  /** the signed-in reader, if any */
  viewer?: Viewer;
  /** the theme that the reader chose; otherwise the device's */
  theme?: Theme;
  /** why an action on this page failed */
  notice?: SiteNotice;
  /** the public origin */
  baseUrl: string;
  chain: SiteChain;
  /** how often hashes are anchored; absent where it does not matter */
  anchorSeconds?: number;
  /** the pinned drand chain for openings and blind seals; undefined: none */
  drand?: DrandChain | undefined;
  /** URLs of the built files by name: `site.css`, `verify.js`, `copy.js`, `live.js`, `open.js`, `icon.svg` */
  files: Readonly<Record<SiteFile, string>>;
}

export type Theme = 'light' | 'dark';

export type SiteFile =
  | 'site.css'
  | 'verify.js'
  | 'try.js'
  | 'copy.js'
  | 'live.js'
  | 'compose.js'
  | 'drafts.js'
  | 'open.js'
  | 'files.js'
  | 'blind.js'
  | 'unseal.js'
  | 'reference.js'
  | 'times.js'
  | 'icon.svg'
  | 'icon-180.png'
  | 'icon-512.png'
  | 'favicon.ico';

/** A person signed in on the pages. */
export interface Viewer {
  username: string;
  displayName: string;
  /** the draft that was just etched, so that the browser can remove it */
  etched?: string;
  /** events in the inbox, counted up to `NEWS_COUNTED` */
  news?: number;
}

/** More is shown as "more". */
export const NEWS_COUNTED = 10;

/** A rejected action leads back to its page with the reason. */
export const SITE_NOTICES = {
  'follow-full': 'Not followed: your account follows the maximum number. Stop following something first.',
  'follow-gone': 'Not followed: it no longer exists.',
  'follow-suspended': 'Not followed: your account is suspended. Ask the operator for the reason.',
  'follow-later': 'Nothing changed: the service cannot save it now. Try again later.',
  'follow-signed-out': 'Nothing changed, because you were signed out. You are signed in now: try again.',
} as const;

export type SiteNotice = keyof typeof SITE_NOTICES;

/** The chain in use: what a verifier of this service's receipts must trust. */
export interface SiteChain {
  name: string;
  /** the service's own development chain */
  embedded: boolean;
  /** null until the chain was reached once */
  id: number | null;
  contract: string;
  schemaUid: string;
  relayer: string;
  rpcUrl: string;
}

export const SITE_NAME = 'Commitment Service';

/** Proofs on a development chain prove nothing to others. */
export const isDevnet = ({ chain }: Pick<Site, 'chain'>): boolean => chain.embedded;

/** A finished page. */
export interface Page {
  /** complete unless cards were drawn in advance */
  html: string;
  /** cards drawn in advance, for their places in `html`: see `pagePieces` */
  cards: readonly string[];
  /** whether the browser reads the chain from any endpoint that the reader names */
  readsChain: boolean;
}
