export { verifySignature } from '@svc/protocol';
