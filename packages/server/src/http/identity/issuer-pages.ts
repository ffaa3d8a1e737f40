import { type IssuerForm, issuerProblemPage, issuerSignInPage, type Page, type Site } from '@svc/web';
import type { FastifyRequest } from 'fastify';
import { pagePolicy } from '../pages/send.ts';

/** A page with all its headers, for code that answers without Fastify. */
export interface IssuerPage {
  html: string;
  headers: Readonly<Record<string, string>>;
}

export interface IssuerPages {
  /** `returnsTo`: the origin of the client, which the form may redirect to */
  signIn: (request: FastifyRequest, form: IssuerForm, returnsTo: string | undefined) => IssuerPage;
  /** `request`: selects the theme, if known */
  problem: (title: string, message: string, request?: FastifyRequest) => IssuerPage;
}

/** The pages of the embedded issuer, in the service's layout. */
export const issuerPages = (site: (request?: FastifyRequest) => Site): IssuerPages => ({
  signIn: (request, form, returnsTo) => withHeaders(issuerSignInPage(site(request), form), returnsTo),
  problem: (title, message, request) => withHeaders(issuerProblemPage(site(request), title, message)),
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
