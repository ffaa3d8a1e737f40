import { type IssuerForm, issuerProblemPage, issuerSignInPage, type Page, type Site } from '@svc/web';
import type { FastifyRequest } from 'fastify';
import { pagePolicy } from '../pages/send.ts';

/** A page for oidc-provider, which answers without Fastify. */
export interface IssuerPage {
  html: string;
  headers: Readonly<Record<string, string>>;
}

export interface IssuerPages {
  signIn: (request: FastifyRequest, form: IssuerForm, returnsTo: string | undefined) => IssuerPage;
  problem: (title: string, message: string, request?: FastifyRequest) => IssuerPage;
}

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
    // Without a referrer, browsers send the form with the origin `null`.
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  },
});
