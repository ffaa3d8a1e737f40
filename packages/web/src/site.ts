import type { DrandChain } from '@svc/protocol/timelock';

/** What every page needs to know of the service it belongs to. */
export interface Site {
  /** who reads, when somebody is signed in */
  viewer?: Viewer;
  /** what the reader chose; else it is as their device has it */
  theme?: Theme;
  /** why something that was pressed on this page was not done */
  notice?: SiteNotice;
  /** the public origin */
  baseUrl: string;
  chain: SiteChain;
  /** how often hashes go to the chain; not said where it does not matter */
  anchorSeconds?: number;
  /** the drand chain that is pinned: openings and blind seals are encrypted to it; undefined: none is */
  drand?: DrandChain | undefined;
  /** urls of the built files by name: `site.css`, `verify.js`, `copy.js`, `live.js`, `open.js`, `icon.svg` */
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

/** Somebody signed in on the pages. */
export interface Viewer {
  username: string;
  displayName: string;
  /** the draft that was etched a moment ago: the browser need keep it no longer */
  etched?: string;
  /** what waits in the inbox, counted as far as `NEWS_COUNTED` */
  news?: number;
}

/** More is said to be more. */
export const NEWS_COUNTED = 10;

/** What was refused leads back to where it was pressed, and says there why. */
export const SITE_NOTICES = {
  'follow-full': 'Not followed: you follow as many as an account may. Stop following something first.',
  'follow-gone': 'Not followed: it is not there any more.',
  'follow-suspended': 'Not followed: your account is suspended. Who runs the service can say why.',
  'follow-later':
    'Nothing was changed: this service cannot write it down at the moment. Try again in a while.',
  'follow-signed-out':
    'You were not signed in any more, so nothing was changed. You are now: press it again.',
} as const;

export type SiteNotice = keyof typeof SITE_NOTICES;

/** The chain in use: what a verifier of this service's receipts must trust. */
export interface SiteChain {
  name: string;
  /** the service's own development chain */
  embedded: boolean;
  /** null while it is not known: the chain was never reached */
  id: number | null;
  contract: string;
  schemaUid: string;
  relayer: string;
  rpcUrl: string;
}

export const SITE_NAME = 'Commitment Service';

/** Proofs on a development chain convince nobody but the one who runs it. */
export const isDevnet = ({ chain }: Pick<Site, 'chain'>): boolean => chain.embedded;

/** A finished page. */
export interface Page {
  /** whole where nothing was drawn ahead */
  html: string;
  /** cards that were drawn ahead, for their places in `html`: see `pagePieces` */
  cards: readonly string[];
  /** does it read the chain from the browser, on any endpoint the reader names? */
  readsChain: boolean;
}
