import { ROUTES } from '@svc/contract';

/** An etch as the contract shows it. */
export const etchAnswer = ROUTES.getEtch.success.example;
