import { type IssuerForm, issuerProblemPage, issuerSignInPage, type Page, type Site } from '@svc/web';
import { pagePolicy } from '../pages/send.ts';

/** A page with all its headers, for who writes answers without Fastify. */
export interface IssuerPage {
  html: string;
  headers: Readonly<Record<string, string>>;
}

export interface IssuerPages {
  /** `returnsTo`: the origin of the client that is returned to, which the browser must let the form lead to */
  signIn: (form: IssuerForm, returnsTo: string | undefined) => IssuerPage;
  problem: (title: string, message: string) => IssuerPage;
}

/** The pages of the embedded issuer, in the look of the service it belongs to. */
export const issuerPages = (site: () => Site): IssuerPages => ({
  signIn: (form, returnsTo) => withHeaders(issuerSignInPage(site(), form), returnsTo),
  problem: (title, message) => withHeaders(issuerProblemPage(site(), title, message)),
});

const withHeaders = (page: Page, returnsTo?: string): IssuerPage => ({
  html: page.html,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': pagePolicy(page, returnsTo),
    'Cache-Control': 'no-store',
    // Not stricter: without a referrer a browser sends the form with the origin `null`.
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  },
});
