/**
 * One person, one agent, one origin. Hashes, root and proof are correct (a test folds them); uids and
 * transactions are invented.
 */
export const origin = 'https://svc.example.org';

export const adaId = '8d3f6c1a-52b7-4e09-9c41-7ab0d2e85f16';
export const botId = 'c2a94e70-1f3b-4d58-8e6a-05b9d7f4312c';
export const etchId = '3f9b2a64-7c1d-4b85-a0e3-6d2c91f7584b';
export const sealedId = 'a7d05c39-e4f2-4186-b93c-2e8f60d1a74b';
export const retractedId = '61c8e0b2-9a47-4f3d-8d15-f70b3c2a96e4';
export const challengeId = '94e1d7a3-0b6c-4c2f-87f5-1a3e5d9b0c68';
export const keyId = 'e58b1f02-6d3a-4a97-9c80-b41f7d25a3c6';

export const salt = 'e0fcab987236cb02bba4919f9ea8280d163a58209cd8960a5204d152dbdf4e2d';
export const content = 'The lighthouse will be lit again before the first snow.';
export const createdAt = '2026-01-02T03:04:05.678Z';
export const canonicalString = `svc:v1|${adaId}|${createdAt}|${salt}|${content}`;
export const hash = '2e872983d8aacfd8c03a9274b389b6d43c0468c2745e74ce8d95157372e28ea4';

export const otherHash = '22a3db250131dcb4950b40f36dbbe4d78731ab8b8fdad7502fe9bb9af3a582f3';
export const otherLeaf = 'c77db605152b60696ceb59d3620fcaa6d15a79ea380eb7fa2d127a87db84a68a';
export const root = '31a833916bb8fba9d174060b5719c4fa875b309bed26904c8d815089c14dda40';

export const retractedHash = 'f200cd71edbbe1d7845b36a890ab4efc22e0394a076936923740eefc01e1b6fd';

export const publicKey = 'eb3102a6cb586765d01fad324523ec0bc67b9efd6a2d9589c135adfedf7922cc';

export const uid = '0x17b788a70eeccbdc2fcb2d2d3db216c02fa88ac668beeb164bb2328c864bf3f4';
export const txHash = '0x1b5b9ccb3e8d006a5230de9bda23ff91edc794d4f56410560830b418528e446c';
export const anchoredAt = '2026-01-02T03:04:41.000Z';

export const explorer = 'https://explorer.example.org';
export const attestationExplorer = 'https://attestations.example.org';
