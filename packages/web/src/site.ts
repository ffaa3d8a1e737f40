import type { DrandChain } from '@svc/protocol/timelock';

export interface Site {
  viewer?: Viewer;
  /** default: the device's */
  theme?: Theme;
  operatorNotice?: string | undefined;
  notice?: SiteNotice;
  baseUrl: string;
  chain: SiteChain;
  anchorSeconds?: number;
  /** undefined: no openings and no blind seals */
  drand?: DrandChain | undefined;
  /** of the service's clock, in ms; absent where it does not matter */
  now?: number;
  files: Readonly<Record<SiteFile, string>>;
}

export type Theme = 'light' | 'dark';

type ReadingScript =
  | 'audit'
  | 'copy'
  | 'live'
  | 'open'
  | 'reference'
  | 'seal'
  | 'times'
  | 'try'
  | 'unseal'
  | 'verify';
type WritingScript = 'blind' | 'compose' | 'drafts' | 'files';
type SitePicture = 'icon.svg' | 'icon-180.png' | 'icon-512.png' | 'favicon.ico';
export type SiteFile =
  | 'site.css'
  | 'besley.woff2'
  | 'figtree.woff2'
  | `${ReadingScript | WritingScript}.js`
  | SitePicture;

export interface Viewer {
  username: string;
  displayName: string;
  /** just etched: the browser removes its draft */
  etched?: string;
  news?: number;
}

export const NEWS_COUNTED = 10;

export const SITE_NOTICES = {
  'follow-full': 'Not followed: your account follows the maximum number. Stop following something first.',
  'follow-gone': 'Not followed: it no longer exists.',
  'follow-suspended': 'Not followed: your account is suspended. Ask the operator for the reason.',
  'follow-later': 'Nothing changed: the service cannot save it now. Try again later.',
  'follow-signed-out': 'Nothing changed, because you were signed out. You are signed in now: try again.',
} as const;

export type SiteNotice = keyof typeof SITE_NOTICES;

/** A verifier must trust these values. */
export interface SiteChain {
  name: string;
  embedded: boolean;
  /** null before the first contact */
  id: number | null;
  contract: string;
  schemaUid: string;
  relayer: string;
  rpcUrl: string;
}

export const SITE_NAME = 'Commitment Service';

export const isDevnet = ({ chain }: Pick<Site, 'chain'>): boolean => chain.embedded;

export interface Page {
  html: string;
  readsChain: boolean;
}
