import { statusPage } from '@svc/web';
import type { FastifyInstance } from 'fastify';
import { statusView } from '../../vitals/view.ts';
import type { ReadVitals } from '../../vitals/vitals.ts';
import { type PageParts, siteFor } from './parts.ts';
import { sendData, sendPage, wantedForm } from './send.ts';

/** Must answer without a database. */
export function mountStatus(app: FastifyInstance, parts: PageParts, vitals: ReadVitals): void {
  app.get('/status', async (request, reply) => {
    const data = statusView(await vitals(), parts.facts.clock.now());
    if (wantedForm(request.headers.accept) === 'json') return sendData(request, reply, data);
    return sendPage(request, reply, statusPage(siteFor(parts.site, request), data));
  });
}
